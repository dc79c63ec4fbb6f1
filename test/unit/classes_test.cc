#include "explainer/classes.h"

#include "sample_trace.h"

#include <gtest/gtest.h>

namespace perfidy {
namespace {

using sample::doublingSizes;
using sample::TraceBuilder;

constexpr uint64_t kWeight = TraceBuilder::kWeight;

/// One function that runs as often as asked; other blocks make other paths.
struct Single {
  TraceBuilder builder;
  uint32_t function = builder.addFunction("f"), other = builder.addBlock(function);

  sample::SampleRun &run(uint64_t size, uint64_t times, const std::string &classId = "") {
    return builder.addRun(size, classId).count(function, 0, times);
  }
};

std::vector<std::string> idsOf(const std::vector<RunClass> &classes) {
  std::vector<std::string> ids;
  for (const RunClass &runClass : classes)
    ids.push_back(runClass.id);
  return ids;
}

TEST(CollectClasses, GroupsByTagSortedById) {
  Single program;
  for (uint64_t size : doublingSizes(8, 6)) {
    program.run(size, size, "p02");
    program.run(size, 2 * size, "p01");
  }
  const std::vector<RunClass> classes = collectClasses(program.builder.build());
  EXPECT_EQ(idsOf(classes), (std::vector<std::string>{"p01", "p02"}));
  ASSERT_EQ(classes[0].runs.size(), 6u);
  EXPECT_EQ(classes[0].runs.at(8), 1u);
  EXPECT_EQ(classes[0].curve.at(8), double(16 * kWeight));
  EXPECT_EQ(classes[1].curve.at(8), double(8 * kWeight));
  EXPECT_EQ(classes[0].function.shape, Shape::Linear);
  EXPECT_EQ(classes[0].function.heldOutSize, 256);
}

TEST(CollectClasses, KeepsTheDearestRunOfASizeAndTheFirstOfEquals) {
  Single program;
  program.run(8, 5, "p");
  program.run(8, 7, "p");
  program.run(8, 7, "p");
  program.run(8, 6, "p");
  const std::vector<RunClass> classes = collectClasses(program.builder.build());
  ASSERT_EQ(classes.size(), 1u);
  EXPECT_EQ(classes[0].runs, (std::map<uint64_t, size_t>{{8, 1}}));
}

TEST(CollectClasses, UntaggedRunsAreGroupedByPathFromFourSizesOn) {
  Single program;
  for (uint64_t size : doublingSizes(8, 4))
    program.run(size, size);
  for (uint64_t size : doublingSizes(8, 3))
    program.run(size, size).count(program.function, program.other, 1);
  const Trace trace = program.builder.build();
  const std::vector<RunClass> classes = collectClasses(trace);
  ASSERT_EQ(classes.size(), 1u) << "the path with three sizes is left out";
  EXPECT_EQ(classes[0].id, "path " + pathKey(trace, trace.runs[0]).substr(0, 12));
  EXPECT_EQ(classes[0].runs.size(), 4u);
}

TEST(CollectClasses, TaggedClassesMayHaveFewSizes) {
  Single program;
  program.run(8, 8, "p");
  const std::vector<RunClass> classes = collectClasses(program.builder.build());
  ASSERT_EQ(classes.size(), 1u);
  EXPECT_EQ(classes[0].function.shape, Shape::Unknown);
}

TEST(CollectClasses, OutcomesAreNeverMixed) {
  Single program;
  for (uint64_t size : doublingSizes(8, 4)) {
    program.run(size, size, "p").tags["outcome"] = "solved";
    program.run(size, size, "p").tags["outcome"] = "refused";
  }
  EXPECT_EQ(idsOf(collectClasses(program.builder.build())),
            (std::vector<std::string>{"p / refused", "p / solved"}));
}

TEST(CollectClasses, PatternComesFromTheTags) {
  Single program;
  sample::SampleRun &run = program.run(8, 8, "p");
  run.tags["prefix"] = "<";
  run.tags["pump"] = "ab";
  run.tags["suffix"] = ">";
  program.run(8, 8, "q").tags["prefix"] = "no pump, no pattern";
  const std::vector<RunClass> classes = collectClasses(program.builder.build());
  ASSERT_EQ(classes.size(), 2u);
  ASSERT_TRUE(classes[0].pattern);
  EXPECT_EQ(classes[0].pattern->prefix, "<");
  EXPECT_EQ(classes[0].pattern->pump, "ab");
  EXPECT_EQ(classes[0].pattern->middle, "");
  EXPECT_EQ(classes[0].pattern->suffix, ">");
  EXPECT_FALSE(classes[1].pattern);
}

TEST(CollectClasses, CensoredRunsAreMarkedAndNotOnTheCurve) {
  Single program;
  for (uint64_t size : doublingSizes(8, 5))
    program.run(size, size, "p");
  program.run(256, 300, "p").status = RunStatus::Censored;
  program.run(8, 8, "complete");
  const std::vector<RunClass> classes = collectClasses(program.builder.build());
  ASSERT_EQ(classes.size(), 2u);
  EXPECT_FALSE(classes[0].censored);
  EXPECT_TRUE(classes[1].censored);
  EXPECT_EQ(classes[1].runs.size(), 6u);
  EXPECT_EQ(classes[1].curve.size(), 5u);
  EXPECT_EQ(classes[1].curve.count(256), 0u);
  EXPECT_LE(classes[1].function.largestFitted, 128);
}

TEST(CollectClasses, NothingFromNothing) { EXPECT_TRUE(collectClasses(Trace()).empty()); }

TEST(TopCommonSize, IsTheLargestSizeInBoth) {
  EXPECT_EQ(topCommonSize({{1, 1}, {2, 1}, {8, 1}}, {{1, 1}, {2, 1}, {4, 1}}), 2u);
  EXPECT_EQ(topCommonSize({{1, 1}}, {{2, 1}}), 0u);
  EXPECT_EQ(topCommonSize({}, {{2, 1}}), 0u);
}

TEST(CurveOf, ShowsPointsAsMeasured) {
  Single program;
  for (uint64_t size : doublingSizes(8, 6))
    program.run(size, size * size, "p");
  program.run(512, 9, "p").status = RunStatus::Censored;
  const Trace trace = program.builder.build();
  const RunClass made = collectClasses(trace).at(0);
  const Curve curve = curveOf(trace, made, "B");
  EXPECT_EQ(curve.model, "n^2");
  EXPECT_EQ(curve.cluster, "B");
  EXPECT_EQ(curve.classId, "p");
  EXPECT_NEAR(curve.exponent, 2, 0.01);
  EXPECT_NEAR(curve.heldOutError, 0, 0.01);
  ASSERT_EQ(curve.coefficients.size(), 4u);
  EXPECT_NEAR(curve.coefficients[1], kWeight, 0.01);
  ASSERT_EQ(curve.points.size(), 7u);
  EXPECT_EQ(curve.points[0].size, 8u);
  EXPECT_EQ(curve.points[0].cost, 64 * kWeight);
  for (size_t i = 0; i < curve.points.size(); ++i) {
    EXPECT_EQ(curve.points[i].heldOut, i == 5) << i;
    EXPECT_EQ(curve.points[i].censored, i == 6) << i;
  }
}

} // namespace
} // namespace perfidy
