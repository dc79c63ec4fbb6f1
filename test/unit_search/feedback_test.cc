#include "fuzzer/feedback.h"

#include "sample_functions.h"

#include <cstring>
#include <gtest/gtest.h>
#include <set>

// The engine finds the features by these names.
extern "C" uint8_t __start___libfuzzer_extra_counters[], __stop___libfuzzer_extra_counters[];

namespace perfidy {
namespace {

using namespace sample;

using Slots = std::set<size_t>;

Slots published(const Seen &seen) {
  std::memset(__start___libfuzzer_extra_counters, 0, kFeatureSlots);
  publishFeatures(seen.get());
  Slots slots;
  for (size_t i = 0; i < kFeatureSlots; ++i)
    if (__start___libfuzzer_extra_counters[i])
      slots.insert(i);
  return slots;
}

std::vector<Observation> observed(const Seen &seen) {
  std::vector<Observation> all;
  observe(seen.get(), [&](const Observation &observation) { all.push_back(observation); });
  return all;
}

class Feedback : public testing::Test {
protected:
  void SetUp() override { clearCounters(); }
};

TEST_F(Feedback, SectionIsThereAndAsLargeAsItSays) {
  EXPECT_EQ(
      static_cast<size_t>(__stop___libfuzzer_extra_counters - __start___libfuzzer_extra_counters),
      kFeatureSlots);
}

TEST_F(Feedback, ObservesEveryQuantityInOrder) {
  set(kBeta, 10, 50, 9, 800);
  const std::vector<Observation> all = observed(Seen("12345678", 77, {kBeta}));
  ASSERT_EQ(all.size(), 6u);
  const uint64_t beta = uint64_t(kBeta) << 32;
  const Observation expected[] = {{Quantity::Cost, 0, 77},
                                  {Quantity::Entries, beta, 10},
                                  {Quantity::LoopCount, beta, 50},
                                  {Quantity::LoopPerEntry, beta, 50 * 256 / 10},
                                  {Quantity::LoopCount, beta | 1, 9},
                                  {Quantity::Work, beta, 800}};
  for (size_t i = 0; i < all.size(); ++i) {
    EXPECT_EQ(all[i].quantity, expected[i].quantity) << i;
    EXPECT_EQ(all[i].region, expected[i].region) << i;
    EXPECT_EQ(all[i].value, expected[i].value) << i;
  }
}

TEST_F(Feedback, NothingBelowEightIsObserved) {
  set(kAlpha, 7, 7, 7, 7);
  EXPECT_EQ(observed(Seen("12345678", 7, {kAlpha})).size(), 1u) << "the total cost only";
  set(kAlpha, 8, 7, 7, 7);
  EXPECT_EQ(observed(Seen("12345678", 7, {kAlpha})).size(), 2u);
}

TEST_F(Feedback, LoopsEnteredOnceAreNotToldTwice) {
  set(kAlpha, 1, 50);
  const std::vector<Observation> all = observed(Seen("12345678", 7, {kAlpha}));
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[1].quantity, Quantity::LoopCount);
}

TEST_F(Feedback, OnlyTouchedFunctionsAreObserved) {
  set(kAlpha, 100, 100);
  set(kBeta, 100, 100);
  EXPECT_EQ(observed(Seen("12345678", 7, {kAlpha})).size(), 4u);
  EXPECT_EQ(observed(Seen("12345678", 7, {kAlpha, kBeta})).size(), 7u);
}

TEST_F(Feedback, FeaturesAreAPureFunctionOfTheRun) {
  set(kAlpha, 10, 50, 90, 800);
  const Seen seen(std::string(64, 'a'), 1000, {kAlpha});
  const Slots first = published(seen);
  EXPECT_EQ(first.size(), 6u) << "one slot per observation";
  set(kBeta, 1000, 1000);
  EXPECT_NE(published(Seen(std::string(64, 'a'), 5000, {kBeta})), first);
  EXPECT_EQ(published(seen), first) << "whatever ran in between";
  EXPECT_EQ(published(Seen(std::string(64, 'b'), 1000, {kAlpha})), first)
      << "counts and size, not bytes";
}

TEST_F(Feedback, CountsOfOneOctaveAreOneFeature) {
  set(kAlpha, 16);
  const Slots base = published(Seen(std::string(64, 'a'), 1000, {kAlpha}));
  set(kAlpha, 31);
  EXPECT_EQ(published(Seen(std::string(64, 'a'), 1000, {kAlpha})), base);
  set(kAlpha, 32);
  EXPECT_NE(published(Seen(std::string(64, 'a'), 1000, {kAlpha})), base);
}

TEST_F(Feedback, AnotherOctaveOfTheSizeIsAnotherFeature) {
  set(kAlpha, 16, 40);
  const Slots base = published(Seen(std::string(64, 'a'), 1000, {kAlpha}));
  EXPECT_EQ(published(Seen(std::string(127, 'a'), 1000, {kAlpha})), base);
  for (size_t slot : published(Seen(std::string(128, 'a'), 1000, {kAlpha})))
    EXPECT_EQ(base.count(slot), 0u) << "a feature of both sizes";
}

TEST_F(Feedback, FeaturesDoNotDependOnLinkOrder) {
  set(kAlpha, 10, 50, 90, 800);
  set(kAlphaAgain, 10, 50, 90, 800);
  set(kBeta, 10, 50, 90, 800);
  const Slots alpha = published(Seen(std::string(64, 'a'), 1000, {kAlpha}));
  EXPECT_EQ(published(Seen(std::string(64, 'a'), 1000, {kAlphaAgain})), alpha);
  EXPECT_NE(published(Seen(std::string(64, 'a'), 1000, {kBeta})), alpha);
}

TEST_F(Feedback, CostIsKeptInEighthsOfAnOctave) {
  auto slot = [](uint64_t cost) { return featureSlot({Quantity::Cost, 0, cost}, 0, 64); };
  std::set<size_t> slots;
  for (uint64_t cost = 1024; cost < 2048; ++cost)
    slots.insert(slot(cost));
  EXPECT_EQ(slots.size(), 8u);
  EXPECT_EQ(slot(1024), slot(1151));
  EXPECT_NE(slot(1151), slot(1152));
}

TEST_F(Feedback, SlotsStayInsideAndSpread) {
  std::set<size_t> slots;
  for (uint64_t region = 0; region < 2000; ++region) {
    const size_t slot = featureSlot({Quantity::LoopCount, region, 100}, region * 977, 64);
    ASSERT_LT(slot, kFeatureSlots);
    slots.insert(slot);
  }
  EXPECT_GT(slots.size(), 1900u) << "two thousand in 32768 slots: some sixty meet by chance";
}

TEST(Log2Floor, Values) {
  EXPECT_EQ(log2Floor(0), 0u);
  EXPECT_EQ(log2Floor(1), 0u);
  EXPECT_EQ(log2Floor(2), 1u);
  EXPECT_EQ(log2Floor(1023), 9u);
  EXPECT_EQ(log2Floor(1024), 10u);
  EXPECT_EQ(log2Floor(~uint64_t(0)), 63u);
}

} // namespace
} // namespace perfidy
