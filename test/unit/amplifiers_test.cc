#include "explainer/amplifiers.h"

#include "sample_trace.h"

#include <gtest/gtest.h>

namespace perfidy {
namespace {

using sample::doublingSizes;
using sample::NestedLoops;
using sample::SampleRun;
using sample::TraceBuilder;

const std::vector<uint64_t> kSizes = doublingSizes(32, 8); // 32 .. 4096

uint64_t linear(uint64_t n) { return n; }
uint64_t one(uint64_t) { return 1; }

/// Blame of the class "slow" against the class "fast", or against nothing.
Blame blameOf(const Trace &trace, uint64_t topSize = 4096) {
  const CallGraph graph = buildCallGraph(trace);
  const std::vector<RunClass> classes = collectClasses(trace);
  Side slow, fast;
  for (const RunClass &runClass : classes)
    (runClass.id == "slow" ? slow : fast) = makeSide(trace, graph, runClass, topSize);
  return findAmplifiers(trace, graph, slow, fast);
}

/// "kind function:line" of each region, most responsible first.
std::vector<std::string> regionsOf(const Blame &blame) {
  std::vector<std::string> text;
  for (const RegionFinding &region : blame.regions)
    text.push_back(region.kind + " " + region.function + ":" + std::to_string(region.line));
  return text;
}

std::string loopText(const TraceBuilder &builder, uint32_t function, uint32_t loop) {
  return "loop " + builder.build().functions[function].name + ":" +
         std::to_string(builder.loopLine(function, loop));
}

std::string topOf(const Blame &blame) {
  return blame.regions.empty() ? "nothing" : regionsOf(blame).front();
}

bool blames(const Blame &blame, const std::string &region) {
  const std::vector<std::string> regions = regionsOf(blame);
  return std::find(regions.begin(), regions.end(), region) != regions.end();
}

double sumOf(const std::vector<FunctionShare> &shares) {
  double sum = 0;
  for (const FunctionShare &share : shares)
    sum += share.share;
  return sum;
}

TEST(MakeSide, TakesTheLargestCompleteRunsUpToTheSize) {
  NestedLoops program;
  program.addClass("slow", kSizes, linear);
  program.builder.addRun(1024, "slow").status = RunStatus::Censored;
  const Trace trace = program.builder.build();
  const RunClass slow = collectClasses(trace).at(0);
  const CallGraph graph = buildCallGraph(trace);
  const Side three = makeSide(trace, graph, slow, 512, 3);
  ASSERT_EQ(three.runs.size(), 3u);
  ASSERT_EQ(three.profiles.size(), 3u);
  EXPECT_EQ(three.runs.front()->size, 128u);
  EXPECT_EQ(three.runs.back()->size, 512u);
  EXPECT_EQ(three.profiles.back().total, double(three.runs.back()->cost));
  EXPECT_EQ(makeSide(trace, graph, slow, 4096).runs.size(), 8u);
  EXPECT_EQ(makeSide(trace, graph, slow, 16).runs.size(), 0u);
}

TEST(Amplifiers, NestedLoopBlamesTheInnerOne) {
  NestedLoops program;
  program.addClass("slow", kSizes, linear);
  program.addClass("fast", kSizes, one);
  const Blame blame = blameOf(program.builder.build());
  EXPECT_EQ(topOf(blame), loopText(program.builder, program.parse, program.inner));
  ASSERT_FALSE(blame.regions.empty());
  const RegionFinding &top = blame.regions.front();
  EXPECT_EQ(top.perEntrySlow, 4096);
  EXPECT_EQ(top.perEntryFast, 1);
  EXPECT_EQ(top.entriesSlow, 4096);
  EXPECT_EQ(top.entriesFast, 4096);
  EXPECT_NEAR(top.exponentSlow, 1, 1e-9);
  EXPECT_NEAR(top.exponentFast, 0, 1e-9);
  EXPECT_NEAR(top.share, 1, 1e-9);
  EXPECT_NEAR(top.selfShare, 1, 1e-9);
  EXPECT_EQ(top.linkageName, "parse");
  EXPECT_EQ(top.file, "src/sample.c");
  EXPECT_EQ(top.column, 3u);
}

TEST(Amplifiers, LoopEnteredOnceThatWalksTheInputIsNotBlamed) {
  // The fast side gives up before the outer loop; the slow one walks the input with it once.
  NestedLoops program;
  program.addClass("slow", kSizes, linear);
  program.builder.addClass(
      "fast", kSizes, [&](SampleRun &run, uint64_t) { run.count(program.run, 0, 1); });
  const Blame blame = blameOf(program.builder.build());
  EXPECT_TRUE(blames(blame, loopText(program.builder, program.parse, program.inner)));
  EXPECT_FALSE(blames(blame, loopText(program.builder, program.parse, program.outer)))
      << "its exponent is 1, but nothing multiplies with it";
}

/// A quadratic nest beside a loop that walks the input once per entry, on the slow side only.
Blame besideAWalk(const std::function<uint64_t(uint64_t)> &entries) {
  NestedLoops program;
  TraceBuilder &builder = program.builder;
  const uint32_t walk = builder.addFunction("walk"), loop = builder.addLoop(walk);
  builder.addCall(program.run, 0, "walk");
  builder.addClass("slow", kSizes, [&](SampleRun &run, uint64_t n) {
    program.fill(run, n, n / 64);
    run.count(walk, 0, entries(n)).count(walk, builder.header(walk, loop), entries(n) * n);
  });
  builder.addClass("fast", kSizes, [&](SampleRun &run, uint64_t n) { program.fill(run, n, 1); });
  return blameOf(builder.build());
}

TEST(Amplifiers, LoopEnteredAFixedNumberOfTimesIsNotBlamed) {
  const Blame blame = besideAWalk([](uint64_t) { return uint64_t{100}; });
  EXPECT_EQ(blame.regions.size(), 1u);
  ASSERT_FALSE(blame.regions.empty());
  EXPECT_EQ(blame.regions.front().function, "parse")
      << "a hundred passes over the input are linear";
  EXPECT_GT(blame.shares.at(1).share, 0.05) << "the walk is not too small to be blamed";
}

TEST(Amplifiers, LoopEnteredAHandfulOfTimesIsNotBlamed) {
  const Blame blame = besideAWalk([](uint64_t n) { return 1 + n / 700; });
  ASSERT_FALSE(blame.regions.empty());
  for (const RegionFinding &region : blame.regions)
    EXPECT_EQ(region.function, "parse") << "six entries are few, even if they grow";
  EXPECT_GT(blame.shares.at(1).share, 0.05);
}

TEST(Amplifiers, SelfSharesAreExactAndSumToOne) {
  NestedLoops program;
  const uint32_t leaf = program.builder.addFunction("leaf");
  program.builder.addCall(
      program.parse, program.builder.header(program.parse, program.inner), "leaf");
  program.builder.addClass("slow", {64, 128, 256, 512}, [&](SampleRun &run, uint64_t n) {
    program.fill(run, n, n);
    run.count(leaf, 0, n * n);
  });
  program.builder.addClass("fast", {64, 128, 256, 512}, [&](SampleRun &run, uint64_t n) {
    program.fill(run, n, 2);
    run.count(leaf, 0, 3 * n);
  });
  const Blame blame = blameOf(program.builder.build(), 512);
  ASSERT_EQ(blame.shares.size(), 2u) << "run() costs the same on both sides";
  EXPECT_NEAR(sumOf(blame.shares), 1, 1e-12);
  EXPECT_EQ(blame.shares[0].function, "parse");
  const double parse = 510.0 * 512, inLeaf = 509.0 * 512;
  EXPECT_NEAR(blame.shares[0].share, parse / (parse + inLeaf), 1e-12);
  EXPECT_NEAR(blame.shares[1].share, inLeaf / (parse + inLeaf), 1e-12);
}

TEST(Amplifiers, SharesCountWhatTheFastSideDoesInstead) {
  TraceBuilder builder;
  const uint32_t run = builder.addFunction("run"), cheap = builder.addFunction("cheap");
  builder.addCall(run, 0, "cheap");
  builder.addClass(
      "slow", kSizes, [&](SampleRun &made, uint64_t n) { made.count(run, 0, 1 + n * n); });
  builder.addClass("fast", kSizes, [&](SampleRun &made, uint64_t n) {
    made.count(run, 0, 1).count(cheap, 0, n);
  });
  const Blame blame = blameOf(builder.build());
  ASSERT_EQ(blame.shares.size(), 2u);
  EXPECT_GT(blame.shares[0].share, 1);
  EXPECT_EQ(blame.shares[1].function, "cheap");
  EXPECT_LT(blame.shares[1].share, 0);
  EXPECT_NEAR(sumOf(blame.shares), 1, 1e-12);
}

TEST(Amplifiers, FastSideThatWalksTheInputInOneGoLeavesTheSlowOneBlamed) {
  // On the fast side the inner loop is entered twice and walks the whole input: the same exponent.
  NestedLoops program;
  program.addClass("slow", kSizes, linear);
  program.builder.addClass(
      "fast", kSizes, [&](SampleRun &run, uint64_t n) { program.fill(run, 2, n); });
  const Blame blame = blameOf(program.builder.build());
  EXPECT_EQ(topOf(blame), loopText(program.builder, program.parse, program.inner));
  ASSERT_FALSE(blame.regions.empty());
  EXPECT_NEAR(blame.regions.front().exponentFast, 1, 1e-9);
  EXPECT_EQ(blame.regions.front().entriesFast, 2);
}

TEST(Amplifiers, WithoutContrastGrowthAloneIsBlamed) {
  NestedLoops program;
  program.addClass("slow", kSizes, linear);
  const Blame blame = blameOf(program.builder.build());
  EXPECT_EQ(topOf(blame), loopText(program.builder, program.parse, program.inner));
  EXPECT_FALSE(blames(blame, loopText(program.builder, program.parse, program.outer)));
}

/// A loop over the input in `parse` that calls `scan`, which walks what is left of it.
struct Scanner {
  TraceBuilder builder;
  uint32_t run, parse, loop, asks, scan, scanLoop;

