#include "test/programs/training/optimizer.h"

namespace perfidy {

Stepper::Stepper(Optimizer kind, double momentum, int size)
    : kind_(kind), momentum_(momentum), first_(Eigen::VectorXd::Zero(size)), second_(first_) {}

Eigen::VectorXd Stepper::step(const Eigen::VectorXd &gradient, double rate) {
  ++steps_;
  switch (kind_) {
  case Optimizer::Sgd: return -rate * gradient;
  case Optimizer::Momentum: first_ = momentum_ * first_ + gradient; return -rate * first_;
  case Optimizer::RmsProp:
    second_ = kRmsBeta * second_ + (1 - kRmsBeta) * gradient.cwiseAbs2();
    break;
  case Optimizer::Adagrad: second_ += gradient.cwiseAbs2(); break;
  case Optimizer::Adam:
    first_ = kAdamBeta1 * first_ + (1 - kAdamBeta1) * gradient;
    second_ = kAdamBeta2 * second_ + (1 - kAdamBeta2) * gradient.cwiseAbs2();
    return -rate / (1 - std::pow(kAdamBeta1, steps_)) * first_.cwiseQuotient(preconditioner());
  }
  return -rate * gradient.cwiseQuotient(preconditioner());
}

Eigen::VectorXd Stepper::preconditioner() const {
  if (kind_ == Optimizer::Sgd || kind_ == Optimizer::Momentum || steps_ == 0)
    return Eigen::VectorXd::Ones(second_.size());
  const double bias = kind_ == Optimizer::Adam ? 1 - std::pow(kAdamBeta2, steps_) : 1;
  return ((second_ / bias).cwiseSqrt().array() + kAdamEpsilon).matrix();
}

double Stepper::momentRatio() const {
  if (kind_ != Optimizer::Adam || steps_ == 0)
    return 0;
  const double bias = 1 - std::pow(kAdamBeta1, steps_);
  return first_.cwiseAbs().cwiseQuotient(preconditioner()).mean() / bias;
}

double Stepper::stabilityLimit() const {
  if (kind_ == Optimizer::Momentum)
    return 2 * (1 + momentum_);
  return kind_ == Optimizer::Adam ? 2 * (1 + kAdamBeta1) / (1 - kAdamBeta1) : 2;
}

} // namespace perfidy
