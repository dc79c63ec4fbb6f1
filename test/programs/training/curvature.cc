#include "test/programs/training/curvature.h"

#include <Eigen/Eigenvalues>
#include <limits>

namespace perfidy {

Extremes lanczos(const Operator &apply, const Eigen::VectorXd &start, int steps) {
  const auto size = start.size();
  const int most = std::min<int>(steps, static_cast<int>(size));
  Real basis(size, most);
  Eigen::VectorXd diagonal(most), beside(most);
  basis.col(0) = start.normalized();
  int done = 0;
  for (; done < most; ++done) {
    Eigen::VectorXd next = apply(basis.col(done));
    diagonal[done] = basis.col(done).dot(next);
    const auto known = basis.leftCols(done + 1);
    for (int repeat = 0; repeat < 2; ++repeat)
      next -= known * (known.transpose() * next);
    beside[done] = next.norm();
    // An invariant subspace is exhausted: what it shows is exact.
    if (done + 1 == most || !(beside[done] > 1e-10 * (std::abs(diagonal[done]) + 1e-300)))
      break;
    basis.col(done + 1) = next / beside[done];
  }
  const int rank = std::min(done + 1, most);
  Eigen::SelfAdjointEigenSolver<Real> solver;
  solver.computeFromTridiagonal(diagonal.head(rank), beside.head(rank - 1));
  Extremes result;
  result.smallest = solver.eigenvalues()[0];
  result.largest = solver.eigenvalues()[rank - 1];
  result.bottom = basis.leftCols(rank) * solver.eigenvectors().col(0);
  result.top = basis.leftCols(rank) * solver.eigenvectors().col(rank - 1);
  return result;
}

double meanDiagonal(const Operator &apply, int size, int probes, uint64_t seed) {
  Random random(seed);
  double sum = 0;
  for (int i = 0; i < probes; ++i) {
    const Eigen::VectorXd z =
        Eigen::VectorXd::NullaryExpr(size, [&] { return random.below(2) ? 1.0 : -1.0; });
    sum += z.dot(apply(z));
  }
  return sum / probes / size;
}

double quotient(const Operator &apply, const Eigen::VectorXd &v) {
  const double square = v.squaredNorm();
  return square > 0 ? v.dot(apply(v)) / square : std::numeric_limits<double>::quiet_NaN();
}

} // namespace perfidy
