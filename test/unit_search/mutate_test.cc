#include "fuzzer/mutate.h"

#include "sample_functions.h"

#include <algorithm>
#include <gtest/gtest.h>

namespace perfidy {
namespace {

using namespace sample;

constexpr const char *kSource = "{\"key\": [1, 2, {\"nested\": \"text\"}], \"more\": (a < b)}";

Part filled(char byte, size_t length) {
  Part part;
  const std::string text(length, byte);
  part.assign(reinterpret_cast<const uint8_t *>(text.data()), length);
  return part;
}

void expectSound(const Pattern &pattern) {
  EXPECT_TRUE(pattern.valid());
  for (int i = 0; i < Pattern::kParts; ++i)
    EXPECT_LE(pattern.part(i).length, Part::kCapacity);
}

class Mutate : public testing::Test {
protected:
  void SetUp() override {
    clearCounters();
    ASSERT_TRUE(empty.start(1024));
    ASSERT_TRUE(full.start(1024));
    // Patterns whose every part is as long as can be: whatever is joined to them must be cut.
    Random random(99);
    for (uint32_t id : {kAlpha, kBeta}) {
      set(static_cast<Id>(id), 100, 4000, 90, 800);
      Pattern large;
      for (int i = 0; i < Pattern::kParts; ++i)
        large.part(i) = filled(static_cast<char>('a' + i), Part::kCapacity);
      full.offerPattern(large, Seen("x", 100, {id}).get(), random);
    }
  }

  /// Sources of all kinds: none, one byte, ordinary, with bytes over 127.
  std::vector<TokenSource> sources() const {
    return {TokenSource(), tokens(one), tokens(source), tokens(high)};
  }
  static TokenSource tokens(const std::string &text) {
    return {reinterpret_cast<const uint8_t *>(text.data()), text.size()};
  }

  Archive empty, full;
  const std::string one = "x", source = kSource, high = std::string(300, '\xff');
};

TEST_F(Mutate, FreshPatternsAreSound) {
  for (const Archive *archive : {&empty, &full})
    for (const TokenSource &from : sources())
      for (uint64_t seed = 0; seed < 500; ++seed) {
        Random random(seed);
        expectSound(freshPattern(from, *archive, random));
      }
}

TEST_F(Mutate, MutatedPatternsStaySoundOverManyGenerations) {
  for (const Archive *archive : {&empty, &full})
    for (const TokenSource &from : sources()) {
      Random random(7);
      Pattern pattern;
      pattern.pump = filled('a', 1);
      for (int generation = 0; generation < 2000; ++generation) {
        pattern = mutatePattern(pattern, from, *archive, random);
        expectSound(pattern);
      }
    }
}

TEST_F(Mutate, LargestPatternsStaySound) {
  Pattern largest;
  for (int i = 0; i < Pattern::kParts; ++i)
    largest.part(i) = filled('z', Part::kCapacity);
  for (uint64_t seed = 0; seed < 1000; ++seed) {
    Random random(seed);
    expectSound(mutatePattern(largest, tokens(source), full, random));
  }
}

TEST_F(Mutate, SameSeedSamePattern) {
  Pattern parent;
  parent.pump = filled('(', 2);
  int fresh = 0, mutated = 0;
  for (uint64_t seed = 0; seed < 200; ++seed) {
    Random a(seed), b(seed), c(seed + 1000);
    const Pattern first = freshPattern(tokens(source), full, a);
    EXPECT_TRUE(first.equals(freshPattern(tokens(source), full, b)));
    fresh += !first.equals(freshPattern(tokens(source), full, c));
    const Pattern second = mutatePattern(parent, tokens(source), full, a);
    EXPECT_TRUE(second.equals(mutatePattern(parent, tokens(source), full, b)));
    mutated += !second.equals(mutatePattern(parent, tokens(source), full, c));
  }
  EXPECT_GT(fresh, 150) << "other seeds, other patterns";
  EXPECT_GT(mutated, 150);
}

TEST_F(Mutate, ParentsStayAsTheyAreAndChildrenDiffer) {
  Pattern parent;
  parent.prefix = filled('<', 3);
  parent.pump = filled('a', 4);
  const Pattern before = parent;
  int different = 0;
  for (uint64_t seed = 0; seed < 200; ++seed) {
    Random random(seed);
    different += !mutatePattern(parent, tokens(source), empty, random).equals(parent);
  }
  EXPECT_TRUE(parent.equals(before));
  EXPECT_GT(different, 150);
}

TEST_F(Mutate, OpeningBracketsGetClosingOnes) {
  Pattern parent;
  parent.pump = filled('[', 2);
  bool closed = false;
  for (uint64_t seed = 0; seed < 1000 && !closed; ++seed) {
    Random random(seed);
    const Pattern child = mutatePattern(parent, TokenSource(), empty, random);
    closed = child.pump.equals(parent.pump) && child.pump2.equals(filled(']', 2));
  }
  EXPECT_TRUE(closed);
}

TEST_F(Mutate, TokensComeFromTheSource) {
  int fromSource = 0;
  for (uint64_t seed = 0; seed < 300; ++seed) {
    Random random(seed);
    const Pattern pattern = freshPattern(tokens(source), empty, random);
    const std::string pump(reinterpret_cast<const char *>(pattern.pump.bytes), pattern.pump.length);
    fromSource += pump.size() >= 3 && source.find(pump) != std::string::npos;
  }
  EXPECT_GT(fromSource, 20);
}

TEST(MutateInPlace, KeepsTheLength) {
  Random random(3);
  for (size_t length = 0; length < 600; length += 1 + length / 7)
    for (int i = 0; i < 300; ++i) {
      std::string bytes(length + 32, '\x55');
      for (size_t b = 0; b < length; ++b)
        bytes[16 + b] = static_cast<char>(random.next());
      mutateInPlace(reinterpret_cast<uint8_t *>(bytes.data()) + 16, length, random);
      ASSERT_EQ(bytes.substr(0, 16), std::string(16, '\x55')) << "before, at length " << length;
      ASSERT_EQ(bytes.substr(16 + length), std::string(16, '\x55')) << "behind, at " << length;
    }
}

TEST(MutateInPlace, LeavesWhatCannotBeRearranged) {
  for (uint64_t seed = 0; seed < 50; ++seed) {
    Random random(seed);
    uint8_t byte = 'a';
    mutateInPlace(&byte, 1, random);
    EXPECT_EQ(byte, 'a');
    mutateInPlace(nullptr, 0, random);
  }
}

TEST(MutateInPlace, SameSeedSameBytesAndMostlyAChange) {
  int changed = 0, reordered = 0;
  for (uint64_t seed = 0; seed < 400; ++seed) {
    std::string original(64, ' ');
    for (size_t i = 0; i < original.size(); ++i)
      original[i] = static_cast<char>(i * 37);
    std::string first = original, second = original;
    Random a(seed), b(seed);
    mutateInPlace(reinterpret_cast<uint8_t *>(first.data()), first.size(), a);
    mutateInPlace(reinterpret_cast<uint8_t *>(second.data()), second.size(), b);
    EXPECT_EQ(first, second);
    changed += first != original;
    reordered +=
        first != original && std::is_permutation(first.begin(), first.end(), original.begin());
  }
  EXPECT_GT(changed, 250);
  EXPECT_GT(reordered, 50) << "for arrays whose elements must stay";
}

} // namespace
} // namespace perfidy
