// Eigen: conjugate gradients on a diagonal-plus-chain system. The number of iterations grows with
// the condition unless a preconditioner takes it away; the documentation names the tolerance and
// the preconditioner as what decides the cost.
//
// LIBRARY package=- include=/usr/include/eigen3
// EXPECT kind=differential function=conjugate_gradient rule=condition,preconditioner,tolerance
#include <perfidy.h>

#include <Eigen/IterativeLinearSolvers>
#include <Eigen/Sparse>
#include <cmath>

namespace {

using Matrix = Eigen::SparseMatrix<double>;

// Diagonal from 1 to `condition`, evenly on a logarithmic scale, and a weak chain beside it.
Matrix chain(int order, double condition, double coupling) {
  std::vector<Eigen::Triplet<double>> entries;
  for (int i = 0; i < order; ++i) {
    entries.emplace_back(i, i, std::pow(condition, double(i) / order));
    if (i + 1 < order) {
      entries.emplace_back(i, i + 1, coupling);
      entries.emplace_back(i + 1, i, coupling);
    }
  }
  Matrix matrix(order, order);
  matrix.setFromTriplets(entries.begin(), entries.end());
  return matrix;
}

template <typename Preconditioner> double solve(const Matrix &matrix, double tolerance) {
  Eigen::ConjugateGradient<Matrix, Eigen::Lower | Eigen::Upper, Preconditioner> solver;
  solver.setTolerance(tolerance);
  solver.compute(matrix);
  return Eigen::VectorXd(solver.solve(Eigen::VectorXd::Ones(matrix.rows())))[0];
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *, size_t) {
  static const char *const kPreconditioners[] = {"diagonal", "none"};
  const int order = static_cast<int>(perfidy_scale("order", 64, 32, 4096));
  const uint32_t preconditioner = perfidy_param_enum("preconditioner", 0, kPreconditioners, 2);
  const double condition = perfidy_param_log("condition", 10, 1, 1e9);
  const double coupling = perfidy_param_real("coupling", 0.1, 0, 0.45);
  const double tolerance = perfidy_param_log("tolerance", 1e-6, 1e-14, 0.1);
  const Matrix matrix = chain(order, condition, coupling);
  const double x = preconditioner == 0
                       ? solve<Eigen::DiagonalPreconditioner<double>>(matrix, tolerance)
                       : solve<Eigen::IdentityPreconditioner>(matrix, tolerance);
  return x == 42;
}
