#include "tools/pattern_text.h"

#include "temporary_directory.h"
#include "tools/input_files.h"
#include "tools/process.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace perfidy {
namespace {

const PatternText kNested{"<", "(a", "|", "b)", ">"};
PatternText counted() {
  PatternText pattern{"", "[]: x\n", "", "[]", "end"};
  pattern.counters = {{false, 1, 1, 1, 0}, {true, 1, 9, 10, 4}};
  return pattern;
}
const PatternText kCounted = counted();

TEST(PatternText, ExpandsPumpsAndCounters) {
  EXPECT_EQ(expandPattern(kNested, 2), "<(a(a|b)b)>");
  EXPECT_EQ(expandPattern(kCounted, 2), "[1]: x\n[2]: x\n[0009][0019]end");
}

TEST(PatternText, RepetitionsFitTheSize) {
  for (const PatternText &pattern : {kNested, kCounted})
    for (uint64_t times : {1u, 7u, 120u}) {
      const uint64_t size = expandPattern(pattern, times).size();
      EXPECT_EQ(repetitionsWithin(pattern, size), times);
      EXPECT_EQ(repetitionsWithin(pattern, size - 1), std::max<uint64_t>(1, times - 1));
    }
}

TEST(PatternText, RendersExactSizes) {
  EXPECT_EQ(renderPatternText(kNested, 13), "<(a(a(a|b)b)>");
  for (uint64_t size : {1u, 5u, 64u, 1000u})
    EXPECT_EQ(renderPatternText(kCounted, size).size(), size);
}

TEST(PatternText, OnlySimplePatternsAreTheSearchs) {
  ASSERT_TRUE(searchPattern(kNested));
  EXPECT_EQ(patternTextOf(*searchPattern(kNested)).middle, "|");
  EXPECT_FALSE(searchPattern(kCounted));
  EXPECT_FALSE(searchPattern(PatternText{std::string(500, 'x'), "a", "", "", ""}));
}

// The generator is a program of its own: it must write the same bytes.
TEST(PatternText, GeneratorWritesTheSameBytes) {
  sample::TemporaryDirectory directory;
  const std::string awkward = std::string("\0\x80\"\\\n%{}'", 9);
  const PatternText patterns[] = {kNested, kCounted, {awkward, awkward, awkward, "", awkward}};
  for (const PatternText &pattern : patterns) {
    const std::string script = directory.write("gen.py", pythonGenerator(pattern, "about\nit"));
    for (const char *arguments : {"5", "--size 300"}) {
      ProcessRequest request;
      request.argv = {
          "sh", "-c", fmt::format("python3 {} {} > {}", script, arguments, directory.path("out"))};
      ASSERT_EQ(runProcess(request).exitCode, 0) << readBytes(script);
      const uint64_t times = arguments[0] == '5' ? 5 : repetitionsWithin(pattern, 300);
      EXPECT_EQ(readBytes(directory.path("out")), expandPattern(pattern, times));
    }
  }
}

} // namespace
} // namespace perfidy
