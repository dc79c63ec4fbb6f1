#include "test/programs/training/train.h"

#include <algorithm>
#include <map>

namespace perfidy {
namespace {

/// Made once per process: the same for every run of a program.
const Data &cachedData(Data (*make)()) {
  static std::map<Data (*)(), Data> made;
  const auto found = made.find(make);
  return found != made.end() ? found->second : made.emplace(make, make()).first->second;
}

Real columns(const Real &from, const std::vector<int> &order, size_t begin, size_t end) {
  Real out(from.rows(), static_cast<Eigen::Index>(end - begin));
  for (size_t i = begin; i < end; ++i)
    out.col(static_cast<Eigen::Index>(i - begin)) = from.col(order[i]);
  return out;
}

void shuffleLabels(Data &data, double share, Random &random) {
  std::vector<int> chosen;
  for (int i = 0; i < data.targets.cols(); ++i)
    if (random.uniform() < share)
      chosen.push_back(i);
  std::vector<int> other = chosen;
  random.shuffle(other);
  const Real before = data.targets;
  for (size_t i = 0; i < chosen.size(); ++i)
    data.targets.col(chosen[i]) = before.col(other[i]);
}

double rateAt(const Program &program, int step, int steps) {
  const double share = static_cast<double>(step) / std::max(1, steps);
  const double cosine = 0.5 + 0.5 * std::cos(3.14159265358979323846 * share);
  return program.rate * (program.decayRate + (1 - program.decayRate) * cosine);
}

/// One training run in progress.
class Run {
public:
  Run(const Program &program, uint64_t seed)
      : program_(program), random_(seed), data_(dataOf(program, seed)),
        model_(modelOf(program, data_)), theta_(startOf(program, model_, random_)),
        stepper_(program.optimizer, program.momentum, model_.size),
        gradient_(Eigen::VectorXd::Zero(model_.size)),
        order_(static_cast<size_t>(data_.inputs.cols())) {
    for (size_t i = 0; i < order_.size(); ++i)
      order_[i] = static_cast<int>(i);
  }

  Trained operator()(const Observer &observer) {
    bool goOn = !observer || observer(state(0));
    for (int epoch = 1; epoch <= program_.epochs && goOn && finite_; ++epoch) {
      walk();
      goOn = !observer || observer(state(epoch));
    }
    Trained result{model_, theta_, finite_, -1, -1};
    if (finite_) {
      result.trainScore = scoreOf(data_, outputsOf(model_, theta_, data_.inputs), data_.targets);
      result.validationScore = scoreOf(
          data_, outputsOf(model_, theta_, data_.validationInputs), data_.validationTargets);
    }
    return result;
  }

private:
  size_t batch() const {
    return std::min(order_.size(), static_cast<size_t>(std::max(1, program_.batch)));
  }

  void walk() {
    losses_.clear();
    if (program_.shuffle)
      random_.shuffle(order_);
    for (size_t at = 0; at + batch() <= order_.size() && finite_; at += batch())
      step(at, at + batch());
  }

  void step(size_t begin, size_t end) {
    Real inputs = columns(data_.inputs, order_, begin, end);
    const Real targets = columns(data_.targets, order_, begin, end);
    if (program_.dropout > 0)
      inputs = inputs.unaryExpr([&](double x) {
        return random_.uniform() < program_.dropout ? 0 : x / (1 - program_.dropout);
      });
    Real outputs;
    Eigen::VectorXd fresh = gradientOf(model_, theta_, program_.loss, inputs, targets, &outputs);
    losses_.push_back(lossValue(program_.loss, outputs, targets));
    fresh += program_.weightDecay * theta_;
    const Eigen::VectorXd before = gradient_;
    accumulate(fresh);
    used_ = program_.staleGradients ? before : gradient_;
    if (program_.clip > 0 && used_.norm() > program_.clip)
      used_ *= program_.clip / used_.norm();
    const int perEpoch = static_cast<int>(order_.size() / batch());
    rate_ = rateAt(program_, steps_++, perEpoch * program_.epochs);
    updateBefore_ = update_;
    update_ = stepper_.step(used_, rate_);
    theta_ += update_;
    finite_ = theta_.allFinite() && std::isfinite(losses_.back());
  }

