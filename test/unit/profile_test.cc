#include "explainer/profile.h"

#include "sample_trace.h"

#include <gtest/gtest.h>

namespace perfidy {
namespace {

using sample::NestedLoops;
using sample::TraceBuilder;

constexpr double kWeight = TraceBuilder::kWeight;

struct Profiled {
  Trace trace;
  CallGraph graph;
  Profile profile;
};

Profiled profiled(const TraceBuilder &builder) {
  Profiled result;
  result.trace = builder.build();
  result.graph = buildCallGraph(result.trace);
  result.profile = profileRun(result.trace, result.graph, result.trace.runs.front());
  return result;
}

TEST(Profile, SelfCostsAddUpToTheCostOfTheRun) {
  TraceBuilder builder;
  const uint32_t top = builder.addFunction("top"), leaf = builder.addFunction("leaf");
  const uint32_t block = builder.addBlock(leaf);
  builder.addCall(top, 0, "leaf");
  builder.addCall(leaf, block, "memcpy", CallKind::Library);
  builder.addRun(8).count(top, 0, 3).count(leaf, 0, 5).count(leaf, block, 7).bytes(leaf, 0, 800);
  const Profiled made = profiled(builder);
  EXPECT_EQ(made.profile.self[top], 3 * kWeight);
  EXPECT_EQ(made.profile.self[leaf], 12 * kWeight + 100);
  EXPECT_EQ(made.profile.total, double(made.trace.runs.front().cost));
  EXPECT_EQ(made.profile.entries[top], 3);
  EXPECT_EQ(made.profile.entries[leaf], 5);
}

TEST(Profile, WorkOfTwoFunctionsIsKeptApart) {
  TraceBuilder builder;
  const uint32_t first = builder.addFunction("first"), none = builder.addFunction("none");
  const uint32_t second = builder.addFunction("second");
  builder.addCall(first, 0, "memcpy", CallKind::Library);
  builder.addCall(second, 0, "memcpy", CallKind::Library);
  builder.addRun(8).bytes(first, 0, 80).bytes(second, 0, 800);
  const Profiled made = profiled(builder);
  EXPECT_EQ(made.profile.self[first], 10);
  EXPECT_EQ(made.profile.self[none], 0);
  EXPECT_EQ(made.profile.self[second], 100);
}

TEST(Profile, InclusiveCostsAddUp) {
  TraceBuilder builder;
  const uint32_t top = builder.addFunction("top"), left = builder.addFunction("left");
  const uint32_t right = builder.addFunction("right"), leaf = builder.addFunction("leaf");
  builder.addCall(top, 0, "left");
  builder.addCall(top, 0, "right");
  const uint32_t often = builder.addBlock(right);
  builder.addCall(left, 0, "leaf");
  builder.addCall(right, often, "leaf");
  builder.addRun(8)
      .count(top, 0, 1)
      .count(left, 0, 1)
      .count(right, 0, 1)
      .count(right, often, 3)
      .count(leaf, 0, 4);
  const Profiled made = profiled(builder);
  const Profile &profile = made.profile;
  EXPECT_EQ(profile.inclusive[leaf], 4 * kWeight);
  EXPECT_EQ(profile.inclusive[left], 2 * kWeight) << "itself and one of four calls of leaf";
  EXPECT_EQ(profile.inclusive[right], 7 * kWeight) << "itself and three of four calls of leaf";
  EXPECT_EQ(profile.inclusive[top], profile.total);
  double charged = 0;
  for (uint32_t e : made.graph.in[leaf])
    charged += profile.edgeCost[e];
  EXPECT_EQ(charged, profile.inclusive[leaf]);
}

TEST(Profile, FunctionsThatDidNotRunCostNothing) {
  TraceBuilder builder;
  const uint32_t top = builder.addFunction("top"), skipped = builder.addFunction("skipped");
  const uint32_t leaf = builder.addFunction("leaf");
  builder.addCall(top, 0, "leaf");
  builder.addCall(skipped, 0, "leaf");
  builder.addRun(8).count(top, 0, 1).count(leaf, 0, 5);
  const Profile profile = profiled(builder).profile;
  EXPECT_EQ(profile.inclusive[skipped], 0);
  EXPECT_EQ(profile.inclusive[top], 6 * kWeight);
}

TEST(Profile, RecursionIsOneUnitPaidByItsCallers) {
  TraceBuilder builder;
  const uint32_t top = builder.addFunction("top"), even = builder.addFunction("even");
  const uint32_t odd = builder.addFunction("odd"), leaf = builder.addFunction("leaf");
  builder.addCall(top, 0, "even");
  builder.addCall(even, 0, "odd");
  builder.addCall(odd, 0, "even");
  builder.addCall(odd, 0, "leaf");
  builder.addRun(8).count(top, 0, 1).count(even, 0, 10).count(odd, 0, 9).count(leaf, 0, 9);
  const Profiled made = profiled(builder);
  const Profile &profile = made.profile;
  EXPECT_EQ(profile.inclusive[even], 28 * kWeight);
  EXPECT_EQ(profile.inclusive[odd], 28 * kWeight);
  EXPECT_EQ(profile.inclusive[top], profile.total);
  EXPECT_EQ(profile.total, 29 * kWeight);
  for (uint32_t e : made.graph.in[odd])
    EXPECT_EQ(profile.edgeCost[e], 0) << "nothing is charged inside the component";
}

TEST(LoopProfile, CountsEntriesAndWhatIsSpentInside) {
  NestedLoops program;
  const uint32_t leaf = program.builder.addFunction("leaf");
  program.builder.addCall(
      program.parse, program.builder.header(program.parse, program.inner), "leaf");
  program.builder.addCall(program.parse, program.body, "strlen", CallKind::Library);
  sample::SampleRun &run = program.builder.addRun(8);
  program.fill(run, 8, 5);
  run.count(leaf, 0, 40).bytes(program.parse, 0, 64);
  const Profiled made = profiled(program.builder);
  const LoopProfile inner = profileLoop(
      made.trace, made.graph, made.profile, made.trace.runs[0], program.parse, program.inner);
  EXPECT_EQ(inner.count, 40);
  EXPECT_EQ(inner.entries, 8);
  EXPECT_EQ(inner.perEntry(), 5);
  EXPECT_EQ(inner.inclusive, (40 + 40) * kWeight) << "header and callee, not the library work";
  const LoopProfile outer = profileLoop(
      made.trace, made.graph, made.profile, made.trace.runs[0], program.parse, program.outer);
  EXPECT_EQ(outer.count, 8);
  EXPECT_EQ(outer.entries, 1);
  EXPECT_EQ(outer.inclusive, (8 + 8 + 40 + 40) * kWeight + 8);
}

TEST(LoopProfile, UnknownEntriesAndLoopsThatDidNotRun) {
  NestedLoops program;
  program.builder.function(program.parse).loops[program.outer].preheader = kNone;
  program.fill(program.builder.addRun(8), 8, 0);
  const Profiled made = profiled(program.builder);
  const LoopProfile outer = profileLoop(
      made.trace, made.graph, made.profile, made.trace.runs[0], program.parse, program.outer);
  EXPECT_EQ(outer.count, 8);
  EXPECT_EQ(outer.entries, 0);
  EXPECT_EQ(outer.perEntry(), 0);
  const LoopProfile inner = profileLoop(
      made.trace, made.graph, made.profile, made.trace.runs[0], program.parse, program.inner);
  EXPECT_EQ(inner.count, 0);
  EXPECT_EQ(inner.inclusive, 0);
}

TEST(LoopContains, FollowsTheNest) {
  const NestedLoops program;
  const Function parse = program.builder.build().functions[program.parse];
  EXPECT_TRUE(loopContains(parse, program.outer, program.inner));
  EXPECT_TRUE(loopContains(parse, program.outer, program.outer));
  EXPECT_FALSE(loopContains(parse, program.inner, program.outer));
  EXPECT_FALSE(loopContains(parse, program.outer, kNone));
}

} // namespace
} // namespace perfidy
