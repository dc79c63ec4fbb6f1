#include "tools/candidates.h"

#include "sample_trace.h"
#include "tools/target.h"

#include <gtest/gtest.h>
#include <set>

namespace perfidy {
namespace {

using sample::SampleRun;
using sample::TraceBuilder;

Pattern patternOf(const std::vector<std::string> &parts) {
  Pattern pattern;
  for (size_t i = 0; i < parts.size(); ++i)
    pattern.part(static_cast<int>(i))
        .assign(reinterpret_cast<const uint8_t *>(parts[i].data()), parts[i].size());
  return pattern;
}

std::string render(const Pattern &pattern, size_t size) {
  std::string bytes(size, '\0');
  renderPattern(pattern, reinterpret_cast<uint8_t *>(bytes.data()), size);
  return bytes;
}

std::string pumpOf(const Pattern &pattern) {
  return {reinterpret_cast<const char *>(pattern.pump.bytes), pattern.pump.length};
}

std::vector<std::string> pumpsOf(const std::vector<Pattern> &patterns) {
  std::vector<std::string> pumps;
  for (const Pattern &pattern : patterns)
    pumps.push_back(pumpOf(pattern));
  return pumps;
}

using Indexes = std::vector<size_t>;

/// A program with an ordinary loop, and a small function that only few inputs reach.
struct Program {
  TraceBuilder builder;
  uint32_t run, common, rare, rareLoop, rareBody, nested;
  std::vector<size_t> halves; ///< run indexes, the full run follows each

  Program() {
    run = builder.addFunction("run");
    common = builder.addLoop(run);
    rare = builder.addFunction("rare");
    rareLoop = builder.addLoop(rare);
    rareBody = builder.addBlock(rare, rareLoop);
    nested = builder.addLoop(rare, rareBody, rareLoop);
  }

  /// Runs of one pattern at 512 and 1024 bytes; counts per byte of the common loop, and a formula
  /// for the nested loop of the rare function.
  void screen(uint64_t perByte, uint64_t (*inRare)(uint64_t) = nullptr) {
    halves.push_back(halves.size() * 2);
    for (uint64_t n : {512, 1024}) {
      SampleRun &made = builder.addRun(n);
      made.count(run, 0, 1).count(run, builder.header(run, common), perByte * n);
      if (inRare) {
        made.count(rare, 0, 1).count(rare, builder.header(rare, rareLoop), 16);
        made.count(rare, rareBody, 16).count(rare, builder.header(rare, nested), inRare(n));
      }
    }
  }

