#include "test/programs/training/faults.h"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>

namespace perfidy {
namespace {

class List {
public:
  void add(const char *group, const std::string &name, std::function<void(Program &)> apply) {
    faults.push_back({fmt::format("{}.{}", group, name), group, std::move(apply)});
  }
  std::vector<Fault> faults;
};

void addHyper(List &list, double edge) {
  for (double factor : {0.003, 0.03, 10.0, 30.0, 100.0})
    list.add("hyper", fmt::format("rate-x{}", factor), [=](Program &p) { p.rate *= factor; });
  for (double share : {0.5, 0.8, 1.0, 1.25})
    list.add("hyper", fmt::format("edge-x{}", share), [=](Program &p) { p.rate *= share * edge; });
  list.add("hyper", "batch-2", [](Program &p) { p.batch = 2; });
  list.add("hyper", "batch-full", [](Program &p) { p.batch = 1 << 20; });
  list.add("hyper", "short", [](Program &p) {
    p.epochs /= 2;
    p.rate /= 10;
  });
}

void addLoss(List &list, const Program &program) {
  struct Choice {
    const char *name;
    Loss loss;
  };
  const std::vector<Choice> classes{{"softmax-square", Loss::SoftmaxSquare},
                                    {"softmax-abs", Loss::SoftmaxAbs},
                                    {"hinge", Loss::Hinge},
                                    {"binary", Loss::BinaryCrossEntropy},
                                    {"square", Loss::Square}};
  const std::vector<Choice> values{{"abs", Loss::Abs},
                                   {"log-cosh", Loss::LogCosh},
                                   {"hinge", Loss::Hinge},
                                   {"binary", Loss::BinaryCrossEntropy},
                                   {"log-square", Loss::LogSquare},
                                   {"sign", Loss::NegatedSquare}};
  for (const Choice &choice : program.loss.oneHot ? classes : values)
    list.add("loss", choice.name, [loss = choice.loss](Program &p) { p.loss.loss = loss; });
  list.add("loss", "sum", [](Program &p) { p.loss.sum = true; });
}

bool activated(const Layer &layer) {
  return layer.kind == Layer::Activation || layer.kind == Layer::Elman || layer.kind == Layer::Gru;
}

void addActivation(List &list, const Program &program) {
  struct Choice {
    const char *name;
    Fn fn;
  };
  const auto first = std::find_if(program.layers.begin(), program.layers.end(), activated);
  for (const Choice &choice : {Choice{"linear", Fn::Identity},
                               {"sigmoid", Fn::Sigmoid},
                               {"tanh", Fn::Tanh},
                               {"softplus", Fn::Softplus},
                               {"exp", Fn::Exp},
                               {"relu", Fn::Relu}})
    if (first != program.layers.end() && first->fn != choice.fn)
      list.add("act", choice.name, [fn = choice.fn](Program &p) {
        for (Layer &layer : p.layers)
          layer.fn = activated(layer) ? fn : layer.fn;
      });
  list.add("act", "output-relu", [](Program &p) { p.tail = {activation(Fn::Relu)}; });
  list.add("act", "output-sigmoid", [](Program &p) { p.tail = {activation(Fn::Sigmoid)}; });
}

void addStart(List &list) {
  struct Choice {
    const char *name;
    Start start;
  };
  for (const Choice &choice : {Choice{"zeros", Start::Zeros},
                               {"ones", Start::Ones},
                               {"constant", Start::Constant},
                               {"wide", Start::Wide},
                               {"tiny", Start::Tiny}})
    list.add("init", choice.name, [start = choice.start](Program &p) { p.start = start; });
}

void addOthers(List &list, const Program &program) {
  const bool adam = program.optimizer == Optimizer::Adam;
  list.add("opt", adam ? "sgd" : "adam", [=](Program &p) {
    p.optimizer = adam ? Optimizer::Sgd : Optimizer::Adam;
  });
  list.add("opt", "clip", [](Program &p) { p.clip = 1e-2; });
  list.add("opt", "no-reset", [](Program &p) { p.resetGradients = false; });
  list.add("opt", "stale", [](Program &p) { p.staleGradients = true; });
  list.add("data", "labels", [](Program &p) { p.labelNoise = 0.5; });
  list.add("data", "scale", [](Program &p) { p.inputScale = 100; });
  list.add("data", "shift", [](Program &p) { p.validationShift = 1; });
  list.add("data", "few", [](Program &p) {
    p.trainLimit = 24;
    p.batch = std::min(p.batch, 8);
  });
  const bool wide =
      std::any_of(program.layers.begin(), program.layers.end(), [](const Layer &layer) {
        return layer.kind == Layer::Dense && layer.units >= 16;
      });
  if (wide)
    list.add("layer", "narrow", [](Program &p) {
      for (Layer &layer : p.layers)
        layer.units =
            layer.kind == Layer::Dense && layer.units >= 16 ? layer.units / 8 : layer.units;
    });
  list.add("reg", "decay-x1e4", [](Program &p) { p.weightDecay *= 1e4; });
  list.add("reg", "dropout", [](Program &p) { p.dropout = 0.9; });
}

/// Two-sided tail of Student's t: the density integrated by Simpson's rule over t = tan(a).
double studentTail(double t, double freedom) {
  constexpr int kIntervals = 2000;
  const double from = std::atan(std::abs(t)), step = (1.5707963267948966 - from) / kIntervals;
  const auto density = [&](double a) {
    return std::pow(std::cos(a), -2) *
           std::pow(1 + std::pow(std::tan(a), 2) / freedom, -(freedom + 1) / 2);
  };
  double sum = density(from);
  for (int i = 1; i < kIntervals; ++i)
    sum += density(from + i * step) * (i % 2 ? 4 : 2);
  const double scale = std::exp(std::lgamma((freedom + 1) / 2) - std::lgamma(freedom / 2)) /
                       std::sqrt(freedom * 3.14159265358979323846);
  return 2 * scale * sum * step / 3;
}

double mean(const std::vector<double> &x) {
  return std::accumulate(x.begin(), x.end(), 0.0) / static_cast<double>(x.size());
}

double variance(const std::vector<double> &x) {
  double sum = 0;
  for (double value : x)
    sum += (value - mean(x)) * (value - mean(x));
  return sum / static_cast<double>(x.size() - 1);
}

} // namespace

std::vector<Fault> faultsFor(const Program &program, double edge) {
  List list;
  addHyper(list, edge);
  addLoss(list, program);
  addActivation(list, program);
  addStart(list);
  addOthers(list, program);
  return list.faults;
}

double divergenceEdge(const Program &program) {
  const auto diverges = [&](double factor) {
    Program tried = program;
    tried.rate *= factor;
    tried.epochs = 6;
    double first = 0, last = 0;
    const Trained trained = train(tried, 99, [&](const Epoch &epoch) {
      last = lossValue(
          tried.loss, outputsOf(epoch.model, epoch.theta, epoch.data.inputs), epoch.data.targets);
      first = epoch.number == 0 ? last : first;
      return true;
    });
    return !trained.finite || !(last < 1.5 * first);
  };
  double low = 0, high = std::log(1e4);
  for (int i = 0; i < 10; ++i) {
    const double middle = (low + high) / 2;
    (diverges(std::exp(middle)) ? high : low) = middle;
  }
  return std::exp(low);
}

bool killed(const std::vector<double> &clean, const std::vector<double> &faulty) {
  if (clean.size() < 2 || faulty.size() < 2)
    return false;
  const double difference = std::abs(mean(clean) - mean(faulty));
  const double a = variance(clean) / static_cast<double>(clean.size()),
               b = variance(faulty) / static_cast<double>(faulty.size());
  const double pooled = std::sqrt((variance(clean) + variance(faulty)) / 2);
  if (pooled < 1e-12)
    return difference > 1e-12;
  const double freedom = (a + b) * (a + b) /
                         (a * a / static_cast<double>(clean.size() - 1) +
                          b * b / static_cast<double>(faulty.size() - 1));
  return difference / pooled >= 0.5 && studentTail(difference / std::sqrt(a + b), freedom) < 0.05;
}

} // namespace perfidy
