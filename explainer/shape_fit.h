// Fitting one shape of cost function to the measurements of one class. Which shape is chosen, and
// what is claimed of it, is decided in cost_function.cc, the only user besides tests.
//
// Pure and deterministic.
#pragma once

#include "explainer/cost_function.h"

#include <cstddef>
#include <limits>
#include <vector>

namespace perfidy {

/// Distinct sizes, ascending; the first `rungs` entries are measured, the others are lower bounds.
struct FitPoints {
  std::vector<double> size, cost, weight; ///< weight = 1 / cost
  size_t rungs = 0;
};

/// One shape fitted; cost = intercept + linear * size + factor * g(size), see CostFunction.
struct ShapeFit {
  Shape shape = Shape::Unknown;
  double intercept = 0, factor = 0, power = 0, linear = 0;
  double squares = std::numeric_limits<double>::infinity(); ///< sum of squared relative residuals
};

/// The growing part g of a shape, and its derivative times n.
struct ShapeGrowth {
  double value = 0, slope = 0;
};

/// g(n) of a shape, without its factor; logarithms are to the base 2.
ShapeGrowth growthOf(Shape shape, double power, double n);

double valueOf(const ShapeFit &fit, double size);

/// d log cost / d log n at a size; 0 where the cost is 0.
double localExponent(const ShapeFit &fit, double size);

/// Share of the growing part in the cost at a size.
double growingShare(const ShapeFit &fit, double size);

/// Median per size of the measured points, greatest lower bound per size of the censored ones.
/// Points that are not finite, or have no positive size, are ignored.
FitPoints makeFitPoints(const std::vector<SizeCost> &points);

/// Without one of the measured rungs.
FitPoints withoutRung(FitPoints points, size_t index);

/// Non-negative least squares on relative residuals; for Power and Exponential also over the
/// exponent or rate. `squares` is infinite when the shape cannot be told on these sizes. Needs one
/// rung. `withLinear` adds a linear term: work that every input of the size costs, beside growth
/// that is steeper (Quadratic, Cubic, and Power from kSteeperPower on; other shapes ignore it).
ShapeFit fitShape(const FitPoints &points, Shape shape, bool withLinear = false);

/// Least exponent of a Power beside a linear term: flatter ones cannot be told from it.
inline constexpr double kSteeperPower = 1.3;

/// Whether a shape may have a linear term beside it.
bool steeperThanLinear(Shape shape);

} // namespace perfidy
