// Scalar functions with their derivatives: activations, and what normalisation needs.
#pragma once

#include <algorithm>
#include <cmath>

namespace perfidy {

enum class Fn { Identity, Relu, Tanh, Sigmoid, Softplus, Exp, Reciprocal, InverseRoot };

/// Added under the root of Fn::InverseRoot, so that a constant column can be normalised.
inline constexpr double kRootFloor = 1e-5;

inline double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }

/// The derivative of the given order (0: the function itself, up to 2) at x. A kink has the slope
/// of its left side.
inline double derivative(Fn fn, int order, double x) {
  switch (fn) {
  case Fn::Identity: return order == 0 ? x : order == 1 ? 1 : 0;
  case Fn::Relu: return x > 0 ? (order == 0 ? x : order == 1 ? 1 : 0) : 0;
  case Fn::Tanh: {
    const double t = std::tanh(x);
    return order == 0 ? t : order == 1 ? 1 - t * t : -2 * t * (1 - t * t);
  }
  case Fn::Sigmoid: {
    const double s = sigmoid(x);
    return order == 0 ? s : order == 1 ? s * (1 - s) : s * (1 - s) * (1 - 2 * s);
  }
  case Fn::Softplus: {
    const double s = sigmoid(x);
    return order == 0   ? std::max(x, 0.0) + std::log1p(std::exp(-std::abs(x)))
           : order == 1 ? s
                        : s * (1 - s);
  }
  case Fn::Exp: return std::exp(x);
  case Fn::Reciprocal: return order == 0 ? 1 / x : order == 1 ? -1 / (x * x) : 2 / (x * x * x);
  case Fn::InverseRoot: break;
  }
  const double y = x + kRootFloor, root = 1 / std::sqrt(y);
  return order == 0 ? root : order == 1 ? -0.5 * root / y : 0.75 * root / (y * y);
}

} // namespace perfidy
