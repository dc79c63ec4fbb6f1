// Eigen: sparse Cholesky factorisation of an arrow matrix. The library's documentation of its
// sparse solvers leaves the choice of an ordering to the user; with the natural one the position of
// a dense row decides whether the factor fills up (first: completely, last: not at all).
//
// LIBRARY package=- include=/usr/include/eigen3
// EXPECT kind=differential function=factorize_preordered rule=ordering,hub_position,hubs
#include <perfidy.h>

#include <Eigen/Sparse>
#include <Eigen/SparseCholesky>

namespace {

using Matrix = Eigen::SparseMatrix<double>;

Matrix arrow(int order, int hubs, double position, int links) {
  std::vector<Eigen::Triplet<double>> entries;
  for (int i = 0; i < order; ++i)
    entries.emplace_back(i, i, 1000.0 + i);
  auto link = [&](int i, int j) {
    if (i == j || i >= order || j >= order)
      return;
    entries.emplace_back(i, j, 1.0);
    entries.emplace_back(j, i, 1.0);
  };
  const int first = static_cast<int>(position * (order - hubs));
  for (int hub = 0; hub < hubs; ++hub)
    for (int i = 0; i < order; ++i)
      link(first + hub, i);
  for (int i = 0; i < links; ++i)
    link(i * 7919 % order, i * 104729 % order);
  Matrix matrix(order, order);
  matrix.setFromTriplets(entries.begin(), entries.end());
  return matrix;
}

template <typename Solver> double solve(const Matrix &matrix) {
  Solver solver;
  solver.compute(matrix);
  perfidy_tag("outcome", solver.info() == Eigen::Success ? "solved" : "failed");
  return Eigen::VectorXd(solver.solve(Eigen::VectorXd::Ones(matrix.rows())))[0];
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *, size_t) {
  static const char *const kOrderings[] = {"amd", "natural"};
  const int order = static_cast<int>(perfidy_scale("order", 64, 16, 1024));
  const uint32_t ordering = perfidy_param_enum("ordering", 0, kOrderings, 2);
  const double position = perfidy_param_real("hub_position", 1, 0, 1);
  const int hubs = static_cast<int>(perfidy_param_integer("hubs", 1, 0, 4));
  const int links = static_cast<int>(perfidy_param_integer("links", 0, 0, 32));
  const Matrix matrix = arrow(order, hubs, position, links);
  const double x =
      ordering == 0
          ? solve<Eigen::SimplicialLDLT<Matrix, Eigen::Lower, Eigen::AMDOrdering<int>>>(matrix)
          : solve<Eigen::SimplicialLDLT<Matrix, Eigen::Lower, Eigen::NaturalOrdering<int>>>(matrix);
  return x == 42;
}
