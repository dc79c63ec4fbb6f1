// Losses, right and wrong ones, with the derivatives that back-propagation and the R-operator need.
#pragma once

#include "test/programs/training/layers.h"

namespace perfidy {

/// Of softmax outputs: CrossEntropy, SoftmaxSquare, SoftmaxAbs. Element by element of the outputs:
/// the others (BinaryCrossEntropy applies a sigmoid first). LogSquare is the mean squared
/// logarithmic error, with what is below 0 taken as 0. NegatedSquare is the square with the wrong
/// sign.
enum class Loss {
  CrossEntropy,
  SoftmaxSquare,
  SoftmaxAbs,
  Square,
  Abs,
  LogCosh,
  Hinge,
  BinaryCrossEntropy,
  LogSquare,
  NegatedSquare
};

/// What a loss is applied to: mean over samples (and outputs, for elementwise ones) or the sum.
struct LossSpec {
  Loss loss = Loss::CrossEntropy;
  bool sum = false;
  bool oneHot = true; ///< targets are 0 and 1 (classes), for the hinge
};

/// Derivative of the given order (0 to 2) by the output p of an elementwise loss.
double elementLoss(Loss loss, bool oneHot, int order, double p, double y);

namespace plain {

inline double elementLoss(const LossSpec &spec, int order, double p, double y) {
  return perfidy::elementLoss(spec.loss, spec.oneHot, order, p, y);
}
inline Dual elementLoss(const LossSpec &spec, int order, Dual p, double y) {
  return {elementLoss(spec, order, p.value, y), elementLoss(spec, order + 1, p.value, y) * p.slope};
}

} // namespace plain

/// Elementwise first derivatives.
template <typename T> T lossSlope(const LossSpec &spec, const T &p, const Real &y) {
  T out(p.rows(), p.cols());
  for (Eigen::Index i = 0; i < p.size(); ++i)
    out.data()[i] = plain::elementLoss(spec, 1, p.data()[i], y.data()[i]);
  return out;
}
inline Paired lossSlope(const LossSpec &spec, const Paired &p, const Real &y) {
  const Real second =
      p.v.binaryExpr(y, [&](double a, double b) { return plain::elementLoss(spec, 2, a, b); });
  return {lossSlope<Real>(spec, p.v, y), hadamard<Real>(second, p.d)};
}

/// Value of the loss.
double lossValue(const LossSpec &spec, const Real &output, const Real &target);

/// Back-propagates the loss of pass.output through the pass.
template <typename T> void backpropagate(Pass<T> &pass, const LossSpec &spec, const Real &target) {
  const double samples = spec.sum ? 1 : static_cast<double>(target.cols());
  if (spec.loss == Loss::CrossEntropy) {
    const T p = softmax(pass.tape.value(pass.output));
    pass.tape.backward(pass.output, scaled(plus(p, -1.0, constant<T>(target)), 1 / samples));
    return;
  }
  const bool soft = spec.loss == Loss::SoftmaxSquare || spec.loss == Loss::SoftmaxAbs;
  const int at = soft ? pass.tape.softmax(pass.output) : pass.output;
  const double outputs = spec.sum ? 1 : static_cast<double>(target.rows());
  pass.tape.backward(at,
                     scaled(lossSlope(spec, pass.tape.value(at), target), 1 / (samples * outputs)));
}

/// The parameter matrices in a flat vector.
inline Real part(const Model &model, const Eigen::VectorXd &theta, size_t i) {
  const Parameter &p = model.parameters[i];
  return Eigen::Map<const Real>(theta.data() + p.offset, p.rows, p.cols);
}

/// Gradient of the loss. `outputs`, if given, receives the outputs.
Eigen::VectorXd gradientOf(const Model &model,
                           const Eigen::VectorXd &theta,
                           const LossSpec &spec,
                           const Real &inputs,
                           const Real &target,
                           Real *outputs = nullptr);

/// Hessian times vector, exactly, with T = Paired (Pearlmutter) or Oracle (dual numbers).
template <typename T>
Eigen::VectorXd hessianTimes(const Model &model,
                             const Eigen::VectorXd &theta,
                             const Eigen::VectorXd &vector,
                             const LossSpec &spec,
                             const Real &inputs,
                             const Real &target) {
  std::vector<T> parameters;
  for (size_t i = 0; i < model.parameters.size(); ++i)
    parameters.push_back(withSlope<T>(part(model, theta, i), part(model, vector, i)));
  Pass<T> pass = run(model, parameters, inputs);
  backpropagate(pass, spec, target);
  Eigen::VectorXd result = Eigen::VectorXd::Zero(model.size);
  for (size_t i = 0; i < model.parameters.size(); ++i) {
    const Real slope = slopeOf(pass.tape.gradient(pass.parameters[i]));
    result.segment(model.parameters[i].offset, slope.size()) =
        Eigen::Map<const Eigen::VectorXd>(slope.data(), slope.size());
  }
  return result;
}

} // namespace perfidy
