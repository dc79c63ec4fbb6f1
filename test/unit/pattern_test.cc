#include "fuzzer/pattern.h"

#include "fuzzer/random.h"

#include <cstring>
#include <gtest/gtest.h>
#include <string>

namespace perfidy {
namespace {

Part partOf(const std::string &text) {
  Part part;
  EXPECT_TRUE(part.assign(reinterpret_cast<const uint8_t *>(text.data()), text.size()));
  return part;
}

std::string textOf(const Part &part) {
  return {reinterpret_cast<const char *>(part.bytes), part.length};
}

Pattern patternOf(const std::string &prefix,
                  const std::string &pump,
                  const std::string &middle = "",
                  const std::string &pump2 = "",
                  const std::string &suffix = "") {
  return {partOf(prefix), partOf(pump), partOf(middle), partOf(pump2), partOf(suffix), {}, 0};
}

/// Rendered at a size, with a guard behind the end that must stay.
std::string render(const Pattern &pattern, size_t size) {
  std::string bytes(size + 8, '\x7e');
  renderPattern(pattern, reinterpret_cast<uint8_t *>(bytes.data()), size);
  EXPECT_EQ(bytes.substr(size), std::string(8, '\x7e')) << "written past " << size;
  return bytes.substr(0, size);
}

bool recover(const std::string &bytes, Pattern &pattern) {
  return recoverPattern(reinterpret_cast<const uint8_t *>(bytes.data()), bytes.size(), pattern);
}

std::string draw(Random &random, const std::string &alphabet, size_t length) {
  std::string text(length, ' ');
  for (char &c : text)
    c = alphabet[random.below(alphabet.size())];
  return text;
}

/// Not a repetition of something shorter: only then is the pump the one that can be recovered.
bool primitive(const std::string &text) { return (text + text).find(text, 1) == text.size(); }

std::string drawPump(Random &random, const std::string &alphabet, size_t longest) {
  std::string pump;
  do
    pump = draw(random, alphabet, 1 + random.below(longest));
  while (!primitive(pump));
  return pump;
}

TEST(Part, AssignCutsAtTheCapacity) {
  Part part;
  const std::string bytes(Part::kCapacity + 5, 'a');
  const auto *from = reinterpret_cast<const uint8_t *>(bytes.data());
  EXPECT_TRUE(part.assign(from, Part::kCapacity));
  EXPECT_EQ(part.length, Part::kCapacity);
  EXPECT_FALSE(part.assign(from, Part::kCapacity + 5));
  EXPECT_EQ(part.length, Part::kCapacity);
  EXPECT_TRUE(part.assign(from, 0));
  EXPECT_EQ(part.length, 0);
}

TEST(Part, InsertShiftsAndCuts) {
  Part part = partOf("ad");
  const uint8_t bytes[] = {'b', 'c'};
  part.insert(1, bytes, 2);
  EXPECT_EQ(textOf(part), "abcd");
  part.insert(99, bytes, 1);
  EXPECT_EQ(textOf(part), "abcdb") << "positions past the end mean the end";
  part.insert(2, bytes, 0);
  EXPECT_EQ(textOf(part), "abcdb");
}

TEST(Part, InsertNeverGrowsPastTheCapacity) {
  const std::string full(Part::kCapacity, 'x');
  Part part = partOf(full);
  const uint8_t bytes[] = {'b', 'c'};
  part.insert(Part::kCapacity, bytes, 2);
  EXPECT_EQ(textOf(part), full) << "no room at the end";
  part.insert(Part::kCapacity - 1, bytes, 2);
  EXPECT_EQ(textOf(part), full.substr(1) + "b");
  part.insert(0, bytes, 2);
  EXPECT_EQ(textOf(part), "bc" + full.substr(3) + "x") << "the tail is cut";
  std::string longer(3 * Part::kCapacity, 'y');
  part = partOf("ab");
  part.insert(1, reinterpret_cast<const uint8_t *>(longer.data()), longer.size());
  EXPECT_EQ(textOf(part), "a" + longer.substr(0, Part::kCapacity - 1));
}

TEST(Part, InsertsItself) {
  Part part = partOf("abc");
  part.insert(1, part.bytes, part.length);
  EXPECT_EQ(textOf(part), "aabcbc");
}

TEST(Part, EraseStaysInside) {
  Part part = partOf("abcdef");
  part.erase(1, 2);
  EXPECT_EQ(textOf(part), "adef");
  part.erase(3, 99);
  EXPECT_EQ(textOf(part), "ade");
  part.erase(3, 1);
  part.erase(99, 1);
  part.erase(0, 0);
  EXPECT_EQ(textOf(part), "ade");
  part.erase(0, 3);
  EXPECT_EQ(part.length, 0);
  part.erase(0, 1);
  EXPECT_EQ(part.length, 0);
}

TEST(Pattern, PartsWeightAndEquality) {
  Pattern pattern = patternOf("a", "bc", "def", "ghij", "klmno");
  const char *expected[] = {"a", "bc", "def", "ghij", "klmno"};
  for (int i = 0; i < Pattern::kParts; ++i)
    EXPECT_EQ(textOf(pattern.part(i)), expected[i]);
  EXPECT_EQ(pattern.weight(), 15u);
  EXPECT_TRUE(pattern.valid());
  EXPECT_FALSE(patternOf("a", "", "", "b").valid());
  Pattern same = pattern;
  EXPECT_TRUE(same.equals(pattern));
  same.suffix.bytes[4] = 'x';
  EXPECT_FALSE(same.equals(pattern));
  same.suffix.length = 4;
  pattern.suffix.length = 4;
  EXPECT_TRUE(same.equals(pattern)) << "bytes behind the end do not count";
}

TEST(RenderPattern, RepeatsThePumpAndCutsTheLastOne) {
  EXPECT_EQ(render(patternOf("<", "ab", "", "", ">"), 9), "<abababa>");
  EXPECT_EQ(render(patternOf("", "abc"), 7), "abcabca");
}

TEST(RenderPattern, BothPumpsAreRepeatedEquallyOften) {
  EXPECT_EQ(render(patternOf("", "(", "", ")"), 8), "(((())))");
  EXPECT_EQ(render(patternOf("<", "ab", "|", "c", ">"), 12), "<ababab|ccc>");
  EXPECT_EQ(render(patternOf("", "ab", "", "c"), 8), "abababcc")
      << "two of each, then the first fills up";
}

TEST(RenderPattern, SmallSizesCutTheInputOff) {
  const Pattern pattern = patternOf("abc", "d", "ef", "", "gh");
  EXPECT_EQ(render(pattern, 0), "");
  EXPECT_EQ(render(pattern, 2), "ab");
  EXPECT_EQ(render(pattern, 5), "abcef");
  EXPECT_EQ(render(pattern, 7), "abcefgh");
  EXPECT_EQ(render(pattern, 8), "abcdefgh");
}

TEST(RenderPattern, AlwaysWritesExactlyTheSize) {
  Random random(7);
  for (int i = 0; i < 500; ++i) {
    Pattern pattern;
    for (int p = 0; p < Pattern::kParts; ++p)
      pattern.part(p) = partOf(draw(random, "abc", random.below(Part::kCapacity + 1)));
    if (!pattern.valid())
      pattern.pump = partOf("a");
    const size_t size = random.below(1200);
    const std::string bytes = render(pattern, size);
    EXPECT_EQ(bytes.find('\x7e'), std::string::npos) << "every byte is written";
  }
}

/// Recovered from its rendering at `size`, a pattern renders the same bytes there and at `other`.
void expectRecovered(const Pattern &pattern, size_t size, size_t other) {
  Pattern found;
  const std::string bytes = render(pattern, size);
  ASSERT_TRUE(recover(bytes, found)) << bytes;
  EXPECT_EQ(render(found, size), bytes);
  EXPECT_EQ(render(found, other), render(pattern, other)) << bytes;
}

// The alphabets of neighbouring parts are disjoint: where they are not, a byte may belong to
// either.
TEST(RecoverPattern, SimplePatterns) {
  Random random(1);
  for (int i = 0; i < 700; ++i)
    expectRecovered(patternOf("", drawPump(random, "abc", 40)),
                    400 + random.below(600),
                    1 + random.below(3000));
}

TEST(RecoverPattern, PrefixAndSuffix) {
  Random random(2);
  for (int i = 0; i < 700; ++i)
    expectRecovered(patternOf(draw(random, "xyz", random.below(40)),
                              drawPump(random, "abc", 24),
                              "",
                              "",
                              draw(random, "uvw", random.below(40))),
                    400 + random.below(600),
                    100 + random.below(3000));
}

TEST(RecoverPattern, TwoPumps) {
  Random random(3);
  for (int i = 0; i < 600; ++i)
    expectRecovered(patternOf(draw(random, "xyz", random.below(20)),
                              drawPump(random, "abc", 6),
                              draw(random, "mno", random.below(20)),
                              drawPump(random, "def", 6),
                              draw(random, "uvw", random.below(20))),
                    700 + random.below(600),
                    200 + random.below(3000));
}

TEST(RecoverPattern, RepetitionInThePrefixIsNoPump) {
  Pattern found;
  const Pattern pattern = patternOf("((((((((", "ab", "", "", ")))))");
  ASSERT_TRUE(recover(render(pattern, 256), found));
  EXPECT_EQ(textOf(found.prefix), "((((((((");
  EXPECT_EQ(textOf(found.pump), "ab");
  EXPECT_EQ(found.pump2.length, 0);
  EXPECT_EQ(textOf(found.suffix), ")))))");
}

TEST(RecoverPattern, FindsTheSmallestPeriod) {
  Pattern found;
  ASSERT_TRUE(recover(render(patternOf("", "abab"), 100), found));
  EXPECT_EQ(textOf(found.pump), "ab");
  ASSERT_TRUE(recover(std::string(100, 'a'), found));
  EXPECT_EQ(textOf(found.pump), "a");
}

TEST(RecoverPattern, NothingInRandomBytes) {
  Random random(4);
  Pattern found;
  for (int i = 0; i < 300; ++i) {
    std::string bytes(random.below(600), ' ');
    for (char &c : bytes)
      c = static_cast<char>(random.next());
    if (bytes.size() >= 8) {
      EXPECT_FALSE(recover(bytes, found)) << "size " << bytes.size();
    }
  }
}

TEST(RecoverPattern, NothingInShortInputsOrTooFewRepetitions) {
  Pattern found;
  EXPECT_FALSE(recover("", found));
  EXPECT_FALSE(recover("aaa", found));
  EXPECT_TRUE(recover("aaaa", found));
  EXPECT_FALSE(recover("abcabcabc", found)) << "three times are not enough";
  EXPECT_FALSE(recover("abcabcabcxyz", found)) << "whatever follows";
  EXPECT_TRUE(recover("abcabcabcabc", found));
}

TEST(RecoverPattern, RefusesWhatDoesNotFit) {
  Random random(5);
  Pattern found;
  std::string noise(Part::kCapacity + 1, ' ');
  for (char &c : noise)
    c = static_cast<char>(random.next());
  const std::string pumped(1000, 'a');
  EXPECT_FALSE(recover(noise + pumped, found)) << "prefix too long";
  EXPECT_FALSE(recover(pumped + noise, found)) << "suffix too long";
  EXPECT_TRUE(recover(noise.substr(2) + pumped, found));
  EXPECT_FALSE(recover(noise + std::string(40, 'a'), found)) << "covers less than half";
}

TEST(RecoverPattern, PumpsOfDifferentCountsStayInProportion) {
  std::string bytes;
  for (int i = 0; i < 100; ++i)
    bytes += "- ";
  bytes += "x" + std::string(600, '\n');
  Pattern pattern;
  ASSERT_TRUE(recover(bytes, pattern));
  EXPECT_EQ(textOf(pattern.pump), "- ");
  EXPECT_EQ(textOf(pattern.pump2), std::string(6, '\n')) << "six line ends for each list marker";
  EXPECT_EQ(render(pattern, bytes.size()), bytes);
}

TEST(RecoverPattern, CountsTooDifferentForOnePatternGiveTheLongerPump) {
  std::string bytes;
  for (int i = 0; i < 20; ++i)
    bytes += "ab";
  bytes += std::string(3000, 'c');
  Pattern pattern;
  ASSERT_TRUE(recover(bytes, pattern));
  EXPECT_EQ(textOf(pattern.pump), "c");
  EXPECT_EQ(pattern.pump2.length, 0);
  EXPECT_EQ(render(pattern, bytes.size()), bytes);
}

TEST(RenderPattern, WithoutPumpsBlanksFillTheRoom) {
  EXPECT_EQ(render(patternOf("a", "", "b", "", "c"), 6), "abc   ");
  EXPECT_EQ(render(Pattern(), 3), "   ");
}

} // namespace
} // namespace perfidy
