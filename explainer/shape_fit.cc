#include "explainer/shape_fit.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <map>

namespace perfidy {
namespace {

/// Bounds of the exponent of Power and of the doublings of Exponential over the measured range.
/// Fewer than three doublings look the same as a power.
constexpr double kLeastPower = 0.05, kLargestPower = 6;
constexpr double kLeastDoublings = 3, kMostDoublings = 200;
/// 2^(rate * size) at twice the largest size must stay a finite double.
constexpr double kLargestBits = 450;

double medianOf(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : values[half - 1] / 2 + values[half] / 2;
}

void addRung(FitPoints &ladder, double size, double cost) {
  ladder.size.push_back(size);
  ladder.cost.push_back(cost);
}

/// Least squares |a x - b| with x >= 0. With two unknowns the active set is one comparison: if the
/// free optimum is outside, the optimum lies on one of the axes.
Eigen::Vector2d solveNonNegative(const Eigen::MatrixX2d &a, const Eigen::VectorXd &b) {
  if (a.col(1).squaredNorm() > 0) {
    Eigen::Vector2d x = a.colPivHouseholderQr().solve(b);
    if (x.allFinite() && x.minCoeff() >= 0)
      return x;
  }
  Eigen::Vector2d best(0, 0);
  for (int axis = 0; axis < 2; ++axis) {
    Eigen::Vector2d x(0, 0);
    const double norm = a.col(axis).squaredNorm();
    x[axis] = norm > 0 ? std::max(0.0, a.col(axis).dot(b) / norm) : 0;
    if ((a * x - b).squaredNorm() < (a * best - b).squaredNorm())
      best = x;
  }
  return best;
}

/// Shape with its exponent or rate fixed. A lower bound takes part in the fit as long as the fit
/// falls short of it.
ShapeFit fitFixed(const FitPoints &ladder, Shape shape, double power) {
  const auto count = static_cast<Eigen::Index>(ladder.size.size());
  const double top = *std::max_element(ladder.size.begin(), ladder.size.end());
  const double atTop = growthOf(shape, power, top).value;
  Eigen::MatrixX2d all(count, 2);
  Eigen::VectorXd target(count);
  for (Eigen::Index i = 0; i < count; ++i) {
    const auto at = static_cast<size_t>(i);
    // ShapeGrowth relative to the top keeps both columns of one magnitude, whatever the shape.
    const double growth = atTop > 0 ? growthOf(shape, power, ladder.size[at]).value / atTop : 0;
    all.row(i) << ladder.weight[at], growth * ladder.weight[at];
    target[i] = ladder.cost[at] * ladder.weight[at];
  }
  const auto rungs = static_cast<Eigen::Index>(ladder.rungs);
  Eigen::VectorXd used = Eigen::VectorXd::Zero(count);
  used.head(rungs).setOnes();
  Eigen::Vector2d x;
  Eigen::VectorXd residual;
  constexpr int kRounds = 8;
  for (int round = 0; round < kRounds; ++round) {
    x = solveNonNegative(used.asDiagonal() * all, used.cwiseProduct(target));
    residual = all * x - target;
    Eigen::VectorXd next = used;
    for (Eigen::Index i = rungs; i < count; ++i)
      next[i] = residual[i] < 0 ? 1 : 0;
    if (next == used)
      break;
    used = next;
  }
  residual.tail(count - rungs) = residual.tail(count - rungs).cwiseMin(0);
  return {shape, x[0], atTop > 0 ? x[1] / atTop : 0, power, residual.squaredNorm()};
}

/// Best exponent or rate between the bounds: geometric grid, then golden section (Kiefer 1953) in
/// the bracket of its best point.
ShapeFit fitFree(const FitPoints &ladder, Shape shape, double low, double high) {
  constexpr int kGrid = 96;
  constexpr int kSections = 48;
  const double golden = (std::sqrt(5.0) - 1) / 2;
  const double step = std::log(high / low) / kGrid;
  ShapeFit best;
  int at = 0;
  for (int i = 0; i <= kGrid; ++i) {
    const ShapeFit fit = fitFixed(ladder, shape, low * std::exp(step * i));
    if (fit.squares < best.squares) {
      best = fit;
      at = i;
    }
  }
  double from = std::max(0, at - 1) * step, to = std::min(kGrid, at + 1) * step;
  for (int i = 0; i < kSections; ++i) {
    const ShapeFit left = fitFixed(ladder, shape, low * std::exp(to - golden * (to - from)));
    const ShapeFit right = fitFixed(ladder, shape, low * std::exp(from + golden * (to - from)));
    const bool leftBetter = left.squares <= right.squares;
    const ShapeFit &better = leftBetter ? left : right;
    if (better.squares < best.squares)
      best = better;
    (leftBetter ? to : from) = leftBetter ? from + golden * (to - from) : to - golden * (to - from);
  }
  return best;
}

} // namespace

ShapeGrowth growthOf(Shape shape, double power, double n) {
  const double logN = std::log2(std::max(n, 1.0));
  switch (shape) {
  case Shape::Log: return {logN, n > 1 ? 1 / std::log(2.0) : 0};
  case Shape::Linear: return {n, n};
  case Shape::LinearLog: return {n * logN, n * logN + n / std::log(2.0)};
  case Shape::Power: return {std::pow(n, power), power * std::pow(n, power)};
  case Shape::Quadratic: return {n * n, 2 * n * n};
  case Shape::Cubic: return {n * n * n, 3 * n * n * n};
  case Shape::Exponential:
    return {std::exp2(power * n), power * n * std::log(2.0) * std::exp2(power * n)};
  case Shape::Constant:
  case Shape::Unknown: break;
  }
  return {};
}

double valueOf(const ShapeFit &fit, double size) {
  return fit.intercept + fit.factor * growthOf(fit.shape, fit.power, size).value;
}

double localExponent(const ShapeFit &fit, double size) {
  const double value = valueOf(fit, size);
  const double rise = fit.factor * growthOf(fit.shape, fit.power, size).slope;
  return value > 0 && std::isfinite(rise / value) ? rise / value : 0;
}

FitPoints makeFitPoints(const std::vector<SizeCost> &points) {
  std::map<double, std::vector<double>> measured;
  std::map<double, double> bounds;
  for (const SizeCost &point : points) {
    if (!std::isfinite(point.size) || !std::isfinite(point.cost) || point.size <= 0 ||
        point.cost < 0)
      continue;
    if (point.censored)
      bounds[point.size] = std::max(bounds[point.size], point.cost);
    else
      measured[point.size].push_back(point.cost);
  }
  FitPoints ladder;
  for (const auto &[size, costs] : measured)
    addRung(ladder, size, medianOf(costs));
  ladder.rungs = ladder.size.size();
  for (const auto &[size, cost] : bounds)
    addRung(ladder, size, cost);
  double smallest = std::numeric_limits<double>::infinity();
  for (double cost : ladder.cost)
    smallest = cost > 0 ? std::min(smallest, cost) : smallest;
  for (double cost : ladder.cost)
    ladder.weight.push_back(1 / (cost > 0 ? cost : std::isfinite(smallest) ? smallest : 1.0));
  return ladder;
}

FitPoints withoutRung(FitPoints ladder, size_t index) {
  const auto at = static_cast<std::ptrdiff_t>(index);
  ladder.size.erase(ladder.size.begin() + at);
  ladder.cost.erase(ladder.cost.begin() + at);
  ladder.weight.erase(ladder.weight.begin() + at);
  --ladder.rungs;
  return ladder;
}

ShapeFit fitShape(const FitPoints &ladder, Shape shape) {
  if (shape == Shape::Power)
    return fitFree(ladder, shape, kLeastPower, kLargestPower);
  if (shape != Shape::Exponential)
    return fitFixed(ladder, shape, 0);
  const auto [least, most] = std::minmax_element(ladder.size.begin(), ladder.size.end());
  const double range = *most - *least;
  const double high = std::min(kMostDoublings / range, kLargestBits / *most);
  // No rate: the sizes lie too close together, far from zero, to tell a doubling from anything
  // else.
  return range > 0 && kLeastDoublings / range < high
             ? fitFree(ladder, shape, kLeastDoublings / range, high)
             : ShapeFit{};
}

} // namespace perfidy
