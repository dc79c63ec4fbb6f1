#include "explainer/explain.h"

#include "sample_trace.h"
#include "tools/findings_json.h"

#include <gtest/gtest.h>
#include <set>
#include <sstream>

namespace perfidy {
namespace {

using sample::doublingSizes;
using sample::NestedLoops;
using sample::SampleRun;
using sample::TraceBuilder;

const std::vector<uint64_t> kSizes = doublingSizes(32, 8); // 32 .. 4096

uint64_t linear(uint64_t n) { return n; }
uint64_t one(uint64_t) { return 1; }

/// A quadratic class and linear ones around it.
NestedLoops quadratic() {
  NestedLoops program;
  program.addClass("fast", kSizes, one);
  program.addClass("other", kSizes, one);
  program.addClass("slow", kSizes, linear);
  return program;
}

/// Two parsers, each with its quadratic loop, and a class that drives each.
struct TwoCauses {
  NestedLoops program{"parseText"};
  uint32_t second, outer, body, inner;

  TwoCauses() {
    TraceBuilder &builder = program.builder;
    second = builder.addFunction("parseTable", "src/table.c");
    builder.addCall(program.run, 0, "parseTable");
    outer = builder.addLoop(second);
    body = builder.addBlock(second, outer);
    inner = builder.addLoop(second, body, outer);
    addClass("both fast", one, one);
    addClass("slow table", one, linear);
    addClass("slow text", linear, one);
  }

private:
  void addClass(const std::string &id, uint64_t (*text)(uint64_t), uint64_t (*table)(uint64_t)) {
    TraceBuilder &builder = program.builder;
    builder.addClass(id, kSizes, [&](SampleRun &run, uint64_t n) {
      program.fill(run, n, text(n));
      run.count(second, 0, 1).count(second, builder.header(second, outer), n);
      run.count(second, body, n).count(second, builder.header(second, inner), n * table(n));
    });
  }
};

std::string json(const Findings &findings) {
  std::ostringstream out;
  writeFindingsJson(findings, out);
  return out.str();
}

bool hasNote(const Findings &findings, const std::string &words) {
  return std::any_of(findings.notes.begin(), findings.notes.end(), [&](const std::string &note) {
    return note.find(words) != std::string::npos;
  });
}

TEST(Explain, QuadraticClassIsAFinding) {
  const NestedLoops program = quadratic();
  const Findings findings = explain(program.builder.build(), "target");
  EXPECT_EQ(findings.target, "target");
  ASSERT_EQ(findings.findings.size(), 1u);
  const Finding &finding = findings.findings.front();
  EXPECT_EQ(finding.kind, "differential");
  EXPECT_EQ(finding.gap.kind, "polynomial");
  EXPECT_EQ(finding.gap.size, 4096u);
  EXPECT_EQ(finding.slow.classId, "slow");
  EXPECT_NEAR(finding.slow.exponent, 2, 0.05);
  EXPECT_EQ(finding.fast.model, "n");
  EXPECT_NE(finding.slow.cluster, finding.fast.cluster);
  const double slow = 2 + 4096.0 * 2 + 4096.0 * 4096, fast = 2 + 4096.0 * 3;
  EXPECT_NEAR(finding.gap.ratio, slow / fast, 1e-9);
  EXPECT_NEAR(finding.gap.growth, 1, 0.05);
  ASSERT_FALSE(finding.regions.empty());
  EXPECT_EQ(finding.regions.front().line, program.builder.loopLine(program.parse, program.inner));
  EXPECT_NE(finding.message.find("parse"), std::string::npos);
  double sum = 0;
  for (const FunctionShare &share : finding.shares)
    sum += share.share;
  EXPECT_NEAR(sum, 1, 1e-12);
}

TEST(Explain, ClustersAreSummarisedCheapestFirst) {
  const Findings findings = explain(quadratic().builder.build(), "target");
  ASSERT_EQ(findings.clusters.size(), 2u);
  EXPECT_EQ(findings.clusters[0].name, "A");
  EXPECT_EQ(findings.clusters[0].classes, 2);
  EXPECT_EQ(findings.clusters[0].runs, 16);
  EXPECT_EQ(findings.clusters[0].model, "n");
  EXPECT_EQ(findings.clusters[1].name, "B");
  EXPECT_EQ(findings.clusters[1].classes, 1);
  EXPECT_NEAR(findings.clusters[1].exponent, 2, 0.05);
  EXPECT_EQ(findings.clusters[1].topSize, 4096u);
  EXPECT_LT(findings.clusters[0].costAtTop, findings.clusters[1].costAtTop);
  EXPECT_EQ(findings.stats.at("runs"), 24);
  EXPECT_EQ(findings.stats.at("classes"), 3);
  EXPECT_EQ(findings.stats.at("clusters"), 2);
  EXPECT_EQ(findings.stats.at("functions"), 2);
}

TEST(Explain, EqualLinearClassesGiveOneClusterAndNoFinding) {
  NestedLoops program;
  for (const char *id : {"p1", "p2", "p3"})
    program.addClass(id, kSizes, one);
  const Findings findings = explain(program.builder.build(), "target");
  EXPECT_TRUE(findings.findings.empty());
  ASSERT_EQ(findings.clusters.size(), 1u);
  EXPECT_EQ(findings.clusters[0].classes, 3);
}

TEST(Explain, EqualQuadraticClassesAreOneSuperlinearFinding) {
  NestedLoops program;
  for (const char *id : {"p1", "p2", "p3"})
    program.addClass(id, kSizes, linear);
  const Findings findings = explain(program.builder.build(), "target");
  ASSERT_EQ(findings.findings.size(), 1u);
  EXPECT_EQ(findings.clusters.size(), 1u);
  const Finding &finding = findings.findings.front();
  EXPECT_EQ(finding.kind, "superlinear");
  EXPECT_NEAR(finding.slow.exponent, 2, 0.05);
  EXPECT_TRUE(finding.fast.points.empty());
  ASSERT_FALSE(finding.regions.empty());
  EXPECT_EQ(finding.regions.front().line, program.builder.loopLine(program.parse, program.inner));
}

TEST(Explain, StoppedClassWithoutSizesIsATimeout) {
  NestedLoops program;
  for (const char *id : {"p1", "p2"})
    program.addClass(id, kSizes, one);
  program.addClass("hang", {64}, [](uint64_t) { return uint64_t{1000000}; });
  Trace trace = program.builder.build();
  trace.runs.back().status = RunStatus::Censored;
  const Findings findings = explain(trace, "target");
  ASSERT_EQ(findings.findings.size(), 1u);
  const Finding &finding = findings.findings.front();
  EXPECT_EQ(finding.kind, "timeout");
  EXPECT_EQ(finding.gap.size, 64u);
  EXPECT_GT(finding.gap.ratio, 1000);
  ASSERT_FALSE(finding.regions.empty());
  EXPECT_EQ(finding.regions.front().function, "parse");
}

TEST(Explain, ConstantFactorsAreFindingsOnlyFromTheThresholdOn) {
  NestedLoops program;
  for (const char *id : {"fast 1", "fast 2", "fast 3"})
    program.addClass(id, kSizes, one);
  program.addClass("slow", kSizes, [](uint64_t) { return uint64_t{40}; });
  const Trace trace = program.builder.build(); // cost ratio 14
  ExplainOptions options;
  options.constantRatio = 15;
  EXPECT_TRUE(explain(trace, "target", options).findings.empty());
  options.constantRatio = 13;
  const Findings lower = explain(trace, "target", options);
  ASSERT_EQ(lower.findings.size(), 1u);
  EXPECT_EQ(lower.findings[0].gap.kind, "constant factor");
  EXPECT_NEAR(lower.findings[0].gap.ratio, 14, 0.1);
  EXPECT_EQ(lower.findings[0].slow.classId, "slow");
}

TEST(Explain, SmallConstantFactorsAreNoFindingByDefault) {
  NestedLoops program;
  for (const char *id : {"fast 1", "fast 2", "fast 3"})
    program.addClass(id, kSizes, one);
  program.addClass("slow", kSizes, [](uint64_t) { return uint64_t{10}; });
  EXPECT_TRUE(explain(program.builder.build(), "target").findings.empty());
}

TEST(Explain, GrowingGapsBelowTheLeastRatioAreNoFinding) {
  // The slow class is superlinear, but only three times as dear at the largest size.
  NestedLoops program;
  for (const char *id : {"fast 1", "fast 2", "fast 3"})
    program.addClass(id, kSizes, [](uint64_t) { return uint64_t{100}; });
  program.addClass("slow", kSizes, [](uint64_t n) { return 100 + n / 20; });
  const Trace trace = program.builder.build();
  ExplainOptions options;
  options.minRatio = 4;
  EXPECT_TRUE(explain(trace, "target", options).findings.empty());
  options.minRatio = 2;
  const Findings lower = explain(trace, "target", options);
  ASSERT_EQ(lower.findings.size(), 1u);
  EXPECT_EQ(lower.findings[0].gap.kind, "polynomial");
  EXPECT_NEAR(lower.findings[0].gap.ratio, 3, 0.1);
}

TEST(Explain, TwoCausesAreTwoFindings) {
  const TwoCauses made;
  const Findings findings = explain(made.program.builder.build(), "target");
  ASSERT_EQ(findings.findings.size(), 2u);
  EXPECT_NE(findings.findings[0].id, findings.findings[1].id);
  std::set<std::string> causes;
  for (const Finding &finding : findings.findings) {
    ASSERT_FALSE(finding.regions.empty());
    causes.insert(finding.slow.classId + ": " + finding.regions.front().function);
  }
  EXPECT_EQ(causes, (std::set<std::string>{"slow table: parseTable", "slow text: parseText"}));
}

TEST(Explain, OneCauseReachedByTwoClassesIsOneFinding) {
  NestedLoops program = quadratic();
  program.addClass("slower", kSizes, [](uint64_t n) { return 8 * n; });
  const Findings findings = explain(program.builder.build(), "target");
  ASSERT_EQ(findings.findings.size(), 1u);
  EXPECT_EQ(findings.findings[0].slow.classId, "slower") << "told by its clearest class";
}

TEST(Explain, MostFindingsIsALimitAndTheWorstStay) {
  const Trace trace = TwoCauses().program.builder.build();
  ExplainOptions options;
  options.mostFindings = 1;
  const Findings all = explain(trace, "target"), limited = explain(trace, "target", options);
  ASSERT_EQ(limited.findings.size(), 1u);
  EXPECT_EQ(limited.findings[0].id, all.findings.at(0).id);
}

TEST(Explain, IdsSurviveMovedLines) {
  TwoCauses made;
  const Findings before = explain(made.program.builder.build(), "target");
  made.program.builder.shiftLines(10);
  const Findings after = explain(made.program.builder.build(), "target");
  ASSERT_EQ(before.findings.size(), 2u);
  ASSERT_EQ(after.findings.size(), 2u);
  for (size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(after.findings[i].id, before.findings[i].id);
    EXPECT_EQ(after.findings[i].regions.at(0).line, before.findings[i].regions.at(0).line + 10);
  }
}

TEST(Explain, NothingDependsOnTheOrderOfFunctions) {
  const TwoCauses made;
  Findings inOrder = explain(made.program.builder.build(), "target");
  Findings reversed = explain(made.program.builder.build({2, 1, 0}), "target");
  ASSERT_EQ(inOrder.findings.size(), 2u);
  EXPECT_EQ(json(inOrder), json(reversed));
}

TEST(Explain, ResultIsAPureFunctionOfTheTrace) {
  const Trace trace = TwoCauses().program.builder.build();
  const std::string first = json(explain(trace, "target"));
  EXPECT_EQ(first, json(explain(trace, "target")));
  EXPECT_NE(first.find("parseTable"), std::string::npos);
}

TEST(Explain, TooFewSizesAreSaid) {
  NestedLoops program;
  program.addClass("fast", {32, 64}, one);
  program.addClass("slow", {32, 64}, linear);
  const Findings findings = explain(program.builder.build(), "target");
  EXPECT_TRUE(findings.findings.empty());
  EXPECT_TRUE(hasNote(findings, "2 of 2 classes have not enough sizes"));
  EXPECT_FALSE(hasNote(explain(quadratic().builder.build(), "target"), "not enough sizes"));
}

TEST(Explain, NoClassIsSaid) {
  const Findings findings = explain(Trace(), "target");
  EXPECT_TRUE(findings.findings.empty());
  EXPECT_TRUE(findings.clusters.empty());
  EXPECT_TRUE(hasNote(findings, "No class"));
}

TEST(Explain, CensoredRunsAndCutTracesAreSaid) {
  NestedLoops program = quadratic();
  EXPECT_TRUE(explain(program.builder.build(), "target").notes.empty());
  program.builder.addRun(8192, "slow").status = RunStatus::Censored;
  Trace trace = program.builder.build();
  trace.truncated = true;
  const Findings findings = explain(trace, "target");
  EXPECT_TRUE(hasNote(findings, "lower bounds"));
  EXPECT_TRUE(hasNote(findings, "cut off"));
  EXPECT_EQ(findings.findings.size(), 1u);
}

TEST(Explain, PairIsTheSmallestClearOne) {
  NestedLoops program;
  for (const char *id : {"fast", "slow"})
    program.builder.addClass(id, kSizes, [&](SampleRun &run, uint64_t n) {
      program.fill(run, n, id[0] == 's' ? n : 1);
      run.tags["file"] = std::string(id) + "/" + std::to_string(n);
    });
  const Findings findings = explain(program.builder.build(), "target");
  ASSERT_EQ(findings.findings.size(), 1u);
  const InputPair &pair = findings.findings[0].pair;
  EXPECT_EQ(pair.size, 32u) << "32 bytes already cost more than ten times as much";
  EXPECT_EQ(pair.slowPath, "slow/32");
  EXPECT_EQ(pair.fastPath, "fast/32");
  EXPECT_GT(pair.slowCost, 10 * pair.fastCost);
  EXPECT_FALSE(pair.confirmed) << "nothing was run";
}

TEST(MergeTraces, JoinsRunsOfOneBuild) {
  NestedLoops first, second;
  first.addClass("slow", kSizes, linear);
  second.addClass("fast", kSizes, one);
  Trace cut = second.builder.build();
  cut.truncated = true;
  const Trace merged = mergeTraces({first.builder.build(), cut});
  ASSERT_EQ(merged.runs.size(), 16u);
  EXPECT_EQ(merged.runs.front().tags.at("class"), "slow");
  EXPECT_EQ(merged.runs.back().tags.at("class"), "fast");
  EXPECT_EQ(merged.functions.size(), 2u);
  EXPECT_TRUE(merged.truncated);
  EXPECT_FALSE(mergeTraces({first.builder.build()}).truncated);
}

std::string mergeError(std::vector<Trace> traces) {
  try {
    mergeTraces(std::move(traces));
  } catch (const Error &error) {
    return error.what();
  }
  return "no error";
}

TEST(MergeTraces, RefusesNothingAndOtherBuilds) {
  EXPECT_NE(mergeError({}).find("No trace"), std::string::npos);
  Trace one = quadratic().builder.build(), other = one;
  other.build = "fedcba9876543210";
  const std::string message = mergeError({one, one, other});
  EXPECT_NE(message.find(one.build), std::string::npos) << message;
  EXPECT_NE(message.find(other.build), std::string::npos) << message;
}

} // namespace
} // namespace perfidy
