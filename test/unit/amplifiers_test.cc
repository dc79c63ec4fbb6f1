#include "explainer/amplifiers.h"

#include "sample_blame.h"

#include <gtest/gtest.h>

namespace perfidy {
namespace {

using namespace sample;

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
