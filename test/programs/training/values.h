// The three kinds of numbers that the layers compute with, and the operations they need of them.
//
// Every layer's forward and backward pass is written once, over a type T that is one of
//   Real     a matrix: value and gradient;
//   Paired   value and tangent, both matrices: the same code then carries out Pearlmutter's
//            R-operator (1994), so that the gradient's tangent is an exact Hessian-vector product;
//   Oracle   a matrix of dual numbers: slow, and independent of the product rules below (tests).
// An operation is linear, bilinear or elementwise; Paired follows from that alone.
#pragma once

#include "test/programs/training/dual.h"
#include "test/programs/training/functions.h"

#include <utility>
#include <vector>

namespace perfidy {

using Real = Eigen::MatrixXd;
using Oracle = Eigen::Matrix<Dual, Eigen::Dynamic, Eigen::Dynamic>;

/// v + d eps.
struct Paired {
  Real v, d;
};

/// Positions in a matrix, column by column; -1 is a zero (padding).
using Positions = std::vector<int>;

namespace plain {

template <typename S> using Matrix = Eigen::Matrix<S, Eigen::Dynamic, Eigen::Dynamic>;

template <typename S>
Matrix<S> gather(const Matrix<S> &x, const Positions &from, int rows, int cols) {
  Matrix<S> out(rows, cols);
  for (size_t i = 0; i < from.size(); ++i)
    out.data()[i] = from[i] < 0 ? S(0) : x.data()[from[i]];
  return out;
}

template <typename S>
Matrix<S> scatter(const Matrix<S> &x, const Positions &to, int rows, int cols) {
  Matrix<S> out = Matrix<S>::Constant(rows, cols, S(0));
  for (size_t i = 0; i < to.size(); ++i)
    if (to[i] >= 0)
      out.data()[to[i]] += x.data()[i];
  return out;
}

/// Products of the blocks of `width` columns of a and b: aᵀb, a b, a bᵀ. Outputs side by side.
enum class Block { TransposedTimes, Times, TimesTransposed };
template <typename S>
Matrix<S> blockwise(Block kind, const Matrix<S> &a, const Matrix<S> &b, int width) {
  const auto blocks = a.cols() / width;
  const auto rows = kind == Block::TransposedTimes ? a.cols() / blocks : a.rows();
  const auto cols = kind == Block::TimesTransposed ? b.rows() : b.cols() / blocks;
  Matrix<S> out(rows, cols * blocks);
  for (Eigen::Index i = 0; i < blocks; ++i) {
    const auto left = a.middleCols(i * width, width);
    const auto right = b.middleCols(i * width, width);
    auto target = out.middleCols(i * cols, cols);
    if (kind == Block::TransposedTimes)
      target.noalias() = left.transpose() * right;
    else if (kind == Block::Times)
      target.noalias() = left * right;
    else
      target.noalias() = left * right.transpose();
  }
  return out;
}

inline double apply(Fn fn, int order, double x) { return derivative(fn, order, x); }
inline Dual apply(Fn fn, int order, Dual x) {
  return {derivative(fn, order, x.value), derivative(fn, order + 1, x.value) * x.slope};
}

} // namespace plain

// Bilinear operations of plain matrices; `T` is Real or Oracle.

template <typename T> T times(const T &a, const T &b) { return a * b; }
template <typename T> T timesTransposed(const T &a, const T &b) { return a * b.transpose(); }
template <typename T> T transposedTimes(const T &a, const T &b) { return a.transpose() * b; }
template <typename T> T hadamard(const T &a, const T &b) { return a.cwiseProduct(b); }
/// Column j of a, times element j of the row b.
template <typename T> T scaleColumns(const T &a, const T &b) {
  T out = a;
  for (Eigen::Index j = 0; j < a.cols(); ++j)
    out.col(j) = a.col(j) * b(0, j);
  return out;
}
/// Row i of a, times element i of the column b.
template <typename T> T scaleRows(const T &a, const T &b) {
  T out = a;
  for (Eigen::Index i = 0; i < a.rows(); ++i)
    out.row(i) = a.row(i) * b(i, 0);
  return out;
}
template <typename T> T blockwise(plain::Block kind, const T &a, const T &b, int width) {
  return plain::blockwise<typename T::Scalar>(kind, a, b, width);
}

// Linear operations.

template <typename T> T gather(const T &x, const Positions &from, int rows, int cols) {
  return plain::gather<typename T::Scalar>(x, from, rows, cols);
}
template <typename T> T scatter(const T &x, const Positions &to, int rows, int cols) {
  return plain::scatter<typename T::Scalar>(x, to, rows, cols);
}
template <typename T> T rowSums(const T &x) { return x.rowwise().sum(); }
template <typename T> T columnSums(const T &x) { return x.colwise().sum(); }
/// The row x repeated `rows` times.
template <typename T> T spread(const T &x, int rows) { return x.replicate(rows, 1); }
template <typename T> T addColumn(const T &x, const T &column) {
  return x + column.replicate(1, x.cols());
}
template <typename T> T plus(const T &a, double factor, const T &b) {
  return a + b * typename T::Scalar(factor);
}
template <typename T> T scaled(const T &a, double factor) { return a * typename T::Scalar(factor); }
template <typename T> T reshape(const T &x, int rows, int cols) {
  return Eigen::Map<const T>(x.data(), rows, cols);
}

// Elementwise.

template <typename T> T map(Fn fn, int order, const T &x) {
  return x.unaryExpr([=](typename T::Scalar s) { return plain::apply(fn, order, s); });
}

// Paired: product rule for the bilinear ones, twice the same for the linear ones.

template <typename F> Paired bilinear(F f, const Paired &a, const Paired &b) {
  Paired out{f(a.v, b.v), f(a.d, b.v)};
  out.d += f(a.v, b.d);
  return out;
}
#define PERFIDY_BILINEAR(name)                                                                     \
  inline Paired name(const Paired &a, const Paired &b) {                                           \
    return bilinear([](const Real &x, const Real &y) { return name<Real>(x, y); }, a, b);          \
  }
PERFIDY_BILINEAR(times)
PERFIDY_BILINEAR(timesTransposed)
PERFIDY_BILINEAR(transposedTimes)
PERFIDY_BILINEAR(hadamard)
PERFIDY_BILINEAR(scaleColumns)
PERFIDY_BILINEAR(scaleRows)
#undef PERFIDY_BILINEAR
inline Paired blockwise(plain::Block kind, const Paired &a, const Paired &b, int width) {
  return bilinear(
      [=](const Real &x, const Real &y) { return blockwise<Real>(kind, x, y, width); }, a, b);
}
inline Paired gather(const Paired &x, const Positions &from, int rows, int cols) {
  return {gather<Real>(x.v, from, rows, cols), gather<Real>(x.d, from, rows, cols)};
}
inline Paired scatter(const Paired &x, const Positions &to, int rows, int cols) {
  return {scatter<Real>(x.v, to, rows, cols), scatter<Real>(x.d, to, rows, cols)};
}
inline Paired rowSums(const Paired &x) { return {rowSums<Real>(x.v), rowSums<Real>(x.d)}; }
inline Paired columnSums(const Paired &x) { return {columnSums<Real>(x.v), columnSums<Real>(x.d)}; }
inline Paired spread(const Paired &x, int rows) {
  return {spread<Real>(x.v, rows), spread<Real>(x.d, rows)};
}
inline Paired addColumn(const Paired &x, const Paired &column) {
  return {addColumn<Real>(x.v, column.v), addColumn<Real>(x.d, column.d)};
}
inline Paired plus(const Paired &a, double factor, const Paired &b) {
  return {plus<Real>(a.v, factor, b.v), plus<Real>(a.d, factor, b.d)};
}
inline Paired scaled(const Paired &a, double factor) {
  return {scaled<Real>(a.v, factor), scaled<Real>(a.d, factor)};
}
inline Paired reshape(const Paired &x, int rows, int cols) {
  return {reshape<Real>(x.v, rows, cols), reshape<Real>(x.d, rows, cols)};
}
inline Paired map(Fn fn, int order, const Paired &x) {
  return {map<Real>(fn, order, x.v), hadamard<Real>(map<Real>(fn, order + 1, x.v), x.d)};
}

// What the three have in common otherwise.

inline const Real &valueOf(const Real &x) { return x; }
inline const Real &valueOf(const Paired &x) { return x.v; }
inline Real valueOf(const Oracle &x) {
  return x.unaryExpr([](Dual s) { return s.value; });
}
inline Real slopeOf(const Paired &x) { return x.d; }
inline Real slopeOf(const Oracle &x) {
  return x.unaryExpr([](Dual s) { return s.slope; });
}

/// A number without tangent, and one with (which Real cannot have).
template <typename T> T constant(const Real &x);
template <> inline Real constant<Real>(const Real &x) { return x; }
template <> inline Paired constant<Paired>(const Real &x) {
  return {x, Real::Zero(x.rows(), x.cols())};
}
template <> inline Oracle constant<Oracle>(const Real &x) {
  return x.unaryExpr([](double s) { return Dual(s); });
}
template <typename T> T withSlope(const Real &x, const Real &slope);
template <> inline Real withSlope<Real>(const Real &x, const Real &) { return x; }
template <> inline Paired withSlope<Paired>(const Real &x, const Real &slope) { return {x, slope}; }
template <> inline Oracle withSlope<Oracle>(const Real &x, const Real &slope) {
  Oracle out(x.rows(), x.cols());
  for (Eigen::Index i = 0; i < x.size(); ++i)
    out.data()[i] = Dual(x.data()[i], slope.data()[i]);
  return out;
}

/// Softmax of each column. Shifted by the largest element, which changes nothing but overflow.
template <typename T> T softmax(const T &x) {
  const Real top = valueOf(x).colwise().maxCoeff();
  const T shifted = plus(x, -1.0, constant<T>(Real(top.replicate(valueOf(x).rows(), 1))));
  const T power = map(Fn::Exp, 0, shifted);
  return scaleColumns(power, map(Fn::Reciprocal, 0, columnSums(power)));
}

/// The columns without their mean.
template <typename T> T centred(const T &x) {
  const int rows = static_cast<int>(valueOf(x).rows());
  return plus(x, -1.0 / rows, spread(columnSums(x), rows));
}

} // namespace perfidy
