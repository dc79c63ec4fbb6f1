#include "explainer/cost_function.h"

#include "explainer/shape_fit.h"
#include "runtime/trace.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <map>
#include <optional>

namespace perfidy {
namespace {

/// Relative deviations below this say nothing about the shape (rounding, alignment, one-off
/// branches); without such a floor an exactly reproducible cost would always choose the most
/// flexible shape.
constexpr double kNoise = 0.01;
/// A shape with more parameters must win by more than this (Burnham and Anderson 2002: models
/// within 2 of the best are supported about as well).
constexpr double kMargin = 2;
/// Rungs from which AICc is used.
constexpr size_t kCriterionRungs = 8;
/// A free exponent is believed if the growing part is at least this share of the cost on that many
/// rungs: one jump at the last rung is fitted perfectly by a steep enough curve. A fixed exponent
/// beside a linear term cannot follow a jump as well.
constexpr double kVisibleShare = 0.1;
constexpr int kVisibleRungs = 3, kVisibleRungsFixed = 2;
constexpr double kPoorFit = 0.25;

/// A shape, with or without a linear term beside it.
struct Form {
  Shape shape;
  bool withLinear;
};

/// Free parameters, the variance of the residuals included (as AICc counts them).
int parametersOf(const Form &form) {
  if (form.shape == Shape::Constant)
    return 2;
  const bool free = form.shape == Shape::Power || form.shape == Shape::Exponential;
  return 3 + (free ? 1 : 0) + (form.withLinear ? 1 : 0);
}

bool growthVisible(const FitPoints &ladder, const ShapeFit &fit) {
  int visible = 0;
  for (size_t i = 0; i < ladder.rungs; ++i)
    visible += growingShare(fit, ladder.size[i]) >= kVisibleShare ? 1 : 0;
  return visible >= (steeperThanLinear(fit.shape) && fit.shape != Shape::Power ? kVisibleRungsFixed
                                                                               : kVisibleRungs);
}

/// Sum of squared relative errors on rungs left out one by one, and of the shortfalls at lower
/// bounds.
double leaveOneOut(const FitPoints &ladder, const ShapeFit &full, const Form &form) {
  double sum = 0;
  for (size_t i = 0; i < ladder.size.size(); ++i) {
    const bool bound = i >= ladder.rungs;
    const ShapeFit fit =
        bound ? full : fitShape(withoutRung(ladder, i), form.shape, form.withLinear);
    const double error = (valueOf(fit, ladder.size[i]) - ladder.cost[i]) * ladder.weight[i];
    sum += bound && error > 0 ? 0 : error * error;
  }
  return std::isfinite(sum) ? sum : std::numeric_limits<double>::infinity();
}

/// AICc, smaller is better. It divides by n - k - 1: with few rungs it is undefined or so large
/// that a constant beats n^1.5. All shapes are then judged by their leave-one-rung-out error
/// instead, since scores of two kinds cannot be compared.
double scoreOf(const FitPoints &ladder, const ShapeFit &fit, const Form &form) {
  const auto n = static_cast<double>(ladder.size.size());
  const double k = parametersOf(form);
  const bool criterion = ladder.size.size() >= kCriterionRungs;
  const double squares = criterion ? fit.squares : leaveOneOut(ladder, fit, form);
  const double penalty = criterion ? 2 * k + 2 * k * (k + 1) / (n - k - 1) : 0;
  return n * std::log(squares / n + kNoise * kNoise) + penalty;
}

/// Drops a part that is only rounding: formulas would show it.
ShapeFit withoutDust(ShapeFit fit, const FitPoints &ladder) {
  constexpr double kDust = 1e-9;
  if (fit.intercept < kDust * valueOf(fit, ladder.size.front()))
    fit.intercept = 0;
  const double top = ladder.size[ladder.rungs - 1];
  if (valueOf(fit, top) - fit.intercept < kDust * fit.intercept)
    fit.factor = fit.linear = 0;
  if (fit.linear * top < kDust * valueOf(fit, top))
    fit.linear = 0;
  return fit;
}

constexpr std::array kForms = {Form{Shape::Constant, false},
                               Form{Shape::Log, false},
                               Form{Shape::Linear, false},
                               Form{Shape::LinearLog, false},
                               Form{Shape::Quadratic, false},
                               Form{Shape::Cubic, false},
                               Form{Shape::Power, false},
                               Form{Shape::Quadratic, true},
                               Form{Shape::Cubic, true},
                               Form{Shape::Exponential, false},
                               Form{Shape::Power, true}};

/// The best form among those with the fewest parameters that is about as good as the best of all.
ShapeFit selectShape(const FitPoints &ladder) {
  const int simple = parametersOf({Shape::Linear, false});
  std::map<int, std::pair<double, ShapeFit>> best; // by number of parameters
  double least = std::numeric_limits<double>::infinity();
  for (const Form &form : kForms) {
    const int parameters = parametersOf(form);
    // A fit with as many parameters as rungs is perfect and means nothing.
    if (form.withLinear && ladder.rungs <= static_cast<size_t>(parameters))
      continue;
    const ShapeFit fit = fitShape(ladder, form.shape, form.withLinear);
    if (!std::isfinite(fit.squares) || (parameters > simple && !growthVisible(ladder, fit)))
      continue;
    const double score = scoreOf(ladder, fit, form);
    const auto found = best.find(parameters);
    if (found == best.end() || score < found->second.first - 1e-9)
      best[parameters] = {score, fit};
    least = std::min(least, score);
  }
  for (const auto &[parameters, candidate] : best)
    if (candidate.first <= least + kMargin)
      return withoutDust(candidate.second, ladder);
  return {};
}

/// Exponent of the growing part, where that is a power of n.
std::optional<double> leadingPower(const ShapeFit &fit) {
  switch (fit.shape) {
  case Shape::Linear: return 1;
  case Shape::Quadratic: return 2;
  case Shape::Cubic: return 3;
  case Shape::Power: return fit.power;
  default: return std::nullopt;
  }
}

/// See CostFunction::exponent.
double exponentOf(const ShapeFit &fit, double size) {
  const std::optional<double> leading = leadingPower(fit);
  return leading && growingShare(fit, size) >= kVisibleShare ? *leading : localExponent(fit, size);
}

/// 97.5 % quantile of Student's t (Cornish-Fisher expansion, within 4 % from three degrees on).
double studentQuantile(double degrees) {
  return 1.96 + 2.37 / degrees + 2.82 / (degrees * degrees);
}

/// Exponent with the power left free, for the interval: n^2 without intercept has exponent 2
/// whatever the points say, which is no measure of what is known. On nearly flat costs a power with
/// intercept chases single points; there the plain slope of the logarithms is taken.
double freeExponent(const FitPoints &ladder, const ShapeFit &selected, double size) {
  if (selected.shape == Shape::Exponential)
    return localExponent(fitShape(ladder, selected.shape), size);
  const bool flat = selected.shape == Shape::Constant || selected.shape == Shape::Log ||
                    growingShare(selected, size) < kVisibleShare;
  if (!flat)
    return exponentOf(fitShape(ladder, Shape::Power, selected.linear > 0), size);
  std::vector<SizeCost> points;
  for (size_t i = 0; i < ladder.rungs; ++i)
    points.push_back({ladder.size[i], ladder.cost[i], false});
  return growthExponent(points);
}

void setInterval(const FitPoints &ladder, const ShapeFit &fit, CostFunction &result) {
  const double center = freeExponent(ladder, fit, result.largestFitted);
  std::vector<double> left;
  double mean = 0;
  for (size_t i = 0; i < ladder.rungs; ++i) {
    left.push_back(freeExponent(withoutRung(ladder, i), fit, result.largestFitted));
    mean += left.back() / static_cast<double>(ladder.rungs);
  }
  double squares = 0;
  for (double exponent : left)
    squares += (exponent - mean) * (exponent - mean);
  const auto n = static_cast<double>(ladder.rungs);
  const double width = studentQuantile(n - 1) * std::sqrt(squares * (n - 1) / n);
  result.exponentLow = std::max(0.0, std::min(result.exponent, center - width));
  result.exponentHigh = std::max(result.exponent, center + width);
}

void addNote(CostFunction &result, const std::string &note) {
  result.note += (result.note.empty() ? "" : "; ") + note;
}

std::string readable(double value) {
  return value >= 100 && value < 1e6 ? fmt::format("{:.0f}", value) : fmt::format("{:.3g}", value);
}

} // namespace

const char *shapeName(Shape shape) {
  switch (shape) {
  case Shape::Constant: return "constant";
  case Shape::Log: return "log n";
  case Shape::Linear: return "n";
  case Shape::LinearLog: return "n log n";
  case Shape::Power: return "n^p";
  case Shape::Quadratic: return "n^2";
  case Shape::Cubic: return "n^3";
  case Shape::Exponential: return "2^n";
  case Shape::Unknown: break;
  }
  return "unknown";
}

double CostFunction::at(double size) const {
  const double limit = 2 * std::max(largestFitted, heldOutSize);
  if (size > limit)
    throw Error(
        fmt::format("cost function asked for size {} but measured up to {} only; measure larger "
                    "sizes",
                    size,
                    limit / 2));
  return valueOf({shape, intercept, factor, power, linear}, size);
}

std::string CostFunction::formula() const {
  if (shape == Shape::Unknown)
    return "unknown";
  std::string growth = shapeName(shape);
  if (shape == Shape::Power)
    growth = fmt::format("n^{:.3g}", power);
  if (shape == Shape::Exponential)
    growth = fmt::format("2^({:.3g} n)", power);
  if (shape == Shape::Constant || factor == 0)
    return readable(intercept);
  std::string text = readable(factor) + " " + growth;
  if (linear > 0)
    text += " + " + readable(linear) + " n";
  return intercept > 0 ? text + " + " + readable(intercept) : text;
}

CostFunction fitCostFunction(const std::vector<SizeCost> &points, const FitOptions &options) {
  FitPoints ladder = makeFitPoints(points);
  const auto minRungs = static_cast<size_t>(std::max(3, options.minRungs));
  CostFunction result;
  double heldOutCost = 0;
  if (options.holdOutTop && ladder.rungs > minRungs) {
    result.heldOutSize = ladder.size[ladder.rungs - 1];
    heldOutCost = ladder.cost[ladder.rungs - 1];
    ladder = withoutRung(ladder, ladder.rungs - 1);
  } else if (options.holdOutTop && ladder.rungs == minRungs) {
    addNote(result, "too few sizes to hold one out");
  }
  result.rungs = static_cast<int>(ladder.rungs);
  result.largestFitted = ladder.rungs > 0 ? ladder.size[ladder.rungs - 1] : 0;
  if (ladder.rungs < minRungs) {
    result.note = fmt::format("not enough sizes: {} of at least {}", ladder.rungs, minRungs);
    return result;
  }
  const ShapeFit fit = selectShape(ladder);
  result.shape = fit.shape;
  result.intercept = fit.intercept;
  result.factor = fit.factor;
  result.power = fit.power;
  result.linear = fit.linear;
  result.localExponent = localExponent(fit, result.largestFitted);
  result.exponent = exponentOf(fit, result.largestFitted);
  setInterval(ladder, fit, result);
  if (result.heldOutSize > 0)
    result.heldOutError = std::abs(valueOf(fit, result.heldOutSize) - heldOutCost) /
                          (heldOutCost > 0 ? heldOutCost : 1);
  const double typical = std::sqrt(fit.squares / static_cast<double>(ladder.size.size()));
  if (typical > kPoorFit)
    addNote(result, fmt::format("no shape fits well (typical error {:.0f} %)", 100 * typical));
  return result;
}

double growthExponent(const std::vector<SizeCost> &points) {
  std::vector<std::pair<double, double>> logs;
  for (const SizeCost &point : points)
    if (std::isfinite(point.size) && std::isfinite(point.cost) && point.size > 0)
      logs.emplace_back(std::log(point.size), std::log(std::max(point.cost, 1e-9)));
  std::sort(logs.begin(), logs.end());
  const size_t used = std::min(logs.size(), std::max<size_t>(3, (logs.size() + 1) / 2));
  logs.erase(logs.begin(), logs.end() - static_cast<std::ptrdiff_t>(used));
  double meanX = 0, meanY = 0;
  for (const auto &[x, y] : logs) {
    meanX += x / static_cast<double>(used);
    meanY += y / static_cast<double>(used);
  }
  double covariance = 0, variance = 0;
  for (const auto &[x, y] : logs) {
    covariance += (x - meanX) * (y - meanY);
    variance += (x - meanX) * (x - meanX);
  }
  return variance > 1e-12 ? covariance / variance : 0;
}

} // namespace perfidy
