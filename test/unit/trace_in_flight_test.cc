// Runs that were stopped: what must have been executed is added, once, and nothing else.
#include "runtime/trace_in_flight.h"

#include <gtest/gtest.h>

namespace perfidy {
namespace {

// main (blocks 0-1) calls middle (2-4, a loop with header 3 and preheader 2) in block 1; middle
// calls leaf (5) in its loop.
Trace sample(RunStatus status, SparseCounts counts) {
  Trace trace;
  auto add = [&](const char *name, size_t blocks) -> Function & {
    Function function;
    function.name = name;
    function.firstBlock = trace.blockTotal;
    function.blocks.resize(blocks);
    trace.blockTotal += static_cast<uint32_t>(blocks);
    trace.functions.push_back(function);
    return trace.functions.back();
  };
  add("main", 2).calls = {{1, 0, 0, CallKind::Direct, kNone, "middle"}};
  Function &middle = add("middle", 3);
  middle.loops = {{1, 0, kNone, 1, 0, 0, 0}};
  middle.blocks[1].loop = middle.blocks[2].loop = 0;
  middle.calls = {{2, 0, 0, CallKind::Direct, kNone, "leaf"}};
  add("leaf", 1);
  Run run;
  run.status = status;
  run.blocks = std::move(counts);
  trace.runs.push_back(run);
  return trace;
}

SparseCounts completed(RunStatus status, SparseCounts counts) {
  Trace trace = sample(status, std::move(counts));
  completeInFlight(trace);
  return trace.runs[0].blocks;
}

TEST(InFlight, AddsTheWayToALoopThatWasNeverLeft) {
  SparseCounts expected = {{0, 1}, {1, 1}, {2, 1}, {3, 500}, {4, 500}, {5, 500}};
  EXPECT_EQ(completed(RunStatus::Censored, {{3, 500}, {4, 500}, {5, 500}}), expected);
}

TEST(InFlight, AddsTheOnlyCallersOfALeaf) {
  SparseCounts expected = {{0, 1}, {1, 1}, {2, 1}, {3, 1}, {4, 1}, {5, 9}};
  EXPECT_EQ(completed(RunStatus::Crashed, {{5, 9}}), expected);
}

TEST(InFlight, LeavesWhatIsThereAlone) {
  SparseCounts counts = {{0, 1}, {1, 1}, {2, 3}, {3, 7}, {4, 4}, {5, 4}};
  EXPECT_EQ(completed(RunStatus::Censored, counts), counts);
}

TEST(InFlight, CompleteRunsAreExact) {
  SparseCounts counts = {{3, 500}};
  EXPECT_EQ(completed(RunStatus::Complete, counts), counts);
}

TEST(InFlight, WhoCalledIsNotGuessed) {
  Trace trace = sample(RunStatus::Censored, {{5, 9}});
  trace.functions[0].calls.push_back({0, 0, 0, CallKind::Direct, kNone, "leaf"});
  completeInFlight(trace);
  EXPECT_EQ(trace.runs[0].blocks, (SparseCounts{{5, 9}}));
}

} // namespace
} // namespace perfidy