  Scanner() {
    run = builder.addFunction("run");
    builder.function(run).harness = true;
    parse = builder.addFunction("parse");
    scan = builder.addFunction("scan");
    builder.addCall(run, 0, "parse");
    loop = builder.addLoop(parse);
    asks = builder.addBlock(parse, loop);
    builder.addCall(parse, asks, "scan");
    scanLoop = builder.addLoop(scan);
    builder.addClass("slow", kSizes, [&](SampleRun &made, uint64_t n) { fill(made, n, n / 2); });
    builder.addClass("fast", kSizes, [&](SampleRun &made, uint64_t n) { fill(made, n, 2); });
  }
  void fill(SampleRun &made, uint64_t n, uint64_t perScan) const {
    made.count(run, 0, 1).count(parse, 0, 1).count(parse, builder.header(parse, loop), n);
    made.count(parse, asks, n).count(scan, 0, n);
    made.count(scan, builder.header(scan, scanLoop), n * perScan);
  }
};

TEST(Amplifiers, ScannerThatOnlyReadsIsBlamedOnItsCaller) {
  Scanner program;
  program.builder.function(program.scan).readsOnly = true;
  const Blame blame = blameOf(program.builder.build());
  EXPECT_EQ(topOf(blame), loopText(program.builder, program.parse, program.loop));
  ASSERT_FALSE(blame.regions.empty());
  EXPECT_NE(blame.regions.front().why.find("scan"), std::string::npos);
  EXPECT_GT(blame.regions.front().share, 0.9) << "the cycles burn in the callee";
  EXPECT_LT(blame.regions.front().selfShare, 0.1);
}

TEST(Amplifiers, ScannerThatWritesIsBlamedItself) {
  const Scanner program;
  EXPECT_EQ(topOf(blameOf(program.builder.build())),
            loopText(program.builder, program.scan, program.scanLoop));
}

TEST(Amplifiers, ReadersOfReadersLeadToTheFirstThatWrites) {
  Scanner program;
  // parse reads only as well, and is asked by a loop of another function.
  program.builder.function(program.scan).readsOnly = true;
  program.builder.function(program.parse).readsOnly = true;
  const uint32_t asker = program.run;
  program.builder.function(asker).harness = false;
  const Blame blame = blameOf(program.builder.build());
  ASSERT_FALSE(blame.regions.empty());
  EXPECT_EQ(blame.regions.front().function, "run") << "the first caller that can keep the answer";
  EXPECT_EQ(blame.regions.front().kind, "call");
}

TEST(Amplifiers, LibraryWorkInALoopBlamesTheLoop) {
  // for (i = 0; i < strlen(s); ++i): the loop itself is linear.
  TraceBuilder builder;
  const uint32_t run = builder.addFunction("run");
  const uint32_t loop = builder.addLoop(run), header = builder.header(run, loop);
  builder.addCall(run, header, "strlen", CallKind::Library);
  builder.addClass("slow", kSizes, [&](SampleRun &made, uint64_t n) {
    made.count(run, 0, 1).count(run, header, n).bytes(run, 0, n * n);
  });
  builder.addClass("fast", kSizes, [&](SampleRun &made, uint64_t n) {
    made.count(run, 0, 1).count(run, header, n).bytes(run, 0, n);
  });
  const Blame blame = blameOf(builder.build());
  EXPECT_EQ(topOf(blame), loopText(builder, run, loop));
  ASSERT_FALSE(blame.regions.empty());
  EXPECT_EQ(blame.regions.front().metric, "work per call");
  EXPECT_NE(blame.regions.front().why.find("strlen"), std::string::npos);
  EXPECT_EQ(blame.regions.front().perEntrySlow, 4096.0 / kWorkBytesPerInstruction);
}

TEST(Amplifiers, LibraryWorkOutsideLoopsBlamesTheCall) {
  TraceBuilder builder;
  const uint32_t run = builder.addFunction("run"), step = builder.addFunction("step");
  const uint32_t loop = builder.addLoop(run), header = builder.header(run, loop);
  builder.addCall(run, header, "step");
  builder.addCall(step, 0, "realloc", CallKind::Library);
  for (const char *id : {"slow", "fast"})
    builder.addClass(id, kSizes, [&](SampleRun &made, uint64_t n) {
      made.count(run, 0, 1).count(run, header, n).count(step, 0, n);
      made.bytes(step, 0, n * (id[0] == 's' ? n : 8));
    });
  const Blame blame = blameOf(builder.build());
  ASSERT_FALSE(blame.regions.empty());
  EXPECT_EQ(blame.regions.front().kind, "call");
  EXPECT_EQ(blame.regions.front().function, "step");
}

/// run() calls `visit`, which calls itself.
struct Recursive {
  TraceBuilder builder;
  uint32_t run, visit, deeper;

