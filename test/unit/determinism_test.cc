#include "tools/determinism.h"

#include "sample_trace.h"

#include <gtest/gtest.h>

namespace perfidy {
namespace {

/// A solver whose loop runs as often as chance has it, and a function that calls `callee`.
Trace solverThatCalls(const std::string &callee, bool called) {
  sample::TraceBuilder builder;
  const uint32_t clock = builder.addFunction("log", "src/log.c");
  const uint32_t solve = builder.addFunction("solve", "src/solver.c");
  builder.addCall(clock, 0, "time");
  const uint32_t loop = builder.addLoop(solve);
  const uint32_t body = builder.addBlock(solve, loop);
  builder.addCall(solve, body, callee);
  for (uint64_t turns : {10, 13})
    builder.addRun(64)
        .count(clock, 0, 1)
        .count(solve, 0, 1)
        .count(solve, builder.header(solve, loop), turns)
        .count(solve, body, called ? turns : 0);
  return builder.build();
}

TEST(Determinism, TheCallInTheCodeThatDiffersIsNamed) {
  const Trace trace = solverThatCalls("rand", true);
  const std::string text = sourceOfDifference(trace, trace.runs[0], trace.runs[1]);
  EXPECT_NE(text.find("the call of rand at solver.c:"), std::string::npos) << text;
  EXPECT_NE(text.find("in solve"), std::string::npos) << text;
}

TEST(Determinism, ACallElsewhereIsTheNextBest) {
  const Trace trace = solverThatCalls("rand", false);
  const std::string text = sourceOfDifference(trace, trace.runs[0], trace.runs[1]);
  EXPECT_NE(text.find("the call of time at log.c:"), std::string::npos) << text;
}

TEST(Determinism, StateIsTheRest) {
  Trace trace = solverThatCalls("sqrt", true);
  for (Function &function : trace.functions)
    for (CallSite &call : function.calls)
      call.callee = "sqrt";
  const std::string text = sourceOfDifference(trace, trace.runs[0], trace.runs[1]);
  EXPECT_NE(text.find("in solve keeps state"), std::string::npos) << text;
}

} // namespace
} // namespace perfidy
