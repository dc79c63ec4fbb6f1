#include "test/programs/training/observe.h"

#include <algorithm>
#include <limits>

namespace perfidy {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
/// Training samples on which gradients and activations are looked at, and curvature (dearer).
constexpr Eigen::Index kProbe = 64, kCurvatureProbe = 32;
constexpr int kLanczosSteps = 6, kTraceProbes = 2;
/// Every epoch up to here, then every third one: early warning needs the first.
constexpr int kEarlyEpochs = 4;
/// Beyond this nothing about curvature can be trusted.
constexpr double kLargestNorm = 1e8;

double cosine(const Eigen::VectorXd &a, const Eigen::VectorXd &b) {
  const double norms = a.size() == b.size() ? a.norm() * b.norm() : 0;
  return norms > 0 ? a.dot(b) / norms : kNaN;
}

double ratio(double a, double b) { return b > 0 ? a / b : kNaN; }

/// The loss one would use for these targets.
LossSpec usualLoss(const Data &data) {
  return data.classes ? LossSpec{Loss::CrossEntropy, false, true}
                      : LossSpec{Loss::Square, false, false};
}

/// What the large frameworks begin with: PyTorch's and Keras's default, or the first in their
/// tutorials.
double usualRate(Optimizer kind) {
  return kind == Optimizer::Adam || kind == Optimizer::RmsProp ? 0.001 : 0.01;
}

double deviation(const Real &x) {
  const double mean = x.mean();
  return std::sqrt((x.array() - mean).square().mean());
}

/// Gradient of a loss by the outputs themselves.
Real outputSlope(const LossSpec &spec, const Real &out, const Real &targets) {
  Pass<Real> pass;
  pass.output = pass.tape.leaf(out);
  backpropagate(pass, spec, targets);
  return pass.tape.gradient(pass.output);
}

Pass<Real> passOf(const Epoch &epoch, const Real &inputs) {
  std::vector<Real> parameters;
  for (size_t i = 0; i < epoch.model.parameters.size(); ++i)
    parameters.push_back(part(epoch.model, epoch.theta, i));
  return run(epoch.model, parameters, inputs);
}

/// Mean |cosine| between neighbouring rows: 1 when all units are copies of each other.
double likeness(const Real &w) {
  double sum = 0;
  int pairs = 0;
  for (Eigen::Index i = 0; i + 1 < w.rows(); ++i) {
    const double norms = w.row(i).norm() * w.row(i + 1).norm();
    sum += norms > 0 ? std::abs(w.row(i).dot(w.row(i + 1))) / norms : 1;
    ++pairs;
  }
  return pairs > 0 ? sum / pairs : kNaN;
}

} // namespace

void TrainingObserver::put(const char *name, double value) {
  // Single precision is enough, and compresses to half.
  recorder_.point(name, number_, std::isfinite(value) ? static_cast<float>(value) : kNaN);
}

bool TrainingObserver::operator()(const Epoch &epoch) {
  number_ = epoch.number;
  if (number_ == 0)
    start_ = epoch.theta;
  losses(epoch);
  gradients(epoch);
  parameters(epoch);
  updates(epoch);
  const bool due = number_ <= kEarlyEpochs || number_ % 3 == 0;
  if (curvature_ && due && epoch.theta.norm() < kLargestNorm)
    curvature(epoch);
  if (live_)
    recorder_.flush();
  return true;
}

void TrainingObserver::losses(const Epoch &epoch) {
  const Data &data = epoch.data;
  const Real out = outputsOf(epoch.model, epoch.theta, data.inputs);
  const Real validation = outputsOf(epoch.model, epoch.theta, data.validationInputs);
  put("base.train_loss", lossValue(epoch.program.loss, out, data.targets));
  put("base.val_loss", lossValue(epoch.program.loss, validation, data.validationTargets));
  put("base.train_score", scoreOf(data, out, data.targets));
  put("base.val_score", scoreOf(data, validation, data.validationTargets));
  const auto &steps = epoch.stepLosses;
  double mean = kNaN, most = kNaN, noise = kNaN;
  if (!steps.empty()) {
    const Eigen::Map<const Eigen::VectorXd> values(steps.data(),
                                                   static_cast<Eigen::Index>(steps.size()));
    mean = values.mean();
    most = values.maxCoeff();
    noise = ratio(deviation(values), std::abs(mean));
  }
  put("base.step_loss_mean", mean);
  put("base.step_loss_max", most);
  put("check.step_noise", noise);
  const auto all = static_cast<double>(data.inputs.cols());
  put("check.steps", epoch.number == 0 ? kNaN : epoch.steps);
  put("check.batch_share", epoch.number == 0 ? kNaN : 1.0 / std::max(1, epoch.steps));
  put("check.samples_per_parameter", all / epoch.model.size);
}