  Recursive() {
    run = builder.addFunction("run");
    builder.function(run).harness = true;
    visit = builder.addFunction("visit");
    deeper = builder.addBlock(visit);
    builder.addCall(run, 0, "visit");
    builder.addCall(visit, deeper, "visit");
  }
  void addClass(const std::string &id,
                const std::vector<uint64_t> &sizes,
                const std::function<uint64_t(uint64_t)> &calls) {
    builder.addClass(id, sizes, [&](SampleRun &made, uint64_t n) {
      made.count(run, 0, 1).count(visit, 0, calls(n)).count(visit, deeper, calls(n) - 1);
    });
  }
};

TEST(Amplifiers, ExponentialRecursionIsBlamed) {
  Recursive program;
  const std::vector<uint64_t> sizes = {4, 6, 8, 10, 12, 14, 16, 18};
  program.addClass("slow", sizes, [](uint64_t n) { return uint64_t{2} << n; });
  program.addClass("fast", sizes, [](uint64_t n) { return n; });
  const Blame blame = blameOf(program.builder.build(), 18);
  ASSERT_EQ(blame.regions.size(), 1u);
  const RegionFinding &region = blame.regions.front();
  EXPECT_EQ(region.kind, "recursion");
  EXPECT_EQ(region.function, "visit");
  EXPECT_EQ(region.metric, "calls");
  EXPECT_EQ(region.perEntrySlow, double(2 << 18)) << "calls per entry from outside";
  EXPECT_EQ(region.entriesSlow, 1);
  EXPECT_GT(region.exponentSlow, 2);
}

TEST(Amplifiers, LinearRecursionIsNotBlamedForGrowing) {
  Recursive program;
  program.addClass("slow", kSizes, [](uint64_t n) { return n; });
  program.addClass("fast", kSizes, [](uint64_t) { return 1; });
  for (const RegionFinding &region : blameOf(program.builder.build()).regions)
    EXPECT_NE(region.kind, "recursion") << region.why;
}

TEST(Amplifiers, LinearRecursionBesideAQuadraticLoopIsNotBlamed) {
  NestedLoops program;
  TraceBuilder &builder = program.builder;
  const uint32_t visit = builder.addFunction("visit"), deeper = builder.addBlock(visit);
  builder.addCall(program.run, 0, "visit");
  builder.addCall(visit, deeper, "visit");
  for (const char *id : {"slow", "fast"})
    builder.addClass(id, kSizes, [&](SampleRun &made, uint64_t n) {
      const bool slow = id[0] == 's';
      program.fill(made, n, slow ? n : 1);
      made.count(visit, 0, slow ? n * 8 : 1).count(visit, deeper, slow ? n * 8 - 1 : 0);
    });
  const Blame blame = blameOf(builder.build());
  EXPECT_EQ(topOf(blame), loopText(builder, program.parse, program.inner));
  EXPECT_EQ(blame.regions.size(), 1u);
}

TEST(Amplifiers, MutualRecursionIsToldOnceByItsDearestMember) {
  TraceBuilder builder;
  const uint32_t run = builder.addFunction("run"), even = builder.addFunction("even");
  const uint32_t odd = builder.addFunction("odd");
  const uint32_t evenBody = builder.addBlock(even), oddBody = builder.addBlock(odd);
  builder.function(run).harness = true;
  builder.addCall(run, 0, "even");
  builder.addCall(even, evenBody, "odd");
  builder.addCall(odd, oddBody, "even");
  const std::vector<uint64_t> sizes = {4, 6, 8, 10, 12, 14};
  for (const char *id : {"slow", "fast"})
    builder.addClass(id, sizes, [&](SampleRun &made, uint64_t n) {
      const uint64_t calls = id[0] == 's' ? uint64_t{1} << n : n;
      made.count(run, 0, 1).count(even, 0, calls).count(even, evenBody, calls);
      made.count(odd, 0, calls).count(odd, oddBody, calls - 1);
    });
  const Blame blame = blameOf(builder.build(), 14);
  ASSERT_EQ(blame.regions.size(), 1u);
  EXPECT_EQ(blame.regions.front().kind, "recursion");
  EXPECT_EQ(blame.regions.front().function, "even") << "one block more per round";
}

TEST(Amplifiers, MutualRecursionOfEqualsIsToldOnce) {
  TraceBuilder builder;
  const uint32_t run = builder.addFunction("run"), even = builder.addFunction("even");
  const uint32_t odd = builder.addFunction("odd");
  builder.function(run).harness = true;
  builder.addCall(run, 0, "even");
  builder.addCall(even, 0, "odd");
  builder.addCall(odd, 0, "even");
  for (const char *id : {"slow", "fast"})
    builder.addClass(id, {4, 6, 8, 10, 12, 14}, [&](SampleRun &made, uint64_t n) {
      const uint64_t calls = id[0] == 's' ? uint64_t{1} << n : n;
      made.count(run, 0, 1).count(even, 0, calls).count(odd, 0, calls);
    });
  const Blame blame = blameOf(builder.build(), 14);
  EXPECT_EQ(regionsOf(blame).size(), 1u);
}

TEST(Amplifiers, ConstantFactorBlamesWhatIsLarger) {
  NestedLoops program;
  program.addClass("slow", kSizes, [](uint64_t) { return uint64_t{64}; });
  program.addClass("fast", kSizes, one);
  const Blame blame = blameOf(program.builder.build());
  EXPECT_EQ(topOf(blame), loopText(program.builder, program.parse, program.inner));
  ASSERT_FALSE(blame.regions.empty());
  EXPECT_EQ(blame.regions.front().perEntrySlow, 64);
  EXPECT_NEAR(blame.regions.front().exponentSlow, 0, 1e-9);
}

TEST(Amplifiers, AtMostTenRegionsBestFirst) {
  TraceBuilder builder;
  const uint32_t run = builder.addFunction("run");
  const uint32_t loop = builder.addLoop(run), body = builder.addBlock(run, loop);
  std::vector<uint32_t> loops;
  for (int i = 0; i < 12; ++i)
    loops.push_back(builder.addLoop(run, body, loop));
  for (const char *id : {"slow", "fast"})
    builder.addClass(id, kSizes, [&](SampleRun &made, uint64_t n) {
      made.count(run, 0, 1).count(run, builder.header(run, loop), n).count(run, body, n);
      for (size_t i = 0; i < loops.size(); ++i)
        made.count(run, builder.header(run, loops[i]), n * (id[0] == 's' ? n * (20 + i) / 20 : 1));
    });
  const Blame blame = blameOf(builder.build());
  ASSERT_EQ(blame.regions.size(), 10u);
  EXPECT_EQ(topOf(blame), loopText(builder, run, loops.back()));
  for (size_t i = 1; i < blame.regions.size(); ++i)
    EXPECT_GT(blame.regions[i - 1].share, blame.regions[i].share);
}

} // namespace
} // namespace perfidy
