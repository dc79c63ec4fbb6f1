#include <Eigen/Dense>
#include <Eigen/Sparse>
#include <cstdio>

int main() {
  Eigen::MatrixXd a(60, 60);
  for (int i = 0; i < 60; ++i)
    for (int j = 0; j < 60; ++j)
      a(i, j) = ((i * 31 + j * 17) % 23) / 23.0 + (i == j ? 10 : 0);
  Eigen::VectorXd b = a.rowwise().sum();
  double sum = (a * a).trace() + a.partialPivLu().solve(b).sum() + a.householderQr().solve(b).sum();
  Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(a + a.transpose());
  sum += solver.eigenvalues().sum();
  Eigen::SparseMatrix<double> sparse(400, 400);
  for (int i = 0; i < 400; ++i) {
    sparse.insert(i, i) = 4;
    if (i + 7 < 400)
      sparse.insert(i, i + 7) = 1;
  }
  Eigen::VectorXd x = Eigen::VectorXd::Ones(400);
  for (int i = 0; i < 20; ++i)
    x = (sparse * x) / 5;
  std::printf("%.6f\n", sum + x.sum());
  return 0;
}
