// Dual numbers a + b eps with eps^2 = 0, as a scalar type of Eigen: the oracle of the tests. What
// the library computes with pairs of matrices (values.h) must agree with plain arithmetic on these.
#pragma once

#include <Eigen/Core>
#include <cmath>

namespace perfidy {

/// value + slope * eps. Arithmetic is that of first-order Taylor polynomials.
struct Dual {
  double value = 0, slope = 0;

  Dual() = default;
  Dual(double value, double slope = 0) : value(value), slope(slope) {} // NOLINT: a scalar is one

  Dual &operator+=(Dual other) { return *this = {value + other.value, slope + other.slope}; }
  Dual &operator-=(Dual other) { return *this = {value - other.value, slope - other.slope}; }
  Dual &operator*=(Dual other) {
    return *this = {value * other.value, slope * other.value + value * other.slope};
  }
};

inline Dual operator+(Dual a, Dual b) { return a += b; }
inline Dual operator-(Dual a, Dual b) { return a -= b; }
inline Dual operator*(Dual a, Dual b) { return a *= b; }
inline Dual operator-(Dual a) { return {-a.value, -a.slope}; }
inline bool operator==(Dual a, Dual b) { return a.value == b.value && a.slope == b.slope; }
inline bool operator!=(Dual a, Dual b) { return !(a == b); }

} // namespace perfidy

namespace Eigen {
template <> struct NumTraits<perfidy::Dual> : NumTraits<double> {
  using Real = perfidy::Dual;
  using NonInteger = perfidy::Dual;
  using Nested = perfidy::Dual;
  enum {
    IsComplex = 0,
    IsSigned = 1,
    RequireInitialization = 1,
    ReadCost = 2,
    AddCost = 2,
    MulCost = 6
  };
};
} // namespace Eigen
