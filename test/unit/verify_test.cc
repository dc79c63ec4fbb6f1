#include "tools/verify.h"

#include <cmath>
#include <gtest/gtest.h>

namespace perfidy {
namespace {

// cost(n) = factor * n^power at the sizes.
std::vector<SizeCost> side(double factor, double power, std::vector<double> sizes) {
  std::vector<SizeCost> points;
  for (double size : sizes)
    points.push_back({size, std::floor(factor * std::pow(size, power)), false});
  return points;
}

Curve curveOf(const std::vector<SizeCost> &points, double exponent) {
  Curve curve;
  curve.model = "n^p";
  curve.exponent = exponent;
  for (const SizeCost &point : points)
    curve.points.push_back(
        {static_cast<uint64_t>(point.size), static_cast<uint64_t>(point.cost), false, false});
  return curve;
}

const std::vector<double> kRecorded = {256, 512, 1024}, kAll = {256, 512, 1024, 2048, 4096, 8192};

// A quadratic slow side against a linear fast one.
Finding growing() {
  Finding finding;
  finding.id = "id";
  finding.kind = "differential";
  finding.gap.kind = "polynomial";
  finding.gap.size = 1024;
  finding.slow = curveOf(side(3, 2, kRecorded), 2);
  finding.fast = curveOf(side(20, 1, kRecorded), 1);
  finding.pattern = PatternText{"", "(", "", "", ""};
  return finding;
}

Verdict judge(const std::vector<SizeCost> &slow, const std::vector<SizeCost> &fast) {
  return judgeFinding(growing(), {slow, fast}, 2).verdict;
}

TEST(JudgeFinding, EqualCountsAreUnchanged) {
  const Verification out = judgeFinding(growing(), {side(3, 2, kAll), side(20, 1, kAll)}, 2);
  EXPECT_EQ(out.verdict, Verdict::Unchanged);
  EXPECT_EQ(out.reason, "every count is what it was");
}

TEST(JudgeFinding, NearlyEqualGrowthIsUnchanged) {
  EXPECT_EQ(judge(side(3.2, 2, kAll), side(21, 1, kAll)), Verdict::Unchanged);
}

TEST(JudgeFinding, LinearNowIsFixed) {
  EXPECT_EQ(judge(side(30, 1, kAll), side(20, 1, kAll)), Verdict::Fixed);
  EXPECT_EQ(judge(side(900, 1, kAll), side(20, 1, kAll)), Verdict::Fixed)
      << "a constant factor is not what was found";
}

TEST(JudgeFinding, GrowthThatBendsBehindTheRecordedSizesIsFixed) {
  std::vector<SizeCost> slow = side(2, 2, {256, 512, 1024});
  for (double size : {2048.0, 4096.0, 8192.0})
    slow.push_back({size, slow.back().cost * 2.1, false});
  EXPECT_EQ(judge(slow, side(20, 1, kAll)), Verdict::Fixed);
}

TEST(JudgeFinding, CheaperButStillQuadraticIsChanged) {
  EXPECT_EQ(judge(side(1, 2, kAll), side(20, 1, kAll)), Verdict::Changed);
  EXPECT_EQ(judge(side(9, 2, kAll), side(20, 1, kAll)), Verdict::Changed);
}

TEST(JudgeFinding, StoppedRunsAreLowerBounds) {
  std::vector<SizeCost> slow = side(3.1, 2, kAll);
  slow.push_back({16384, slow.back().cost * 1.05, true});
  EXPECT_EQ(judge(slow, side(20, 1, kAll)), Verdict::Unchanged)
      << "the bound says less than the complete sizes";
}

TEST(JudgeFinding, NothingRunIsUnknown) {
  EXPECT_EQ(judge({}, {}), Verdict::Unknown);
  Finding outlier;
  outlier.kind = "outlier";
  EXPECT_EQ(judgeFinding(outlier, {}, 2).verdict, Verdict::Unknown);
}

Finding dearInput(const std::string &kind) {
  Finding finding;
  finding.kind = kind;
  finding.gap.kind = "unknown";
  finding.gap.size = 10;
  finding.slow.model = "unknown";
  finding.slow.exponent = std::nan("");
  finding.slow.points = {{10, 100'000, false, kind == "timeout"}};
  finding.pair.size = 10;
  finding.pair.slowCost = 100'000;
  finding.pair.fastCost = 5'000;
  return finding;
}

TEST(JudgeFinding, WithoutGrowthTheRatioDecides) {
  const Finding outlier = dearInput("outlier");
  auto verdict = [&](double slow, double fast) {
    return judgeFinding(outlier, {{{10, slow, false}}, {{10, fast, false}}}, 2).verdict;
  };
  EXPECT_EQ(verdict(105'000, 5'000), Verdict::Unchanged);
  EXPECT_EQ(verdict(6'000, 5'000), Verdict::Fixed);
  EXPECT_EQ(verdict(300'000, 5'000), Verdict::Changed);
}

TEST(JudgeFinding, TimeoutsThatEndEarlyAreFixed) {
  const Finding timeout = dearInput("timeout");
  EXPECT_EQ(judgeFinding(timeout, {{{10, 4'000, false}}, {}}, 2).verdict, Verdict::Fixed);
  EXPECT_EQ(judgeFinding(timeout, {{{10, 900'000, true}}, {}}, 2).verdict, Verdict::Unchanged);
}

} // namespace
} // namespace perfidy