void TrainingObserver::gradients(const Epoch &epoch) {
  const Eigen::Index samples = std::min(kProbe, epoch.data.inputs.cols());
  const Real targets = epoch.data.targets.leftCols(samples);
  Pass<Real> pass = passOf(epoch, epoch.data.inputs.leftCols(samples));
  backpropagate(pass, epoch.program.loss, targets);
  std::vector<double> norms;
  double small = 0;
  probeGradient_ = Eigen::VectorXd::Zero(epoch.model.size);
  for (size_t i = 0; i < epoch.model.parameters.size(); ++i) {
    const Parameter &p = epoch.model.parameters[i];
    const Real &g = pass.tape.gradient(pass.parameters[i]);
    if (g.size() > 0)
      probeGradient_.segment(p.offset, g.size()) =
          Eigen::Map<const Eigen::VectorXd>(g.data(), g.size());
    if (p.role == Parameter::Weight)
      norms.push_back(g.norm());
  }
  for (double value : probeGradient_)
    small += std::abs(value) < 1e-8;
  const Eigen::Map<const Eigen::VectorXd> layer(norms.data(),
                                                static_cast<Eigen::Index>(norms.size()));
  put("base.grad_mean", layer.mean());
  put("base.grad_std", deviation(layer));
  put("base.grad_max", layer.maxCoeff());
  put("base.grad_min", layer.minCoeff());
  put("base.grad_zero_share", small / epoch.model.size);
  put("check.grad_first_to_last", ratio(norms.front(), norms.back()));
  activations(epoch, pass);
  outputs(epoch, pass.tape.value(pass.output), targets);
}

void TrainingObserver::parameters(const Epoch &epoch) {
  const Eigen::VectorXd &theta = epoch.theta;
  put("base.theta_norm", theta.norm());
  put("base.theta_max", theta.cwiseAbs().maxCoeff());
  put("base.theta_big_share",
      static_cast<double>((theta.array().abs() > 10).count()) / epoch.model.size);
  put("check.distance", ratio((theta - start_).norm(), start_.norm()));
  // Deviations of the weights, in units of 1/sqrt(fan-in): about 1 for every usual start.
  double least = std::numeric_limits<double>::infinity(), most = 0, alike = 0, offset = 0;
  int weights = 0;
  for (size_t i = 0; i < epoch.model.parameters.size(); ++i) {
    if (epoch.model.parameters[i].role != Parameter::Weight)
      continue;
    const Real w = part(epoch.model, theta, i);
    const double scale = std::sqrt(w.squaredNorm() / static_cast<double>(w.size())) *
                         std::sqrt(static_cast<double>(w.cols()));
    least = std::min(least, scale);
    most = std::max(most, scale);
    const double same = likeness(w);
    alike += std::isfinite(same) ? same : 0;
    offset = std::max(offset, ratio(std::abs(w.mean()), deviation(w) + 1e-12));
    ++weights;
  }
  put("check.weight_scale_min", least);
  put("check.weight_scale_max", most);
  put("check.weight_likeness", alike / weights);
  put("check.weight_offset", offset);
}

void TrainingObserver::activations(const Epoch &, const Pass<Real> &pass) {
  const size_t layers = pass.activations.size();
  if (layers == 0)
    return;
  double mean = 0, spread = 0, dead = 0, saturated = 0, zero = 0, negative = 0, linear = 0,
         slope = 0;
  double most = -std::numeric_limits<double>::infinity(), least = -most, first = 0, last = 0;
  for (const ActivationNodes &nodes : pass.activations) {
    const Real &before = pass.tape.value(nodes.before), &after = pass.tape.value(nodes.after);
    const auto size = static_cast<double>(after.size());
    mean += after.mean();
    spread += last = deviation(after);
    first = &nodes == &pass.activations.front() ? last : first;
    dead += static_cast<double>((after.array() == 0).rowwise().all().count()) /
            static_cast<double>(after.rows());
    zero += static_cast<double>((after.array() == 0).count()) / size;
    negative += static_cast<double>((after.array() < 0).count()) / size;
    const bool bounded = nodes.fn == Fn::Tanh || nodes.fn == Fn::Sigmoid;
    const double middle = nodes.fn == Fn::Sigmoid ? 0.5 : 0,
                 half = nodes.fn == Fn::Sigmoid ? 0.45 : 0.95;
    saturated +=
        bounded ? static_cast<double>(((after.array() - middle).abs() > half).count()) / size : 0;
    most = std::max(most, after.maxCoeff());
    least = std::min(least, after.minCoeff());
    const double covariance =
        ((before.array() - before.mean()) * (after.array() - after.mean())).mean();
    linear += ratio(std::abs(covariance), deviation(before) * deviation(after) + 1e-30);
    slope += map<Real>(nodes.fn, 1, before).mean();
  }
  const auto n = static_cast<double>(layers);
  put("act.mean", mean / n);
  put("act.std", spread / n);
  put("act.dead_share", dead / n);
  put("act.saturated_share", saturated / n);
  put("act.zero_share", zero / n);
  put("check.unit_negative_share", negative / n);
  put("check.unit_max", most);
  put("check.unit_min", least);
  put("check.unit_linearity", linear / n);
  put("check.unit_slope", slope / n);
  put("check.signal_last_to_first", ratio(last, first));
}