  void accumulate(const Eigen::VectorXd &fresh) {
    if (program_.resetGradients)
      clearGradients();
    gradient_ += fresh;
  }

  void clearGradients() { gradient_.setZero(); }

  Epoch state(int number) const {
    return {number,
            program_,
            model_,
            data_,
            theta_,
            stepper_,
            rate_,
            static_cast<int>(losses_.size()),
            losses_,
            update_,
            updateBefore_,
            used_};
  }

  const Program &program_;
  Random random_;
  Data data_;
  Model model_;
  Eigen::VectorXd theta_;
  Stepper stepper_;
  Eigen::VectorXd gradient_, used_, update_, updateBefore_;
  std::vector<int> order_;
  std::vector<double> losses_;
  double rate_ = 0;
  int steps_ = 0;
  bool finite_ = true;
};

} // namespace

Trained train(const Program &program, uint64_t seed, const Observer &observer) {
  return Run(program, seed)(observer);
}

double scoreOf(const Data &data, const Real &outputs, const Real &targets) {
  if (data.classes) {
    int hits = 0;
    for (Eigen::Index n = 0; n < targets.cols(); ++n) {
      Eigen::Index guess = 0, truth = 0;
      outputs.col(n).maxCoeff(&guess);
      targets.col(n).maxCoeff(&truth);
      hits += guess == truth;
    }
    return static_cast<double>(hits) / static_cast<double>(targets.cols());
  }
  const Eigen::VectorXd mean = targets.rowwise().mean();
  const double all = (targets.colwise() - mean).squaredNorm();
  const double left = (outputs - targets).squaredNorm();
  return std::isfinite(left) ? std::clamp(1 - left / std::max(all, 1e-12), -1.0, 1.0) : -1;
}

Real outputsOf(const Model &model, const Eigen::VectorXd &theta, const Real &inputs) {
  std::vector<Real> parameters;
  for (size_t i = 0; i < model.parameters.size(); ++i)
    parameters.push_back(part(model, theta, i));
  const Pass<Real> pass = run(model, parameters, inputs);
  return pass.tape.value(pass.output);
}

Model modelOf(const Program &program, const Data &data) {
  std::vector<Layer> layers = program.layers;
  layers.push_back(dense(static_cast<int>(data.targets.rows())));
  layers.insert(layers.end(), program.tail.begin(), program.tail.end());
  return {layers, data.shape};
}

Data dataOf(const Program &program, uint64_t seed) {
  Data data = cachedData(program.data);
  Random random(seed ^ 0x5eed);
  if (program.trainLimit > 0 && program.trainLimit < data.inputs.cols()) {
    data.inputs = data.inputs.leftCols(program.trainLimit).eval();
    data.targets = data.targets.leftCols(program.trainLimit).eval();
  }
  if (program.labelNoise > 0)
    shuffleLabels(data, program.labelNoise, random);
  data.inputs *= program.inputScale;
  data.validationInputs *= program.inputScale;
  data.validationInputs.array() += program.validationShift;
  return data;
}

Eigen::VectorXd startOf(const Program &program, const Model &model, Random &random) {
  Eigen::VectorXd theta(model.size);
  for (const Parameter &p : model.parameters) {
    const double glorot = std::sqrt(2.0 / (p.cols + p.fanOut)), he = std::sqrt(2.0 / p.cols);
    const double usual = p.fn == Fn::Relu ? he : glorot;
    for (int i = p.offset; i < p.offset + p.rows * p.cols; ++i) {
      const double draw = random.normal();
      theta[i] =
          p.role == Parameter::Weight ? usual * draw : 1e-3 * draw + (p.role == Parameter::Gain);
      if (p.role != Parameter::Weight)
        continue;
      switch (program.start) {
      case Start::Standard: break;
      case Start::Zeros: theta[i] = 0; break;
      case Start::Ones: theta[i] = 1; break;
      case Start::Constant: theta[i] = 0.05; break;
      case Start::Wide: theta[i] = draw; break;
      case Start::Tiny: theta[i] = 1e-3 * draw; break;
      }
    }
  }
  return theta;
}

} // namespace perfidy
