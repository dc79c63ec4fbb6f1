#include "fuzzer/climb.h"
#include "fuzzer/grow.h"

#include "sample_functions.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <vector>

namespace perfidy {
namespace {

using namespace sample;

/// Comparisons and exchanges of a quicksort whose pivot is the middle element (Lomuto).
uint64_t sortCost(std::vector<uint8_t> values) {
  uint64_t cost = 0;
  std::vector<std::pair<size_t, size_t>> open = {{0, values.size()}};
  while (!open.empty()) {
    auto [low, high] = open.back();
    open.pop_back();
    if (high - low < 2)
      continue;
    std::swap(values[low], values[low + (high - low) / 2]);
    size_t lower = low;
    for (size_t i = low + 1; i < high; ++i) {
      cost += 2;
      if (values[i] < values[low]) {
        std::swap(values[++lower], values[i]);
        ++cost;
      }
    }
    std::swap(values[low], values[lower]);
    open.push_back({low, lower});
    open.push_back({lower + 1, high});
  }
  return cost;
}

std::string bytesOf(const uint8_t *data, size_t length) {
  return {reinterpret_cast<const char *>(data), length};
}

uint64_t costOf(const std::string &bytes) { return sortCost({bytes.begin(), bytes.end()}); }

/// Dearest of all orders of eight elements, as the climber would have found it.
std::string dearestOfEight() {
  std::string order = {1, 2, 3, 4, 5, 6, 7, 8}, best = order;
  do
    if (costOf(order) > costOf(best))
      best = order;
  while (std::next_permutation(order.begin(), order.end()));
  return best;
}

TEST(Grower, BuildsAnAdversaryOfTheMiddlePivot) {
  static Archive archive;
  static Grower grower;
  ASSERT_TRUE(archive.start(128));
  const std::string start = dearestOfEight();
  archive.offerInput(Seen(start, costOf(start)).get());
  Random random(3);
  uint8_t data[128];
  for (int i = 0; i < 40000; ++i) {
    size_t length = grower.propose(archive, data, sizeof data, random);
    if (length == 0)
      continue;
    ASSERT_LE(length, sizeof data);
    const std::string bytes = bytesOf(data, length);
    Seen seen(bytes, costOf(bytes));
    archive.offerInput(seen.get());
    grower.learn(seen.get(), archive);
  }
  // All comparisons of the worst case: 2 per pair of elements; random orders have a tenth of it.
  EXPECT_GT(archive.dearest(0).cost, 128u * 127 * 95 / 100);
}

TEST(Grower, HasNothingToGrowFromAtFirst) {
  static Archive archive;
  static Grower grower;
  ASSERT_TRUE(archive.start(128));
  Random random(1);
  uint8_t data[128];
  EXPECT_EQ(grower.propose(archive, data, sizeof data, random), 0u);
  EXPECT_FALSE(grower.learn(Seen("x", 1).get(), archive));
}

TEST(Climber, SortsDownAnInsertionSort) {
  static Archive archive;
  Climber climber;
  ASSERT_TRUE(archive.start(32));
  Random random(2);
  uint8_t data[32] = {};
  for (int i = 0; i < 30000; ++i) {
    size_t length = climber.propose(archive, nullptr, data, 8, sizeof data, random);
    ASSERT_NE(archive.levelOf(length), Archive::kNoLevel);
    uint64_t inversions = 0;
    for (size_t a = 0; a < length; ++a)
      for (size_t b = a + 1; b < length; ++b)
        inversions += data[a] > data[b];
    climber.learn(archive.offerInput(Seen(bytesOf(data, length), inversions).get()).dearer);
  }
  EXPECT_GT(archive.dearest(0).cost, 32u * 31 / 2 * 97 / 100);
  EXPECT_EQ(archive.dearest(2).cost, 8u * 7 / 2);
}

TEST(Projection, FillsAnyLengthFromAnyHalf) {
  Random random(4);
  std::vector<uint8_t> out(600);
  for (int i = 0; i < 5000; ++i) {
    const std::string half(1 + random.below(300), 'h');
    size_t length = 1 + random.below(600);
    std::fill(out.begin(), out.end(), uint8_t{0});
    projectInput(
        reinterpret_cast<const uint8_t *>(half.data()), half.size(), out.data(), length, random);
    EXPECT_EQ(std::count(out.begin(), out.end(), 'h'), std::ptrdiff_t(length));
  }
}

} // namespace
} // namespace perfidy