void TrainingObserver::outputs(const Epoch &epoch, const Real &out, const Real &targets) {
  const LossSpec usual = usualLoss(epoch.data);
  const double reference = lossValue(usual, out, targets),
               used = lossValue(epoch.program.loss, out, targets);
  const Real expected = outputSlope(usual, out, targets),
             found = outputSlope(epoch.program.loss, out, targets);
  put("check.usual_loss", reference);
  put("check.loss_to_usual", ratio(used, reference));
  put("check.loss_slope_to_usual", ratio(found.norm(), expected.norm()));
  put("check.loss_slope_mismatch", ratio((found - expected).norm(), expected.norm()));
  const double norms = found.norm() * expected.norm();
  put("check.loss_slope_cosine", norms > 0 ? found.cwiseProduct(expected).sum() / norms : kNaN);
  put("check.output_std", ratio(deviation(out), deviation(targets)));
  put("check.output_max", out.maxCoeff());
  put("check.output_min", out.minCoeff());
  put("check.output_negative_share",
      static_cast<double>((out.array() < 0).count()) / static_cast<double>(out.size()));
  put("check.output_zero_share",
      static_cast<double>((out.array() == 0).count()) / static_cast<double>(out.size()));
  if (!epoch.data.classes)
    return;
  const Real p = softmax(out);
  put("check.confidence", p.colwise().maxCoeff().mean());
  put("check.class_spread", p.rowwise().mean().maxCoeff() * static_cast<double>(p.rows()));
  put("check.loss_to_chance", reference / std::log(static_cast<double>(p.rows())));
}

void TrainingObserver::updates(const Epoch &epoch) {
  const Eigen::VectorXd &update = epoch.update;
  const bool some = update.size() > 0;
  const double size = some ? update.norm() : kNaN,
               gradient = some ? epoch.lastGradient.norm() : kNaN;
  put("step.update_norm", size);
  put("step.effective_rate", ratio(size, gradient));
  put("step.moment_norm", epoch.stepper.first().norm());
  put("step.root_mean", some ? epoch.stepper.preconditioner().mean() : kNaN);
  put("step.rate", some ? epoch.rate : kNaN);
  put("check.rate_to_usual", some ? epoch.rate / usualRate(epoch.program.optimizer) : kNaN);
  put("free.update_to_theta", ratio(size, epoch.theta.norm()));
  put("free.cos_descent", some ? cosine(-probeGradient_, update) : kNaN);
  put("free.cos_before", cosine(update, epoch.updateBefore));
  put("free.moment_ratio", epoch.stepper.momentRatio());
}

void TrainingObserver::curvature(const Epoch &epoch) {
  const Eigen::Index samples = std::min(kCurvatureProbe, epoch.data.inputs.cols());
  const Real inputs = epoch.data.inputs.leftCols(samples),
             targets = epoch.data.targets.leftCols(samples);
  const Operator hessian = [&](const Eigen::VectorXd &v) {
    return hessianTimes<Paired>(epoch.model, epoch.theta, v, epoch.program.loss, inputs, targets);
  };
  const int size = epoch.model.size;
  Random random(1);
  const Eigen::VectorXd fixed =
      Eigen::VectorXd::NullaryExpr(size, [&] { return random.normal(); }).normalized();
  const auto extremes = [&](const Operator &apply, Eigen::VectorXd &from) {
    const Extremes found = lanczos(
        apply, from.size() == size ? Eigen::VectorXd(from + 0.2 * fixed) : fixed, kLanczosSteps);
    from = found.top + found.bottom;
    if (!from.allFinite())
      from.resize(0);
    return found;
  };
  const Extremes plain = extremes(hessian, direction_);
  put("curv.largest", plain.largest);
  put("curv.smallest", plain.smallest);
  put("curv.mean", meanDiagonal(hessian, size, kTraceProbes, 2));
  const double along = quotient(hessian, probeGradient_);
  put("curv.gradient", along);
  put("curv.update", epoch.update.size() > 0 ? quotient(hessian, epoch.update) : kNaN);
  const double rate = epoch.update.size() > 0 ? epoch.rate : epoch.program.rate;
  const Optimizer kind = epoch.program.optimizer;
  const bool moment = kind == Optimizer::Momentum;
  put("edge.plain", rate * plain.largest / (moment ? 2 * (1 + epoch.program.momentum) : 2));
  double scaledLargest = plain.largest;
  if (kind != Optimizer::Sgd && !moment && epoch.update.size() > 0) {
    const Eigen::VectorXd root = epoch.stepper.preconditioner().cwiseSqrt();
    const Operator scaled = [&](const Eigen::VectorXd &v) {
      return Eigen::VectorXd(hessian(v.cwiseQuotient(root)).cwiseQuotient(root));
    };
    scaledLargest = extremes(scaled, scaledDirection_).largest;
  }
  put("edge.scaled", rate * scaledLargest / epoch.stepper.stabilityLimit());
  put("edge.gradient", rate * along / 2);
}

} // namespace perfidy
