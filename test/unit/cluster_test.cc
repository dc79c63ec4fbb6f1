#include "explainer/cluster.h"

#include <cmath>
#include <functional>
#include <gtest/gtest.h>
#include <limits>

namespace perfidy {
namespace {

CostCurve curve(const std::function<double(double)> &cost, int rungs = 7) {
  CostCurve result;
  for (int i = 0; i < rungs; ++i)
    result[uint64_t{64} << i] = cost(64 * std::exp2(i));
  return result;
}

CostCurve line(double factor) {
  return curve([factor](double n) { return factor * n; });
}
CostCurve square(double factor) {
  return curve([factor](double n) { return factor * n * n; });
}

TEST(CurveDistance, IsTheWeightedMeanOfLogRatios) {
  EXPECT_EQ(curveDistance(line(3), line(3)), 0);
  EXPECT_NEAR(curveDistance(line(1), line(8)), 3, 1e-12);
  // differences 0, 1, 2, 3: the upper two count twice
  const CostCurve a = {{1, 8}, {2, 8}, {4, 8}, {8, 8}}, b = {{1, 8}, {2, 16}, {4, 32}, {8, 64}};
  EXPECT_NEAR(curveDistance(a, b), 11.0 / 6, 1e-12);
  EXPECT_EQ(curveDistance(a, b), curveDistance(b, a));
}

TEST(CurveDistance, ComparesCommonSizesOnly) {
  EXPECT_NEAR(curveDistance({{1, 4}, {2, 4}}, {{2, 16}, {4, 1}}), 2, 1e-12);
  EXPECT_TRUE(std::isinf(curveDistance({{1, 4}}, {{2, 4}})));
  EXPECT_TRUE(std::isinf(curveDistance({}, {{2, 4}})));
  EXPECT_EQ(curveDistance({{1, 0}}, {{1, 1}}), 0) << "costs below one count as one";
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(curveDistance({{1, nan}, {2, 4}}, {{1, 4}, {2, 4}}), 0);
}

TEST(ClusterCurves, EmptyAndSingle) {
  EXPECT_EQ(clusterCurves({}).count, 0);
  const Clustering one = clusterCurves({line(1)});
  EXPECT_EQ(one.count, 1);
  EXPECT_EQ(one.label, std::vector<int>{0});
  EXPECT_EQ(one.medoid, std::vector<size_t>{0});
  EXPECT_EQ(one.silhouette, 0);
}

TEST(ClusterCurves, EqualCurvesAreOneCluster) {
  const Clustering result = clusterCurves({line(1), line(1), line(1), line(1)});
  EXPECT_EQ(result.count, 1);
  EXPECT_EQ(result.medoid, std::vector<size_t>{0});
  EXPECT_EQ(result.label, (std::vector<int>{0, 0, 0, 0}));
}

TEST(ClusterCurves, CloserThanTheRatioIsOneCluster) {
  EXPECT_EQ(clusterCurves({line(10), line(10), line(19), line(19)}).count, 1);
  EXPECT_EQ(clusterCurves({line(10), line(10), line(21), line(21)}).count, 2);
  EXPECT_EQ(clusterCurves({line(10), line(10), line(21), line(21)}, {4, 8}).count, 1);
}

TEST(ClusterCurves, LabelsAscendByCost) {
  const Clustering result =
      clusterCurves({square(1), line(10), square(1.1), line(11), line(9.5), square(0.95)});
  EXPECT_EQ(result.count, 2);
  EXPECT_EQ(result.label, (std::vector<int>{1, 0, 1, 0, 0, 1}));
  EXPECT_EQ(result.medoid, (std::vector<size_t>{1, 0}));
  EXPECT_GT(result.silhouette, 0.9);
}

TEST(ClusterCurves, OneSlowCurveAmongMany) {
  std::vector<CostCurve> curves;
  for (int i = 0; i < 20; ++i)
    curves.push_back(line(10 + 0.1 * i));
  curves.push_back(square(5));
  const Clustering result = clusterCurves(curves);
  EXPECT_EQ(result.count, 2);
  EXPECT_EQ(result.label.back(), 1);
  EXPECT_EQ(result.label.front(), 0);
  EXPECT_EQ(result.medoid[1], 20u);
}

TEST(ClusterCurves, TwoCurves) {
  EXPECT_EQ(clusterCurves({line(1), square(1)}).label, (std::vector<int>{0, 1}));
  EXPECT_EQ(clusterCurves({square(1), line(1)}).label, (std::vector<int>{1, 0}));
  EXPECT_EQ(clusterCurves({line(10), line(12)}).count, 1);
}

TEST(ClusterCurves, SeveralClustersUpToTheLimit) {
  std::vector<CostCurve> curves;
  for (int cluster = 0; cluster < 5; ++cluster)
    for (int i = 0; i < 4; ++i)
      curves.push_back(line(std::pow(100, cluster) * (1 + 0.02 * i)));
  const Clustering result = clusterCurves(curves);
  EXPECT_EQ(result.count, 5);
  for (size_t i = 0; i < curves.size(); ++i)
    EXPECT_EQ(result.label[i], static_cast<int>(i / 4));
  EXPECT_LE(clusterCurves(curves, {2, 3}).count, 3);
  EXPECT_EQ(clusterCurves(curves, {2, 1}).count, 1);
}

TEST(ClusterCurves, CurvesWithoutCommonSizesClaimNoDifference) {
  EXPECT_EQ(clusterCurves({{{1, 5}}, {{2, 50000}}}).count, 1);
  EXPECT_EQ(clusterCurves({{}, {}}).count, 1);
  const Clustering result = clusterCurves({line(1), line(1), square(9), square(9), {{7, 100}}});
  EXPECT_EQ(result.label[0], result.label[1]);
  EXPECT_EQ(result.label[2], result.label[3]);
  EXPECT_NE(result.label[0], result.label[2]);
}

TEST(ClusterCurves, ShorterLaddersAreCompared) {
  const auto fast = [](double n) { return n; };
  const auto slow = [](double n) { return n * n; };
  const Clustering result =
      clusterCurves({curve(fast, 7), curve(slow, 4), curve(fast, 6), curve(slow, 3)});
  EXPECT_EQ(result.label, (std::vector<int>{0, 1, 0, 1}));
}

} // namespace
} // namespace perfidy
