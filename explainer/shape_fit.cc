#include "explainer/shape_fit.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

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

/// Least squares |a x - b| with x >= 0 over the columns whose bit is set in `columns`; the others
/// are 0. Nothing when the free optimum is outside.
std::optional<Eigen::Vector3d>
solveFree(const Eigen::MatrixX3d &a, const Eigen::VectorXd &b, unsigned columns) {
  std::vector<Eigen::Index> used;
  for (Eigen::Index column = 0; column < 3; ++column)
    if ((columns >> column & 1) != 0 && a.col(column).squaredNorm() > 0)
      used.push_back(column);
  Eigen::Vector3d x = Eigen::Vector3d::Zero();
  if (used.empty())
    return x;
  const Eigen::MatrixXd part = a(Eigen::all, used);
  const Eigen::VectorXd solved = part.colPivHouseholderQr().solve(b);
  if (!solved.allFinite() || solved.minCoeff() < 0)
    return std::nullopt;
  x(used) = solved;
  return x;
}

/// Non-negative least squares. With three unknowns every active set can be tried: the best feasible
/// one is the optimum.
Eigen::Vector3d solveNonNegative(const Eigen::MatrixX3d &a, const Eigen::VectorXd &b) {
  if (const auto free = solveFree(a, b, 7))
    return *free;
  Eigen::Vector3d best = Eigen::Vector3d::Zero();
  for (unsigned columns = 1; columns < 7; ++columns) {
    const auto x = solveFree(a, b, columns);
    if (x && (a * *x - b).squaredNorm() < (a * best - b).squaredNorm())
      best = *x;
  }
  return best;
}

/// A shape with its exponent or rate fixed.
struct FixedShape {
  Shape shape;
  double power;
  bool withLinear;
};

/// Columns: one, growth, linear, each relative to its value at the top and weighed: that keeps them
/// of one magnitude, whatever the shape.
Eigen::MatrixX3d designMatrix(const FitPoints &ladder, const FixedShape &fixed) {
  const double top = *std::max_element(ladder.size.begin(), ladder.size.end());
  const double atTop = growthOf(fixed.shape, fixed.power, top).value;
  Eigen::MatrixX3d all(static_cast<Eigen::Index>(ladder.size.size()), 3);
  for (Eigen::Index i = 0; i < all.rows(); ++i) {
    const auto at = static_cast<size_t>(i);
    const double size = ladder.size[at];
    const double growth = atTop > 0 ? growthOf(fixed.shape, fixed.power, size).value / atTop : 0;
    all.row(i) << 1, growth, fixed.withLinear ? size / top : 0;
    all.row(i) *= ladder.weight[at];
  }
  return all;
}

/// A lower bound takes part in the fit as long as the fit falls short of it.
ShapeFit fitFixed(const FitPoints &ladder, const FixedShape &fixed) {
  const auto count = static_cast<Eigen::Index>(ladder.size.size());
  const double top = *std::max_element(ladder.size.begin(), ladder.size.end());
  const double atTop = growthOf(fixed.shape, fixed.power, top).value;
  const Eigen::MatrixX3d all = designMatrix(ladder, fixed);
  Eigen::VectorXd target(count);
  for (Eigen::Index i = 0; i < count; ++i)
    target[i] = ladder.cost[static_cast<size_t>(i)] * ladder.weight[static_cast<size_t>(i)];
  const auto rungs = static_cast<Eigen::Index>(ladder.rungs);
  Eigen::VectorXd used = Eigen::VectorXd::Zero(count);
  used.head(rungs).setOnes();
  Eigen::Vector3d x;
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
  return {fixed.shape,
          x[0],
          atTop > 0 ? x[1] / atTop : 0,
          fixed.power,
          x[2] / top,
          residual.squaredNorm()};
}

/// Best exponent or rate between the bounds: geometric grid, then golden section (Kiefer 1953) in
/// the bracket of its best point.
ShapeFit
fitFree(const FitPoints &ladder, Shape shape, double low, double high, bool withLinear = false) {
  constexpr int kGrid = 96;
  constexpr int kSections = 48;
  const double golden = (std::sqrt(5.0) - 1) / 2;
  const double step = std::log(high / low) / kGrid;
  const auto fitAt = [&](double position) {
    return fitFixed(ladder, {shape, low * std::exp(position), withLinear});
  };
  ShapeFit best;
  int at = 0;
  for (int i = 0; i <= kGrid; ++i) {
    const ShapeFit fit = fitAt(step * i);
    if (fit.squares < best.squares) {
      best = fit;
      at = i;
    }
  }
  double from = std::max(0, at - 1) * step, to = std::min(kGrid, at + 1) * step;
  for (int i = 0; i < kSections; ++i) {
    const ShapeFit left = fitAt(to - golden * (to - from));
    const ShapeFit right = fitAt(from + golden * (to - from));
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
  return fit.intercept + fit.linear * size +
         fit.factor * growthOf(fit.shape, fit.power, size).value;
}

double localExponent(const ShapeFit &fit, double size) {
  const double value = valueOf(fit, size);
  const double rise = fit.linear * size + fit.factor * growthOf(fit.shape, fit.power, size).slope;
  return value > 0 && std::isfinite(rise / value) ? rise / value : 0;
}

double growingShare(const ShapeFit &fit, double size) {
  const double value = valueOf(fit, size);
  return value > 0 ? fit.factor * growthOf(fit.shape, fit.power, size).value / value : 0;
}

bool steeperThanLinear(Shape shape) {
  return shape == Shape::Power || shape == Shape::Quadratic || shape == Shape::Cubic;
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

ShapeFit fitShape(const FitPoints &ladder, Shape shape, bool withLinear) {
  withLinear = withLinear && steeperThanLinear(shape);
  if (shape == Shape::Power)
    return fitFree(
        ladder, shape, withLinear ? kSteeperPower : kLeastPower, kLargestPower, withLinear);
  if (shape != Shape::Exponential)
    return fitFixed(ladder, {shape, 0, withLinear});
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
