// The example in runtime/FORMAT.md is a trace, and `perfidy dump` prints it as FORMAT.md says.
#include "runtime/trace.h"
#include "tools/dump.h"

#include <fstream>
#include <gtest/gtest.h>
#include <sstream>

namespace perfidy {
namespace {

// The lines of the fenced block that starts with ```language.
std::vector<std::string> fencedBlock(const std::string &language) {
  std::ifstream file(PERFIDY_SOURCE_DIR "/runtime/FORMAT.md");
  std::vector<std::string> lines;
  bool inside = false;
  for (std::string line; std::getline(file, line);) {
    if (inside && line == "```")
      return lines;
    if (inside)
      lines.push_back(line);
    inside |= line == "```" + language;
  }
  ADD_FAILURE() << "FORMAT.md has no whole block of " << language;
  return {};
}

std::string exampleBytes() {
  std::string bytes;
  for (const std::string &line : fencedBlock("trace")) {
    std::istringstream words(line.substr(0, line.find(';')));
    for (std::string word; words >> word;)
      bytes.push_back(static_cast<char>(std::stoi(word, nullptr, 16)));
  }
  return bytes;
}

TEST(TraceFormat, ExampleReadsAsItsText) {
  Trace trace = readTraceBytes(exampleBytes(), "FORMAT.md");
  EXPECT_FALSE(trace.truncated);
  std::ostringstream text;
  dumpTrace(trace, DumpFormat::Text, text);
  std::string expected;
  for (const std::string &line : fencedBlock("text"))
    expected += line + "\n";
  EXPECT_EQ(text.str(), expected);
}

// The cost in the example follows from its counts as the document says.
TEST(TraceFormat, ExampleCostFollowsFromCounts) {
  Trace trace = readTraceBytes(exampleBytes(), "FORMAT.md");
  ASSERT_EQ(trace.runs.size(), 1u);
  const perfidy::Run &run = trace.runs[0];
  uint64_t cost = 0, bytes = 0;
  for (const Function &function : trace.functions)
    for (size_t b = 0; b < function.blocks.size(); ++b)
      cost += countOf(run.blocks, function.firstBlock + static_cast<uint32_t>(b)) *
              function.blocks[b].instructions;
  for (const auto &[index, work] : run.work)
    bytes += work;
  EXPECT_EQ(run.cost, cost + bytes / kWorkBytesPerInstruction);
}

} // namespace
} // namespace perfidy