  std::vector<Screened> screened(const Trace &trace) const {
    std::vector<Screened> all;
    for (size_t half : halves)
      all.push_back({patternOf({"", std::string(1, static_cast<char>('a' + all.size()))}),
                     &trace.runs[half],
                     &trace.runs[half + 1]});
    return all;
  }
};

TEST(Screened, ExponentIsTheSlopeBetweenTheSizes) {
  Program program;
  program.screen(10);
  program.screen(1, [](uint64_t n) { return n * n; });
  const Trace trace = program.builder.build();
  std::vector<Screened> screened = program.screened(trace);
  EXPECT_NEAR(screened[0].exponent(), 1, 0.01);
  EXPECT_NEAR(screened[1].exponent(), 2, 0.01);
  screened[0].half = nullptr;
  EXPECT_EQ(screened[0].exponent(), 0) << "a failed run says nothing";
  EXPECT_EQ(Screened().exponent(), 0);
}

TEST(ChooseClasses, DriversOfRegionsAreChosen) {
  Program program;
  for (uint64_t i = 0; i < 20; ++i)
    program.screen(100 + i);
  program.screen(101, [](uint64_t n) { return 4 * n; }); // of ordinary cost, but alone in its loop
  const Trace trace = program.builder.build();
  const Indexes chosen = chooseClasses(trace, program.screened(trace), 8);
  EXPECT_TRUE(std::binary_search(chosen.begin(), chosen.end(), 20u));
  EXPECT_TRUE(std::binary_search(chosen.begin(), chosen.end(), 19u)) << "the dearest";
}

TEST(ChooseClasses, SteepAndCheapOnesAreChosen) {
  Program program;
  for (uint64_t i = 0; i < 20; ++i)
    program.screen(100 + i);
  // Steep, not yet dear, and beaten in its loop by a flat one.
  program.screen(1, [](uint64_t n) { return n * n / 1024; });
  program.screen(1, [](uint64_t n) { return 8 * n; });
  const Trace trace = program.builder.build();
  const std::vector<Screened> screened = program.screened(trace);
  ASSERT_GT(screened[20].exponent(), 1.25);
  const Indexes chosen = chooseClasses(trace, screened, 16);
  EXPECT_TRUE(std::binary_search(chosen.begin(), chosen.end(), 20u)) << "steep";
  const size_t cheap = static_cast<size_t>(
      std::count_if(chosen.begin(), chosen.end(), [](size_t index) { return index < 10; }));
  EXPECT_GE(cheap, 1u) << "ordinary ones to compare with";
}

TEST(ChooseClasses, AtMostAsManyAsAskedAscendingAndDistinct) {
  Program program;
  for (uint64_t i = 0; i < 40; ++i)
    program.screen(1 + i * i);
  const Trace trace = program.builder.build();
  for (size_t most : {1, 4, 16, 72}) {
    const Indexes chosen = chooseClasses(trace, program.screened(trace), most);
    EXPECT_LE(chosen.size(), most);
    EXPECT_GE(chosen.size(), most / 2 > 20 ? 20 : most / 2);
    EXPECT_EQ(std::adjacent_find(chosen.begin(), chosen.end(), std::greater_equal<>()),
              chosen.end());
  }
}

TEST(ChooseClasses, FailedRunsAreNotChosen) {
  Program program;
  for (uint64_t i = 0; i < 4; ++i)
    program.screen(10 + i);
  const Trace trace = program.builder.build();
  std::vector<Screened> screened = program.screened(trace);
  screened[3].half = screened[3].full = nullptr;
  const Indexes chosen = chooseClasses(trace, screened, 8);
  EXPECT_FALSE(chosen.empty());
  EXPECT_FALSE(std::binary_search(chosen.begin(), chosen.end(), 3u));
  EXPECT_TRUE(chooseClasses(trace, {}, 8).empty());
}

TEST(CorpusPatterns, AreRecoveredDearestFirstAndDistinct) {
  Program program;
  program.screen(1);
  program.screen(3);
  program.screen(2);
  const Trace trace = program.builder.build();
  // Inputs of the runs at 1024 bytes (1, 3, 5); the last two repeat a pattern and have none.
  const std::vector<std::string> bytes = {render(patternOf({"", "ab"}), 1024),
                                          render(patternOf({"<", "cd"}), 1024),
                                          render(patternOf({"", "ef"}), 1024),
                                          render(patternOf({"", "ab"}), 512),
                                          "no pattern here"};
  const std::vector<size_t> runs = {1, 3, 5, 0, 4};
  const std::vector<Pattern> found = corpusPatterns(trace, runs, bytes, 10);
  EXPECT_EQ(pumpsOf(found), (std::vector<std::string>{"cd", "ef", "ab"}));
  EXPECT_EQ(found[0].prefix.length, 1);
  EXPECT_EQ(pumpsOf(corpusPatterns(trace, runs, bytes, 1)), std::vector<std::string>{"cd"});
}

TEST(CorpusPatterns, UntracedInputsAreLeftOut) {
  Program program;
  program.screen(1);
  const Trace trace = program.builder.build();
  const std::vector<std::string> bytes = {render(patternOf({"", "ab"}), 512),
                                          render(patternOf({"", "cd"}), 512)};
  EXPECT_EQ(pumpsOf(corpusPatterns(trace, {kNoRun, 0}, bytes, 10)), std::vector<std::string>{"cd"});
  EXPECT_TRUE(corpusPatterns(trace, {}, {}, 10).empty());
}

/// Contrasts of a slow pattern are valid, and neither it nor a mere respelling of all of it.
void expectContrasts(const Pattern &slow, size_t atLeast) {
  const std::vector<Pattern> contrasts = contrastPatterns(slow);
  EXPECT_GE(contrasts.size(), atLeast);
  std::set<std::string> rendered;
  for (const Pattern &contrast : contrasts) {
    EXPECT_TRUE(contrast.valid());
    EXPECT_FALSE(contrast.equals(slow));
    for (int i = 0; i < Pattern::kParts; ++i)
      EXPECT_LE(contrast.part(i).length, Part::kCapacity);
    rendered.insert(render(contrast, 400));
  }
  rendered.erase(render(slow, 400));
  EXPECT_GE(rendered.size(), atLeast) << "different bytes";
}

TEST(ContrastPatterns, AreValidAndDiffer) {
  expectContrasts(patternOf({"", "ab"}), 4);
  expectContrasts(patternOf({"<!", "[(", "", "", ">"}), 6);
  expectContrasts(patternOf({"", "(", "x", ")"}), 3);
  expectContrasts(patternOf({"", "a"}), 1);
  const std::string full(Part::kCapacity, 'q');
  expectContrasts(patternOf({full, full, full, full, full}), 3);
}

TEST(ContrastPatterns, HoldTheKnownKindsOfLookAlikes) {
  const std::vector<Pattern> contrasts = contrastPatterns(patternOf({"<", "ab", "", "", ">"}));
  auto has = [&](const Pattern &wanted) {
    return std::any_of(contrasts.begin(), contrasts.end(), [&](const Pattern &contrast) {
      return contrast.equals(wanted);
    });
  };
  EXPECT_TRUE(has(patternOf({"<", "a", "", "b", ">"}))) << "the same bytes in another order";
  EXPECT_TRUE(has(patternOf({"<", "xb", "", "", ">"}))) << "one byte made harmless";
  EXPECT_TRUE(has(patternOf({"<", "ax", "", "", ">"})));
  EXPECT_TRUE(has(patternOf({"", "ab", "", "", ">"}))) << "without the prefix";
  EXPECT_TRUE(has(patternOf({"<", "ab"}))) << "without the suffix";
}

TEST(DistinctPatterns, KeepTheFirstOfEachInOrder) {
  Pattern counted = patternOf({"", "ab"});
  counted.sequence.form = Sequence::kDecimal;
  const std::vector<Pattern> found =
      distinctPatterns({{patternOf({"", "cd"}), patternOf({"", "ab"})},
                        {patternOf({"", "ab"}), counted, patternOf({"", "cd"})}});
  EXPECT_EQ(pumpsOf(found), (std::vector<std::string>{"cd", "ab", "ab"}));
  ASSERT_EQ(found.size(), 3u);
  EXPECT_TRUE(found[2].equals(counted)) << "a sequence makes another pattern";
}

TEST(PlainPatterns, AreValidDistinctAndHoldTheUsualBytes) {
  const std::vector<Pattern> plain = plainPatterns();
  std::set<std::string> pumps;
  for (const Pattern &pattern : plain) {
    EXPECT_TRUE(pattern.valid());
    pumps.insert(pumpOf(pattern));
    for (const Pattern &other : plain)
      EXPECT_EQ(&pattern == &other, pattern.equals(other));
  }
  for (const std::string &usual : {std::string("a"), std::string(" "), std::string(1, '\0')})
    EXPECT_EQ(pumps.count(usual), 1u) << "'" << usual << "'";
}

} // namespace
} // namespace perfidy
