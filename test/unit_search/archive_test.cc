#include "fuzzer/archive.h"

#include "sample_functions.h"

#include <gtest/gtest.h>
#include <map>

namespace perfidy {
namespace {

using namespace sample;

Pattern pumpOf(const std::string &text) {
  Pattern pattern;
  pattern.pump.assign(reinterpret_cast<const uint8_t *>(text.data()), text.size());
  return pattern;
}

std::string pumpText(const Pattern &pattern) {
  return {reinterpret_cast<const char *>(pattern.pump.bytes), pattern.pump.length};
}

class ArchiveTest : public testing::Test {
protected:
  void SetUp() override {
    clearCounters();
    ASSERT_TRUE(archive.start(1024));
  }

  /// Offers a pattern whose run has this cost and touches no function: one cell is concerned.
  unsigned offer(const std::string &pump, uint64_t cost) {
    return archive.offerPattern(pumpOf(pump), Seen("x", cost).get(), random);
  }
  std::string kept() {
    const Cell *cell = archive.any(random);
    return cell ? pumpText(cell->pattern) : "nothing";
  }
  bool offerInput(const std::string &bytes, uint64_t cost) {
    return archive.offerInput(Seen(bytes, cost).get()).dearer;
  }
  std::string dearest(size_t length) const {
    const Input &input = archive.dearest(archive.levelOf(length));
    return input.length ? std::string(reinterpret_cast<const char *>(input.bytes), input.length)
                        : "nothing";
  }

