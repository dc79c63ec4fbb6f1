// Cost functions: points (size, cost) of one class -> the best of a table of shapes.
//
// Pure; Eigen only in the .cc. Owned by the explainer; may be included by tools.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace perfidy {

/// One measured rung of one class.
struct SizeCost {
  double size = 0;       ///< > 0
  double cost = 0;       ///< >= 0
  bool censored = false; ///< cost is a lower bound
};

/// The shapes, simplest first; ties in the selection go to the simpler one.
enum class Shape {
  Constant,
  Log,
  Linear,
  LinearLog,
  Power,
  Quadratic,
  Cubic,
  Exponential,
  Unknown
};

/// "constant", "log n", "n", "n log n", "n^p", "n^2", "n^3", "2^n", "unknown".
const char *shapeName(Shape shape);

/// cost(n) = intercept + linear * n + factor * g(n), none negative; g by shape; Power uses n^power,
/// Exponential 2^(power * n). The linear term is what every input costs beside steeper growth;
/// other shapes have none.
struct CostFunction {
  Shape shape = Shape::Unknown;
  double intercept = 0, factor = 0, power = 0, linear = 0;
  /// Growth for large n: of the growing part alone if that is a tenth of the cost at the largest
  /// fitted size, and so is known; otherwise (and for 2^n) localExponent.
  double exponent = 0;
  double localExponent = 0; ///< d log cost / d log n at the largest fitted size
  double exponentLow = 0,
         exponentHigh = 0;  ///< 95 %, leave-one-rung-out jackknife, contains exponent
  double heldOutError = -1; ///< |predicted/measured - 1| on the held-out top rung
  double heldOutSize = 0;
  double largestFitted = 0;
  int rungs = 0;    ///< distinct sizes used for the fit
  std::string note; ///< "not enough sizes" and the like; empty when fine

  /// Value at a size. Meaningless for Shape::Unknown. Refuses (throws Error) beyond twice the
  /// largest measured size: extrapolation over more than one rung is not a claim we make.
  double at(double size) const;
  /// "12.1 n^2 + 340".
  std::string formula() const;
};

struct FitOptions {
  bool holdOutTop = true; ///< keep the largest uncensored size out of the fit
  int minRungs = 4;       ///< distinct sizes below which the shape is Unknown
};

/// Fits every shape by non-negative least squares on relative residuals (weights 1/cost, so that
/// small sizes count as much as large ones), selects by AICc, refits nothing. Below eight rungs
/// AICc is dominated by its own correction, and the leave-one-rung-out error decides instead.
/// Points at the same size are averaged (median); those that are not finite numbers are ignored.
/// With exactly minRungs sizes none is held out, and the note says so. Censored points are lower
/// bounds: a model that predicts less than a censored cost pays its shortfall. Deterministic.
/// Sources: Akaike 1974, Hurvich and Tsai 1989 (AICc).
CostFunction fitCostFunction(const std::vector<SizeCost> &points, const FitOptions &options = {});

/// Slope of log(value) over log(size) by least squares over the upper half of the points (at least
/// three where there are three); values below 1e-9 count as 1e-9. 0 with fewer than two points.
double growthExponent(const std::vector<SizeCost> &points);

} // namespace perfidy
