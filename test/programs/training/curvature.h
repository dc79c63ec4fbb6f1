// Curvature of the loss on a fixed batch: largest and smallest eigenvalue, trace, and directions.
#pragma once

#include "test/programs/training/train.h"

namespace perfidy {

/// A symmetric operator: v -> A v.
using Operator = std::function<Eigen::VectorXd(const Eigen::VectorXd &)>;

/// The extreme eigenvalues of a symmetric operator as far as the Krylov space shows them, and their
/// Ritz vectors.
struct Extremes {
  double largest = 0, smallest = 0;
  Eigen::VectorXd top, bottom;
};

/// Lanczos with full re-orthogonalisation. `start` must not be zero; `steps` >= 1.
Extremes lanczos(const Operator &apply, const Eigen::VectorXd &start, int steps);

/// Mean of zᵀAz over Rademacher vectors (Hutchinson), divided by the dimension.
double meanDiagonal(const Operator &apply, int size, int probes, uint64_t seed);

/// vᵀAv / vᵀv; NaN for a zero vector.
double quotient(const Operator &apply, const Eigen::VectorXd &v);

} // namespace perfidy
