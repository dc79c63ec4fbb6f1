// Optimizers: a step from a gradient, with the state that observers look at.
#pragma once

#include "test/programs/training/program.h"

namespace perfidy {

inline constexpr double kAdamBeta1 = 0.9, kAdamBeta2 = 0.999, kAdamEpsilon = 1e-8;
inline constexpr double kRmsBeta = 0.9;

class Stepper {
public:
  Stepper(Optimizer kind, double momentum, int size);

  /// The change of the parameters for this gradient at this rate.
  Eigen::VectorXd step(const Eigen::VectorXd &gradient, double rate);

  /// First moment (momentum, Adam); zero otherwise.
  const Eigen::VectorXd &first() const { return first_; }
  /// sqrt of the second moment (Adam's and RMSprop's estimate, Adagrad's sum), bias corrected, plus
  /// epsilon: the diagonal that divides the gradient. Ones for SGD and momentum.
  Eigen::VectorXd preconditioner() const;
  /// Mean |m| / sqrt(v), bias corrected: 1 where gradients keep their sign. 0 but for Adam.
  double momentRatio() const;
  /// Gradient descent diverges where rate x sharpness (of the preconditioned Hessian) passes this:
  /// 2 plain, 2 (1 + mu) with heavy-ball momentum mu, 2 (1 + b1) / (1 - b1) = 38 for Adam (Cohen et
  /// al. 2022).
  double stabilityLimit() const;

private:
  Optimizer kind_;
  double momentum_;
  int steps_ = 0;
  Eigen::VectorXd first_, second_;
};

} // namespace perfidy
