#include "test/programs/training/loss.h"

namespace perfidy {
namespace {

double logCosh(int order, double r) {
  const double t = std::tanh(r);
  return order == 0   ? std::abs(r) + std::log1p(std::exp(-2 * std::abs(r))) - std::log(2.0)
         : order == 1 ? t
                      : 1 - t * t;
}

double logSquare(int order, double p, double y) {
  const double r = std::log1p(std::max(p, 0.0)) - std::log1p(std::max(y, 0.0));
  if (order == 0)
    return r * r;
  if (p <= 0)
    return 0;
  return order == 1 ? 2 * r / (1 + p) : (2 - 2 * r) / ((1 + p) * (1 + p));
}

double square(int order, double r) { return order == 0 ? r * r : order == 1 ? 2 * r : 2; }

} // namespace

double elementLoss(Loss loss, bool oneHot, int order, double p, double y) {
  switch (loss) {
  case Loss::Abs:
  case Loss::SoftmaxAbs: return order == 0 ? std::abs(p - y) : order == 1 ? (p > y) - (p < y) : 0;
  case Loss::LogCosh: return logCosh(order, p - y);
  case Loss::Hinge: {
    const double side = oneHot ? 2 * y - 1 : y;
    const double margin = 1 - side * p;
    return margin <= 0 ? 0 : order == 0 ? margin : order == 1 ? -side : 0;
  }
  case Loss::BinaryCrossEntropy:
    return derivative(Fn::Softplus, order, p) - (order == 0 ? y * p : order == 1 ? y : 0);
  case Loss::LogSquare: return logSquare(order, p, y);
  case Loss::NegatedSquare: return -square(order, p - y);
  case Loss::CrossEntropy:
  case Loss::SoftmaxSquare:
  case Loss::Square: break;
  }
  return square(order, p - y);
}

double lossValue(const LossSpec &spec, const Real &output, const Real &target) {
  const double samples = spec.sum ? 1 : static_cast<double>(target.cols());
  if (spec.loss == Loss::CrossEntropy) {
    const Eigen::RowVectorXd top = output.colwise().maxCoeff();
    const Real shifted = output.rowwise() - top;
    const Eigen::RowVectorXd logSum = shifted.array().exp().colwise().sum().log();
    return (logSum.sum() - shifted.cwiseProduct(target).sum()) / samples;
  }
  const bool soft = spec.loss == Loss::SoftmaxSquare || spec.loss == Loss::SoftmaxAbs;
  const Real p = soft ? softmax(output) : output;
  const Real each =
      p.binaryExpr(target, [&](double a, double b) { return plain::elementLoss(spec, 0, a, b); });
  return each.sum() / (samples * (spec.sum ? 1 : static_cast<double>(target.rows())));
}

Eigen::VectorXd gradientOf(const Model &model,
                           const Eigen::VectorXd &theta,
                           const LossSpec &spec,
                           const Real &inputs,
                           const Real &target,
                           Real *outputs) {
  std::vector<Real> parameters;
  for (size_t i = 0; i < model.parameters.size(); ++i)
    parameters.push_back(part(model, theta, i));
  Pass<Real> pass = run(model, parameters, inputs);
  if (outputs)
    *outputs = pass.tape.value(pass.output);
  backpropagate(pass, spec, target);
  Eigen::VectorXd result = Eigen::VectorXd::Zero(model.size);
  for (size_t i = 0; i < model.parameters.size(); ++i) {
    const Real &g = pass.tape.gradient(pass.parameters[i]);
    if (g.size() > 0)
      result.segment(model.parameters[i].offset, g.size()) =
          Eigen::Map<const Eigen::VectorXd>(g.data(), g.size());
  }
  return result;
}

} // namespace perfidy
