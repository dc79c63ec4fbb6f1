// Gradients and Hessian-vector products of every kind of layer and loss, against dual numbers
// (another arithmetic), central differences and an assembled Hessian.
#include "test/programs/training/curvature.h"

#include <Eigen/Eigenvalues>
#include <gtest/gtest.h>

namespace perfidy {
namespace {

struct Case {
  const char *name;
  std::vector<Layer> layers;
  Shape shape;
};

std::vector<Case> cases() {
  return {
      {"tanh", {dense(5), activation(Fn::Tanh), dense(3)}, {4}},
      {"relu", {dense(6), activation(Fn::Relu), dense(3)}, {4}},
      {"sigmoid and softplus",
       {dense(4), activation(Fn::Sigmoid), dense(4), activation(Fn::Softplus), dense(3)},
       {4}},
      {"exp", {dense(4), activation(Fn::Exp), dense(3)}, {4}},
      {"convolutions",
       {conv(2, 3, 3), activation(Fn::Tanh), conv(2, 2, 2), maxPool(2, 2), dense(3)},
       {1, 6, 6, 1}},
      {"elman", {elman(4, Fn::Tanh), dense(3)}, {2, 1, 1, 5}},
      {"gru", {gru(3), dense(3)}, {2, 1, 1, 5}},
      {"attention", {dense(4), attention(2), norm(), flatten(), dense(3)}, {2, 1, 1, 4}},
      {"mean of steps",
       {dense(4), attention(1), activation(Fn::Tanh), meanSteps(), dense(3)},
       {2, 1, 1, 4}},
  };
}

const std::vector<Loss> kLosses{Loss::CrossEntropy,
                                Loss::SoftmaxSquare,
                                Loss::SoftmaxAbs,
                                Loss::Square,
                                Loss::Abs,
                                Loss::LogCosh,
                                Loss::Hinge,
                                Loss::BinaryCrossEntropy,
                                Loss::LogSquare,
                                Loss::NegatedSquare};

struct Problem {
  Model model;
  Eigen::VectorXd theta, direction;
  Real inputs, targets;
};

Problem problemOf(const Case &which, uint64_t seed) {
  Random random(seed);
  const auto normal = [&](Eigen::Index rows, Eigen::Index cols) {
    return Real(Real::NullaryExpr(rows, cols, [&] { return random.normal(); }));
  };
  Problem problem{Model(which.layers, which.shape), {}, {}, {}, {}};
  problem.theta = 0.5 * normal(problem.model.size, 1);
  problem.direction = normal(problem.model.size, 1);
  problem.inputs = normal(which.shape.rows() * which.shape.steps, 7);
  problem.targets = Real::Zero(3, 7);
  for (Eigen::Index n = 0; n < 7; ++n)
    problem.targets(random.below(3), n) = 1;
  return problem;
}

double lossAt(const Problem &problem, const Eigen::VectorXd &theta, const LossSpec &spec) {
  return lossValue(spec, outputsOf(problem.model, theta, problem.inputs), problem.targets);
}

TEST(Network, GradientIsThatOfTheLoss) {
  for (const Case &which : cases())
    for (Loss loss : kLosses) {
      const Problem problem = problemOf(which, 1);
      const LossSpec spec{loss, loss == Loss::Square, true};
      const Eigen::VectorXd g =
          gradientOf(problem.model, problem.theta, spec, problem.inputs, problem.targets);
      const double step = 1e-6;
      const double slope = (lossAt(problem, problem.theta + step * problem.direction, spec) -
                            lossAt(problem, problem.theta - step * problem.direction, spec)) /
                           (2 * step);
      EXPECT_NEAR(g.dot(problem.direction), slope, 1e-5 * (1 + std::abs(slope)))
          << which.name << " loss " << int(loss);
    }
}

TEST(Network, HessianTimesVectorAgreesWithDualNumbers) {
  for (const Case &which : cases())
    for (Loss loss : kLosses) {
      const Problem p = problemOf(which, 2);
      const LossSpec spec{loss, false, true};
      const Eigen::VectorXd fast =
          hessianTimes<Paired>(p.model, p.theta, p.direction, spec, p.inputs, p.targets);
      const Eigen::VectorXd slow =
          hessianTimes<Oracle>(p.model, p.theta, p.direction, spec, p.inputs, p.targets);
      EXPECT_LT((fast - slow).norm(), 1e-11 * (1 + slow.norm()))
          << which.name << " loss " << int(loss);
    }
}

TEST(Network, HessianTimesVectorAgreesWithDifferencesOfSmoothNets) {
  for (const Case &which : cases()) {
    if (std::string(which.name) == "relu" || std::string(which.name) == "convolutions")
      continue;
    const Problem p = problemOf(which, 3);
    const LossSpec spec;
    const auto gradient = [&](double step) {
      return gradientOf(p.model, p.theta + step * p.direction, spec, p.inputs, p.targets);
    };
    const Eigen::VectorXd exact =
        hessianTimes<Paired>(p.model, p.theta, p.direction, spec, p.inputs, p.targets);
    const Eigen::VectorXd differences = (gradient(1e-5) - gradient(-1e-5)) / 2e-5;
    EXPECT_LT((exact - differences).norm(), 1e-6 * (1 + exact.norm())) << which.name;
  }
}

Real assembled(const Problem &p, const LossSpec &spec) {
  Real hessian(p.model.size, p.model.size);
  for (int i = 0; i < p.model.size; ++i)
    hessian.col(i) = hessianTimes<Paired>(
        p.model, p.theta, Eigen::VectorXd::Unit(p.model.size, i), spec, p.inputs, p.targets);
  return hessian;
}

TEST(Network, AssembledHessianIsSymmetricAndHasTheEigenvaluesOfLanczos) {
  const Problem p = problemOf(cases()[0], 4); // 43 parameters
  const LossSpec spec;
  const Real hessian = assembled(p, spec);
  EXPECT_LT((hessian - hessian.transpose()).norm(), 1e-12 * hessian.norm());
  const Eigen::SelfAdjointEigenSolver<Real> solver(hessian);
  const Operator apply = [&](const Eigen::VectorXd &v) {
    return hessianTimes<Paired>(p.model, p.theta, v, spec, p.inputs, p.targets);
  };
  const Extremes found = lanczos(apply, p.direction, 30);
  EXPECT_NEAR(found.largest, solver.eigenvalues().maxCoeff(), 1e-8);
  EXPECT_NEAR(found.smallest, solver.eigenvalues().minCoeff(), 1e-8);
  EXPECT_LT((apply(found.top) - found.largest * found.top).norm(), 1e-4);
  EXPECT_NEAR(meanDiagonal(apply, p.model.size, 4000, 5),
              hessian.trace() / p.model.size,
              0.02 * hessian.norm() / std::sqrt(p.model.size));
}

TEST(Curvature, OfAKnownQuadratic) {
  const Eigen::VectorXd diagonal = Eigen::VectorXd::LinSpaced(12, -3, 8);
  const Operator apply = [&](const Eigen::VectorXd &v) {
    return Eigen::VectorXd(diagonal.cwiseProduct(v));
  };
  const Extremes found = lanczos(apply, Eigen::VectorXd::Ones(12), 12);
  EXPECT_NEAR(found.largest, 8, 1e-9);
  EXPECT_NEAR(found.smallest, -3, 1e-9);
  EXPECT_NEAR(meanDiagonal(apply, 12, 1, 1), 2.5, 1e-12) << "exact for a diagonal matrix";
  EXPECT_NEAR(quotient(apply, Eigen::VectorXd::Unit(12, 3)), diagonal[3], 1e-12);
  EXPECT_TRUE(std::isnan(quotient(apply, Eigen::VectorXd::Zero(12))));
  const Extremes one = lanczos(apply, Eigen::VectorXd::Unit(12, 11), 6);
  EXPECT_NEAR(one.largest, 8, 1e-12) << "an invariant subspace ends the search";
}

} // namespace
} // namespace perfidy
