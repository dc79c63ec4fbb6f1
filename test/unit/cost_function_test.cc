#include "explainer/cost_function.h"

#include "explainer/shape_fit.h"
#include "runtime/trace.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <gtest/gtest.h>
#include <limits>

namespace perfidy {
namespace {

using Cost = std::function<double(double)>;

std::vector<double> doublings(double first, int count) {
  std::vector<double> result;
  for (int i = 0; i < count; ++i)
    result.push_back(first * std::exp2(i));
  return result;
}

std::vector<SizeCost> measure(const std::vector<double> &sizes, const Cost &cost) {
  std::vector<SizeCost> result;
  for (double size : sizes)
    result.push_back({size, std::floor(cost(size)), false});
  return result;
}

/// Multiplies the costs by 1 - spread .. 1 + spread, the same way each time.
std::vector<SizeCost> disturb(std::vector<SizeCost> points, double spread) {
  uint32_t state = 7;
  for (SizeCost &point : points) {
    state = state * 1664525u + 1013904223u;
    point.cost *= 1 + spread * (static_cast<double>(state) / 2147483648.0 - 1);
  }
  return points;
}

struct Known {
  Shape shape;
  Cost cost;
};

const std::vector<Known> kKnown = {
    {Shape::Constant, [](double) { return 1234567.0; }},
    {Shape::Log, [](double n) { return 3000 * std::log2(n) + 50; }},
    {Shape::Linear, [](double n) { return 12 * n + 300; }},
    {Shape::LinearLog, [](double n) { return 5 * n * std::log2(n) + 100; }},
    {Shape::Power, [](double n) { return 30 * std::pow(n, 1.5) + 50; }},
    {Shape::Quadratic, [](double n) { return 3 * n * n + 2000; }},
    {Shape::Cubic, [](double n) { return 3 * n * n * n + 100000; }},
};

TEST(CostFunction, KnownShapesFromFourToTenRungs) {
  for (int count = 5; count <= 11; ++count)
    for (const Known &known : kKnown) {
      const CostFunction fit = fitCostFunction(measure(doublings(64, count), known.cost));
      EXPECT_EQ(fit.shape, known.shape) << count << " " << fit.formula();
      EXPECT_EQ(fit.rungs, count - 1);
      EXPECT_EQ(fit.heldOutSize, 64 * std::exp2(count - 1));
      EXPECT_LT(fit.heldOutError, 0.01) << fit.formula();
      EXPECT_EQ(fit.note, "");
      EXPECT_LE(fit.exponentLow, fit.exponent);
      EXPECT_GE(fit.exponentHigh, fit.exponent);
    }
}

TEST(CostFunction, KnownShapesUnderNoise) {
  for (const Known &known : kKnown) {
    const auto points = disturb(measure(doublings(64, 9), known.cost), 0.03);
    const CostFunction fit = fitCostFunction(points);
    EXPECT_EQ(fit.shape, known.shape) << fit.formula();
    EXPECT_LT(fit.heldOutError, 0.15) << fit.formula();
  }
}

TEST(CostFunction, CoefficientsAreRecovered) {
  const auto sizes = doublings(64, 7);
  const CostFunction fit =
      fitCostFunction(measure(sizes, [](double n) { return 3 * n * n + 2000; }));
  EXPECT_NEAR(fit.factor, 3, 1e-6);
  EXPECT_NEAR(fit.intercept, 2000, 1e-2);
  EXPECT_EQ(fit.formula(), "3 n^2 + 2000");
  EXPECT_NEAR(fit.at(100), 32000, 1e-2);
}

TEST(CostFunction, EqualCostsAreConstant) {
  const CostFunction fit = fitCostFunction(measure(doublings(1, 8), [](double) { return 1e18; }));
  EXPECT_EQ(fit.shape, Shape::Constant);
  EXPECT_EQ(fit.exponent, 0);
  EXPECT_EQ(fit.exponentHigh, 0);
  EXPECT_NEAR(fit.at(100), 1e18, 1e6);
}

TEST(CostFunction, ZeroCosts) {
  const CostFunction fit = fitCostFunction(measure(doublings(1, 6), [](double) { return 0; }));
  EXPECT_EQ(fit.shape, Shape::Constant);
  EXPECT_EQ(fit.at(8), 0);
  EXPECT_EQ(fit.formula(), "0");
}

TEST(CostFunction, MixedPolynomialHasTheSlopeOfItsTop) {
  for (int count : {5, 6, 7, 8}) {
    const auto cost = [](double n) { return 3 * n * n + 400 * n + 1000; };
    const CostFunction fit =
        fitCostFunction(measure(doublings(4096 / std::exp2(count - 1), count), cost));
    const double n = fit.largestFitted;
    const double slope = (6 * n * n + 400 * n) / cost(n);
    EXPECT_NEAR(fit.localExponent, slope, 0.2) << count << " " << fit.formula();
    EXPECT_NEAR(fit.exponent, 2, 0.2) << count << " " << fit.formula();
    EXPECT_GE(fit.exponentHigh, slope - 0.05);
    EXPECT_TRUE(fit.shape == Shape::Quadratic || fit.shape == Shape::Power) << fit.formula();
  }
}

TEST(CostFunction, GrowthBesideLinearWorkIsSeenForWhatItIs) {
  // At the largest fitted size the quadratic part is 40 and 25 % of the cost.
  for (double linear : {3e3, 6e3}) {
    const auto cost = [&](double n) { return 0.5 * n * n + linear * n + 5000; };
    const CostFunction fit = fitCostFunction(measure(doublings(32, 9), cost));
    EXPECT_EQ(fit.shape, Shape::Quadratic) << fit.formula();
    EXPECT_NEAR(fit.linear, linear, linear * 0.02) << fit.formula();
    EXPECT_NEAR(fit.factor, 0.5, 0.02);
    EXPECT_EQ(fit.exponent, 2);
    EXPECT_LT(fit.localExponent, 1.5);
    EXPECT_LT(fit.heldOutError, 0.01);
  }
}

TEST(CostFunction, GrowthThatIsHardlyThereIsNotClaimed) {
  const auto cost = [](double n) { return 0.02 * n * n + 6000 * n; }; // 1 % at the top
  const CostFunction fit = fitCostFunction(measure(doublings(32, 8), cost));
  EXPECT_NEAR(fit.exponent, 1, 0.05) << fit.formula();
}

TEST(CostFunction, ExponentialOnSmallSizes) {
  for (double rate : {0.5, 1.0, 1.5})
    for (double intercept : {0.0, 200.0}) {
      std::vector<double> sizes;
      for (double n = 4; n <= 24; n += 2)
        sizes.push_back(n);
      const auto cost = [&](double n) { return 30 * std::exp2(rate * n) + intercept; };
      const CostFunction fit = fitCostFunction(measure(sizes, cost));
      EXPECT_EQ(fit.shape, Shape::Exponential) << fit.formula();
      EXPECT_NEAR(fit.power, rate, 0.01);
      EXPECT_NEAR(fit.exponent, rate * 22 * std::log(2), 0.2);
    }
}

TEST(CostFunction, PowersOnSmallSizesAreNotExponential) {
  std::vector<double> sizes;
  for (double n = 4; n <= 24; n += 2)
    sizes.push_back(n);
  for (double power : {2.0, 3.0, 4.0, 5.0}) {
    const CostFunction fit =
        fitCostFunction(measure(sizes, [&](double n) { return std::pow(n, power); }));
    EXPECT_NE(fit.shape, Shape::Exponential);
    EXPECT_NEAR(fit.exponent, power, 0.05);
  }
}

TEST(CostFunction, JumpAtTheLastRungIsNoGrowthLaw) {
  const auto points =
      measure(doublings(64, 9), [](double n) { return n < 64 * 128 ? 1000 : 30000; });
  const CostFunction fit = fitCostFunction(points);
  EXPECT_NE(fit.shape, Shape::Exponential);
  EXPECT_NE(fit.shape, Shape::Power);
  EXPECT_GT(fit.exponentHigh - fit.exponentLow, 1) << "such data must not look certain";
}

TEST(CostFunction, StepsOfAGrowingTableAreLinear) {
  const std::vector<double> sizes = {100, 170, 290, 490, 830, 1400, 2400, 4100, 7000, 12000};
  const auto cost = [](double n) { return 40 * n + 10 * std::exp2(std::ceil(std::log2(n))); };
  const CostFunction fit = fitCostFunction(measure(sizes, cost));
  EXPECT_EQ(fit.shape, Shape::Linear) << fit.formula();
  EXPECT_LT(fit.heldOutError, 0.1);
}

TEST(CostFunction, LargeInterceptDoesNotHideGrowth) {
  const auto cost = [](double n) { return 100000 + n * n / 100; };
  const CostFunction fit = fitCostFunction(measure(doublings(256, 8), cost));
  EXPECT_EQ(fit.shape, Shape::Quadratic);
  EXPECT_NEAR(fit.intercept, 100000, 100);
}

TEST(CostFunction, FallingCostIsConstantWithANote) {
  const CostFunction fit =
      fitCostFunction(measure(doublings(4, 8), [](double n) { return 1e6 / n; }));
  EXPECT_EQ(fit.shape, Shape::Constant);
  EXPECT_NE(fit.note.find("no shape fits well"), std::string::npos);
}

TEST(CostFunction, MedianPerSize) {
  auto points = measure(doublings(64, 7), [](double n) { return 10 * n; });
  const size_t count = points.size();
  for (size_t i = 0; i < count; ++i) {
    points.push_back(points[i]);
    points.push_back({points[i].size, points[i].cost * 50, false}); // one outlier per size
  }
  const CostFunction fit = fitCostFunction(points);
  EXPECT_EQ(fit.shape, Shape::Linear);
  EXPECT_NEAR(fit.factor, 10, 1e-9);
  EXPECT_EQ(fit.rungs, 6);
}

TEST(CostFunction, CensoredCostIsALowerBound) {
  auto points = disturb(measure(doublings(64, 6), [](double n) { return 10 * n; }), 0.1);
  const CostFunction free = fitCostFunction(points, {false, 4});
  points.push_back({4096, 30000, true});
  EXPECT_EQ(fitCostFunction(points, {false, 4}).formula(), free.formula())
      << "a bound that the model keeps anyway changes nothing";
  const double before = fitShape(makeFitPoints(points), Shape::Linear).factor;
  points.back().cost = 60000;
  const ShapeFit pulled = fitShape(makeFitPoints(points), Shape::Linear);
  EXPECT_GT(pulled.factor, 1.02 * before);
  const CostFunction fit = fitCostFunction(points, {false, 4});
  EXPECT_EQ(fit.rungs, 6);
  EXPECT_EQ(fit.largestFitted, 2048);
}

TEST(CostFunction, CensoredCostDecidesTheShape) {
  // Up to 256 the quadratic part is within the noise; the bounds above tell.
  auto points =
      disturb(measure({32, 64, 128, 256}, [](double n) { return 1000 + n * n / 100; }), 0.15);
  EXPECT_LT(fitCostFunction(points).exponent, 1);
  for (double n : {1024.0, 2048.0, 4096.0, 8192.0})
    points.push_back({n, 1000 + n * n / 100, true});
  const CostFunction fit = fitCostFunction(points);
  EXPECT_TRUE(fit.shape == Shape::Quadratic || fit.shape == Shape::Power) << fit.formula();
}

TEST(CostFunction, TooFewSizesAreUnknown) {
  EXPECT_EQ(fitCostFunction({}).shape, Shape::Unknown);
  EXPECT_EQ(fitCostFunction({}).note, "not enough sizes: 0 of at least 4");
  const CostFunction one = fitCostFunction({{64, 100, false}});
  EXPECT_EQ(one.shape, Shape::Unknown);
  EXPECT_EQ(one.formula(), "unknown");
  EXPECT_EQ(one.rungs, 1);
  const CostFunction censored =
      fitCostFunction({{1, 1, true}, {2, 1, true}, {4, 1, true}, {8, 1, true}});
  EXPECT_EQ(censored.shape, Shape::Unknown);
}

TEST(CostFunction, WithTheLeastNumberOfSizesNoneIsHeldOut) {
  const CostFunction fit =
      fitCostFunction(measure(doublings(64, 4), [](double n) { return n * n; }));
  EXPECT_EQ(fit.shape, Shape::Quadratic);
  EXPECT_EQ(fit.heldOutError, -1);
  EXPECT_EQ(fit.note, "too few sizes to hold one out");
}

TEST(CostFunction, PointsThatAreNoNumbersAreIgnored) {
  auto points = measure(doublings(64, 7), [](double n) { return 10 * n; });
  const std::string clean = fitCostFunction(points).formula();
  const double nan = std::numeric_limits<double>::quiet_NaN();
  points.push_back({nan, 1, false});
  points.push_back({64, nan, false});
  points.push_back({64, std::numeric_limits<double>::infinity(), false});
  points.push_back({-3, 1, false});
  points.push_back({0, 1, false});
  EXPECT_EQ(fitCostFunction(points).formula(), clean);
}

TEST(CostFunction, RefusesToExtrapolateFar) {
  const CostFunction fit =
      fitCostFunction(measure(doublings(64, 7), [](double n) { return 10 * n; }));
  EXPECT_NEAR(fit.at(8192), 81920, 1e-6); // twice the held-out size
  EXPECT_THROW(fit.at(8193), Error);
}

TEST(CostFunction, OrderOfPointsDoesNotMatter) {
  auto points = disturb(measure(doublings(64, 8), [](double n) { return n * n; }), 0.1);
  const CostFunction forward = fitCostFunction(points);
  std::reverse(points.begin(), points.end());
  const CostFunction backward = fitCostFunction(points);
  EXPECT_EQ(forward.exponent, backward.exponent);
  EXPECT_EQ(forward.exponentLow, backward.exponentLow);
}

TEST(ShapeFit, CoefficientsAreNeverNegative) {
  const FitPoints falling =
      makeFitPoints(measure(doublings(4, 6), [](double n) { return 1e6 / n; }));
  const FitPoints bent =
      makeFitPoints(measure(doublings(16, 6), [](double n) { return n * n - 100; }));
  for (const FitPoints &ladder : {falling, bent})
    for (int shape = 0; shape < static_cast<int>(Shape::Unknown); ++shape) {
      const ShapeFit fit = fitShape(ladder, static_cast<Shape>(shape));
      EXPECT_GE(fit.intercept, 0);
      EXPECT_GE(fit.factor, 0);
    }
  EXPECT_GT(fitShape(falling, Shape::Linear).intercept, 0);
  EXPECT_GT(fitShape(bent, Shape::Linear).factor, 0);
}

TEST(GrowthExponent, PowersAndDegenerateCases) {
  EXPECT_NEAR(growthExponent(measure(doublings(64, 8), [](double n) { return n * n; })), 2, 1e-9);
  EXPECT_EQ(growthExponent(measure(doublings(64, 8), [](double) { return 5; })), 0);
  EXPECT_EQ(growthExponent({}), 0);
  EXPECT_EQ(growthExponent({{64, 3, false}}), 0);
  EXPECT_EQ(growthExponent({{64, 3, false}, {64, 9, false}}), 0);
  EXPECT_NEAR(growthExponent({{1, 1, false}, {2, 2, false}}), 1, 1e-9);
  EXPECT_NEAR(growthExponent({{1, 0, false}, {2, 0, false}}), 0, 1e-9);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_NEAR(growthExponent({{1, 1, false}, {2, nan, false}, {4, 4, false}}), 1, 1e-9);
}

TEST(GrowthExponent, LooksAtTheUpperHalf) {
  const auto cost = [](double n) { return n < 500 ? 100 : n * n; };
  EXPECT_NEAR(growthExponent(measure(doublings(64, 8), cost)), 2, 1e-9);
}

} // namespace
} // namespace perfidy
