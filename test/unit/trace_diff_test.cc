#include "tools/trace_diff.h"

#include "sample_trace.h"

#include <gtest/gtest.h>
#include <sstream>

namespace perfidy {
namespace {

// Functions "main" and one of the given name with a loop of so many iterations.
Trace traceOf(const std::string &name, uint64_t iterations, const std::string &before = "") {
  sample::TraceBuilder builder;
  if (!before.empty())
    builder.addFunction(before);
  const uint32_t main = builder.addFunction("main");
  const uint32_t worker = builder.addFunction(name);
  const uint32_t loop = builder.addLoop(worker);
  for (int i = 0; i < 6; ++i)
    builder.addBlock(worker);
  builder.addRun(5)
      .count(main, 0, 1)
      .count(worker, 0, 1)
      .count(worker, builder.header(worker, loop), iterations);
  return builder.build();
}

TEST(TraceDiff, EqualTracesDoNotDiffer) {
  const TraceDiff diff = diffTraces(traceOf("work", 10), traceOf("work", 10));
  EXPECT_EQ(diff.inputs.size(), 1u);
  EXPECT_EQ(diff.before, diff.after);
  EXPECT_TRUE(diff.functions.empty());
  EXPECT_TRUE(diff.loops.empty());
}

TEST(TraceDiff, FunctionsAndLoopsAreMatchedByNameNotById) {
  const TraceDiff diff = diffTraces(traceOf("work", 10), traceOf("work", 1000, "added"));
  ASSERT_EQ(diff.functions.size(), 1u);
  EXPECT_EQ(diff.functions[0].function, "work");
  EXPECT_EQ(diff.functions[0].change(), 990.0 * sample::TraceBuilder::kWeight);
  ASSERT_EQ(diff.loops.size(), 1u);
  EXPECT_EQ(diff.loops[0].before, 10);
  EXPECT_EQ(diff.loops[0].after, 1000);
}

TEST(TraceDiff, RenamedFunctionsAreMatchedByStructure) {
  const TraceDiff diff = diffTraces(traceOf("work", 10), traceOf("toil", 20));
  ASSERT_EQ(diff.functions.size(), 1u);
  EXPECT_EQ(diff.functions[0].function, "toil");
  EXPECT_EQ(diff.functions[0].was, "work");
}

TEST(TraceDiff, EachFunctionHasOnePartner) {
  const Trace before = traceOf("work", 10, "gone"), after = traceOf("work", 10, "added");
  std::vector<FunctionMatch> matches = matchFunctions(before, after);
  ASSERT_EQ(matches.size(), 4u) << "too small to be told apart: one gone, one added";
  EXPECT_EQ(matches[0].after, kNone);
  EXPECT_EQ(matches[3].before, kNone);
}

TEST(TraceDiff, TablesAndJsonSayTheSame) {
  const TraceDiff diff = diffTraces(traceOf("work", 10), traceOf("work", 1000));
  std::ostringstream text, json;
  writeDiff(diff, 5, text);
  writeDiffJson(diff, json);
  EXPECT_NE(text.str().find("work"), std::string::npos);
  EXPECT_NE(json.str().find("\"function\": \"work\""), std::string::npos);
}

} // namespace
} // namespace perfidy
