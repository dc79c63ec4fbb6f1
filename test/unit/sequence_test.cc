#include "fuzzer/pattern_line.h"
#include "fuzzer/random.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace perfidy {
namespace {

Part partOf(const std::string &text) {
  Part part;
  part.assign(reinterpret_cast<const uint8_t *>(text.data()), text.size());
  return part;
}

Pattern counted(const std::string &pump, uint8_t form, uint8_t at, uint16_t stride = 1) {
  Pattern pattern;
  pattern.pump = partOf(pump);
  pattern.sequence.form = form;
  pattern.sequence.at = at;
  pattern.sequence.stride = stride;
  return pattern;
}

std::string render(const Pattern &pattern, size_t size) {
  std::string bytes(size + 8, '\x7e');
  renderPattern(pattern, reinterpret_cast<uint8_t *>(bytes.data()), size);
  EXPECT_EQ(bytes.substr(size), std::string(8, '\x7e')) << "written past " << size;
  return bytes.substr(0, size);
}

std::vector<uint32_t> order(uint8_t which, size_t count) {
  std::vector<uint32_t> ranks(count);
  orderRanks(which, ranks.data(), count);
  return ranks;
}

using Ranks = std::vector<uint32_t>;

TEST(Orders, ArePermutations) {
  for (uint8_t which = 0; which < Sequence::kOrders; ++which)
    for (size_t count : {0, 1, 2, 3, 7, 8, 9, 30, 100, 256, 1000}) {
      Ranks ranks = order(which, count);
      std::sort(ranks.begin(), ranks.end());
      for (size_t i = 0; i < count; ++i)
        ASSERT_EQ(ranks[i], i) << "order " << int(which) << " of " << count;
    }
}

TEST(Orders, AreWhatTheirNamesSay) {
  EXPECT_EQ(order(Sequence::kDescending, 4), (Ranks{3, 2, 1, 0}));
  EXPECT_EQ(order(Sequence::kOrganPipe, 6), (Ranks{0, 2, 4, 5, 3, 1}));
  EXPECT_EQ(order(Sequence::kValley, 6), (Ranks{5, 3, 1, 0, 2, 4}));
  EXPECT_EQ(order(Sequence::kZigZag, 5), (Ranks{0, 4, 1, 3, 2}));
  EXPECT_EQ(order(Sequence::kBitReversed, 8), (Ranks{0, 4, 2, 6, 1, 5, 3, 7}));
  EXPECT_EQ(order(Sequence::kMedianKiller, 8), (Ranks{0, 4, 2, 6, 1, 3, 5, 7}));
}

/// Comparisons of a quicksort that takes the middle element as pivot.
size_t comparisons(Ranks values, size_t low, size_t high) {
  if (high - low < 2)
    return 0;
  const uint32_t pivot = values[(low + high - 1) / 2];
  size_t made = 0, i = low, j = high - 1;
  for (;;) {
    while (++made && values[i] < pivot)
      ++i;
    while (++made && values[j] > pivot)
      --j;
    if (i >= j)
      break;
    std::swap(values[i++], values[j--]);
  }
  size_t split = std::max(low + 1, j + 1);
  split = std::min(split, high - 1);
  return made + comparisons(values, low, split) + comparisons(values, split, high);
}

TEST(Orders, TheMiddleKillerIsQuadratic) {
  const size_t killed = comparisons(order(Sequence::kMiddleKiller, 512), 0, 512);
  const size_t usual = comparisons(order(Sequence::kShuffled, 512), 0, 512);
  EXPECT_GT(killed, 512 * 512 / 4);
  EXPECT_LT(usual, 512 * 40);
}

TEST(Elements, AreNumbersInSeveralForms) {
  EXPECT_EQ(render(counted("[]", Sequence::kDecimal, 1), 12), "[0][1][2][3]");
  EXPECT_EQ(render(counted("x,", Sequence::kHex, 1, 15), 14), "x0,xf,x1e,x2d,");
  EXPECT_EQ(render(counted(" ", Sequence::kLetters, 0, 25), 8), "a z by c");
  EXPECT_EQ(render(counted("` ", Sequence::kRun, 1), 14), "` `` ``` ```` ");
  EXPECT_EQ(render(counted("", Sequence::kWord16Big, 0, 256), 6), std::string("\0\0\1\0\2\0", 6));
  EXPECT_EQ(render(counted("", Sequence::kWord16Little, 0, 1), 6), std::string("\0\0\1\0\2\0", 6));
}

TEST(Elements, FitTheirWidth) {
  Pattern pattern = counted("", Sequence::kByte, 0, 100);
  EXPECT_EQ(render(pattern, 4), std::string("\0\x64\xc8\x2c", 4));
  pattern.sequence.fit = Sequence::kSaturate;
  EXPECT_EQ(render(pattern, 4), std::string("\0\x64\xc8\xff", 4));
  pattern.sequence.fit = Sequence::kScale;
  EXPECT_EQ(render(pattern, 4), std::string("\0\x55\xaa\xff", 4));
  pattern.sequence.order = Sequence::kDescending;
  EXPECT_EQ(render(pattern, 4), std::string("\xff\xaa\x55\0", 4));
}

TEST(Elements, TheSecondPumpCountsAgain) {
  Pattern pattern = counted("[];", Sequence::kDecimal, 1);
  pattern.pump2 = partOf("<>");
  pattern.middle = partOf("|");
  pattern.sequence.at2 = 1;
  pattern.sequence.order2 = Sequence::kDescending;
  EXPECT_EQ(render(pattern, 22), "[0];[1];[2];|<2><1><0>");
}

TEST(Elements, CollidingKeysCollide) {
  for (uint16_t multiplier : {1, 31, 33, 37, 65, 131}) {
    Pattern pattern = counted("", Sequence::kColliding, 0, multiplier);
    std::string bytes = render(pattern, 64 * 12);
    std::set<std::string> keys;
    std::set<uint32_t> hashes;
    for (size_t i = 0; i < 64; ++i) {
      keys.insert(bytes.substr(i * 12, 12));
      uint32_t hash = 0;
      for (char c : bytes.substr(i * 12, 12))
        hash = hash * multiplier + static_cast<uint8_t>(c);
      hashes.insert(hash & 0xff);
    }
    EXPECT_EQ(keys.size(), 64u) << "multiplier " << multiplier;
    EXPECT_EQ(hashes.size(), 1u) << "multiplier " << multiplier;
  }
}

TEST(Share, DividesTheRepeatedBytes) {
  Pattern pattern;
  pattern.pump = partOf("a");
  pattern.pump2 = partOf("b");
  EXPECT_EQ(render(pattern, 8), "aaaabbbb");
  pattern.share = 64;
  EXPECT_EQ(render(pattern, 8), "aabbbbbb");
}

Pattern randomPattern(Random &random) {
  Pattern pattern;
  for (int i = 0; i < Pattern::kParts; ++i) {
    Part &part = pattern.part(i);
    part.length = static_cast<uint8_t>(random.below(random.oneIn(3) ? Part::kCapacity + 1 : 4));
    for (size_t b = 0; b < part.length; ++b)
      part.bytes[b] = static_cast<uint8_t>(random.below(256));
  }
  Sequence &sequence = pattern.sequence;
  sequence.form = static_cast<uint8_t>(random.below(Sequence::kForms));
  sequence.order = static_cast<uint8_t>(random.below(Sequence::kOrders));
  sequence.order2 = static_cast<uint8_t>(random.below(Sequence::kOrders));
  sequence.fit = static_cast<uint8_t>(random.below(Sequence::kFits));
  sequence.at = static_cast<uint8_t>(random.below(256));
  sequence.at2 = static_cast<uint8_t>(random.below(256));
  sequence.stride = static_cast<uint16_t>(random.below(65536));
  pattern.share = static_cast<uint8_t>(random.below(256));
  return pattern;
}

TEST(Rendering, FillsEverySizeExactly) {
  Random random(5);
  for (int i = 0; i < 3000; ++i) {
    Pattern pattern = randomPattern(random);
    if (random.oneIn(10))
      pattern.pump.length = pattern.pump2.length = 0;
    render(pattern, random.below(700));
  }
}

TEST(Lines, ReadBackWhatWasWritten) {
  Random random(6);
  char line[kPatternLine];
  for (int i = 0; i < 2000; ++i) {
    const Pattern pattern = randomPattern(random);
    const size_t length = writePatternLine(pattern, line);
    ASSERT_LT(length, kPatternLine);
    EXPECT_EQ(line[length - 1], '\n');
    Pattern read;
    EXPECT_EQ(readPatternLine(line, length, read), pattern.valid());
    if (pattern.valid()) {
      EXPECT_TRUE(read.equals(pattern)) << line;
    }
  }
}

TEST(Lines, OtherTextIsRefused) {
  char buffer[kPatternLine];
  const std::string line(buffer, writePatternLine(counted("ab", Sequence::kDecimal, 1), buffer));
  Pattern read;
  ASSERT_TRUE(readPatternLine(line.data(), line.size(), read));
  EXPECT_EQ(line, "pattern 1 - 6162 - - - 0 1 0 0 0 1 255 1\n");
  for (size_t length = 0; length + 2 < line.size(); ++length)
    EXPECT_FALSE(readPatternLine(line.data(), length, read)) << line.substr(0, length);
  for (const char *bad : {"pattern 2 - 6162 - - - 0 1 0 0 0 1 255 1",
                          "pattern 1 - 616 - - - 0 1 0 0 0 1 255 1",
                          "pattern 1 - 6162 - - - 0 99 0 0 0 1 255 1",
                          "pattern 1 - 6162 - - - 0 1 0 0 0 1 255 1 7",
                          "pattern 1 - 6162 - - - 0 1 0 0 0 1 255 99999"})
    EXPECT_FALSE(readPatternLine(bad, std::string(bad).size(), read)) << bad;
}

} // namespace
} // namespace perfidy