  Archive archive;
  Random random{1};
};

TEST_F(ArchiveTest, IsEmptyAtFirst) {
  EXPECT_EQ(archive.size(), 0u);
  EXPECT_EQ(archive.pick(random), nullptr);
  EXPECT_EQ(archive.any(random), nullptr);
  EXPECT_EQ(dearest(8), "nothing");
}

TEST_F(ArchiveTest, KeepsTheDearestPattern) {
  EXPECT_EQ(offer("a", 100), 1u);
  EXPECT_EQ(offer("b", 200), 1u);
  EXPECT_EQ(offer("c", 199), 0u);
  EXPECT_EQ(kept(), "b");
  EXPECT_EQ(archive.size(), 1u);
  const Cell *cell = archive.any(random);
  EXPECT_EQ(cell->value, 200u);
  EXPECT_EQ(cell->cost, 200u);
}

TEST_F(ArchiveTest, SmallGainsReplaceButAreNoProgress) {
  offer("a", 800);
  EXPECT_EQ(offer("b", 900), 0u) << "an eighth is not enough";
  EXPECT_EQ(kept(), "b");
  EXPECT_EQ(offer("c", 1013), 1u) << "more than an eighth is";
  EXPECT_EQ(kept(), "c");
}

TEST_F(ArchiveTest, TiesPreferSimplerPatterns) {
  offer("abcd", 100);
  EXPECT_EQ(offer("xy", 100), 0u);
  EXPECT_EQ(kept(), "xy");
}

TEST_F(ArchiveTest, TiesOfEqualWeightDrift) {
  offer("a", 100);
  int replaced = 0;
  for (int i = 0; i < 400; ++i) {
    const std::string before = kept();
    EXPECT_EQ(offer(before == "a" ? "b" : "a", 100), 0u);
    replaced += kept() != before;
  }
  EXPECT_GT(replaced, 50);
  EXPECT_LT(replaced, 200) << "about one in four";
}

TEST_F(ArchiveTest, EachQuantityOfEachRegionHasItsCell) {
  set(kAlpha, 100, 400);
  set(kBeta, 50);
  // alpha: entries, loop count, per entry; beta: entries; and the cost.
  const Seen first("x", 1000, {kAlpha, kBeta});
  EXPECT_EQ(archive.offerPattern(pumpOf("a"), first.get(), random), 5u);
  EXPECT_EQ(archive.size(), 5u);
  set(kBeta, 500);
  EXPECT_EQ(archive.offerPattern(pumpOf("b"), Seen("x", 900, {kBeta}).get(), random), 1u);
  EXPECT_EQ(archive.size(), 5u);
  std::map<std::string, int> seen;
  for (int i = 0; i < 500; ++i)
    ++seen[kept()];
  EXPECT_NEAR(seen["b"], 100, 50) << "one cell of five";
  EXPECT_EQ(seen["a"] + seen["b"], 500);
}

TEST_F(ArchiveTest, ParentsAreThoseThatExceedTheirSize) {
  set(kAlpha, 100);
  archive.offerPattern(pumpOf("a"), Seen("x", 10, {kAlpha}).get(), random);
  set(kBeta, 1u << 20);
  archive.offerPattern(pumpOf("b"), Seen("x", 10, {kBeta}).get(), random);
  std::map<std::string, int> picked;
  for (int i = 0; i < 200; ++i) {
    const Cell *cell = archive.pick(random);
    ++picked[pumpText(cell->pattern)];
  }
  EXPECT_GT(picked["b"], picked["a"]) << "2^20 executions at 64 bytes";
  EXPECT_GT(picked["a"], 0);
}

TEST_F(ArchiveTest, ParentsTriedInVainStandBack) {
  offer("a", 1000);
  Cell *cell = archive.pick(random);
  EXPECT_EQ(cell->picked, 1u);
  EXPECT_EQ(archive.pick(random)->picked, 2u);
  offer("b", 1010);
  EXPECT_EQ(cell->picked, 2u) << "a small gain changes nothing";
  offer("c", 2000);
  EXPECT_EQ(cell->picked, 0u) << "progress does";
}

TEST_F(ArchiveTest, MoreRegionsThanCellsDoNoHarm) {
  for (perfidy_loop &loop : manyLoops)
    loop.header = 1, loop.preheader = PERFIDY_NONE;
  set(kMany, 1, 100);
  const Seen seen("x", 10, {kMany});
  const unsigned won = archive.offerPattern(pumpOf("a"), seen.get(), random);
  EXPECT_EQ(archive.size(), won);
  EXPECT_LE(archive.size(), Archive::kCells);
  EXPECT_GT(archive.size(), Archive::kCells / 2);
  for (int i = 0; i < 100; ++i)
    EXPECT_EQ(kept(), "a");
}

TEST_F(ArchiveTest, KeepsBothEndsPerSize) {
  EXPECT_TRUE(offerInput("aaaaaaaa", 10));
  EXPECT_TRUE(offerInput("aaaaaaaaaaaaaaaa", 5));
  EXPECT_TRUE(offerInput("bbbbbbbb", 11));
  EXPECT_FALSE(offerInput("cccccccc", 9));
  EXPECT_EQ(dearest(8), "bbbbbbbb");
  EXPECT_EQ(dearest(16), "aaaaaaaaaaaaaaaa");
  EXPECT_EQ(archive.dearest(archive.levelOf(8)).cost, 11u);
  EXPECT_EQ(archive.cheapest(archive.levelOf(8)).cost, 9u);
}

TEST_F(ArchiveTest, InputTiesDriftButAreNoProgress) {
  EXPECT_TRUE(offerInput("aaaaaaaa", 10));
  EXPECT_FALSE(offerInput("bbbbbbbb", 10));
  EXPECT_EQ(dearest(8), "bbbbbbbb");
}

TEST_F(ArchiveTest, LevelsAreTheSearchSizeHalved) {
  EXPECT_EQ(archive.levelOf(1024), 0u);
  EXPECT_EQ(archive.levelOf(8), archive.levels() - 1);
  for (size_t other : {0, 4, 7, 9, 2048})
    EXPECT_EQ(archive.levelOf(other), Archive::kNoLevel);
  EXPECT_FALSE(offerInput("aaaaaaa", 10));
  EXPECT_FALSE(offerInput(std::string(2048, 'a'), 10));
  Archive odd;
  ASSERT_TRUE(odd.start(100));
  EXPECT_EQ(odd.levels(), 4u);
  EXPECT_EQ(odd.levelOf(12), 3u) << "100, 50, 25, 12";
}

TEST_F(ArchiveTest, KeepsPlainInputsPerRegion) {
  std::string first(1024, 'a'), second(1024, 'b');
  set(kAlpha, 1, 500);
  EXPECT_TRUE(archive.offerInput(Seen(first, 900, {kAlpha}).get()).regions);
  set(kAlpha, 1, 600);
  Offered offered = archive.offerInput(Seen(second, 800, {kAlpha}).get());
  EXPECT_FALSE(offered.dearer);
  EXPECT_EQ(offered.regions, 1u) << "alpha's loop count, though the run is cheaper";
  std::map<char, int> picked;
  for (int i = 0; i < 300; ++i)
    ++picked[static_cast<char>(archive.pickPlain(random)->bytes[0])];
  EXPECT_GT(picked['a'], 0);
  EXPECT_GT(picked['b'], 0);
}

TEST_F(ArchiveTest, GrowthComesFromTheHalfSize) {
  offer("a", 4000);
  const Cell &cell = archive.cell(0);
  EXPECT_EQ(Archive::growth(cell), 8) << "unknown: taken for linear";
  archive.noteHalf(pumpOf("b"), 1);
  EXPECT_EQ(Archive::growth(cell), 8) << "another pattern";
  archive.noteHalf(pumpOf("a"), 1000);
  EXPECT_EQ(Archive::growth(cell), 16) << "quadratic: 16 eighths";
  offer("c", 9000);
  EXPECT_EQ(Archive::growth(cell), 8) << "a new pattern";
}

TEST_F(ArchiveTest, ClassesAreCostFunctionsNotPatterns) {
  set(kAlpha, 100);
  archive.offerPattern(pumpOf("a"), Seen("x", 4000, {kAlpha}).get(), random);
  set(kBeta, 100);
  archive.offerPattern(pumpOf("b"), Seen("x", 4000, {kBeta}).get(), random);
  EXPECT_EQ(archive.classes(), 1u);
  archive.noteHalf(pumpOf("b"), 1000);
  EXPECT_EQ(archive.classes(), 2u) << "same cost, other growth";
}

} // namespace
} // namespace perfidy
