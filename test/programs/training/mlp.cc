// Linear models and multilayer perceptrons that classify, and those that fit a function.
#include "test/programs/training/program.h"

namespace perfidy {
namespace {

/// Hidden layers of one width with one activation.
std::vector<Layer> hidden(int layers, int units, Fn fn) {
  std::vector<Layer> list;
  for (int i = 0; i < layers; ++i) {
    list.push_back(dense(units));
    list.push_back(activation(fn));
  }
  return list;
}

Data flatDigits() { return digits(); }

} // namespace

std::vector<Program> linearPrograms() {
  return {
      classifier("digits-linear", "linear", flatDigits, {}, Optimizer::Sgd, 0.1, 0.8),
      classifier("cancer-linear", "linear", cancer, {}, Optimizer::Adagrad, 0.1, 0.9),
      regressor(classifier("diabetes-linear", "linear", diabetes, {}, Optimizer::Sgd, 0.02, 0.28)),
  };
}

std::vector<Program> mlpPrograms() {
  std::vector<Program> list{
      classifier(
          "digits-relu", "mlp", flatDigits, hidden(2, 24, Fn::Relu), Optimizer::Adam, 0.01, 0.8),
      classifier("digits-deep-tanh",
                 "mlp",
                 flatDigits,
                 hidden(4, 16, Fn::Tanh),
                 Optimizer::Momentum,
                 0.05,
                 0.75),
      classifier(
          "cancer-relu", "mlp", cancer, hidden(1, 32, Fn::Relu), Optimizer::Adam, 0.005, 0.9),
      classifier("wine-tanh", "mlp", wine, hidden(1, 32, Fn::Tanh), Optimizer::RmsProp, 0.003, 0.9),
      classifier(
          "iris-relu", "mlp", iris, hidden(2, 24, Fn::Relu), Optimizer::Momentum, 0.02, 0.85),
      classifier(
          "spiral-tanh", "mlp", spiral, hidden(2, 24, Fn::Tanh), Optimizer::Adam, 0.03, 0.85),
      classifier(
          "moons-sigmoid", "mlp", moons, hidden(1, 16, Fn::Sigmoid), Optimizer::Sgd, 0.5, 0.8),
      classifier("checkerboard-relu",
                 "mlp",
                 checkerboard,
                 hidden(3, 24, Fn::Relu),
                 Optimizer::Adam,
                 0.01,
                 0.75),
      classifier(
          "parity-tanh", "mlp", parity, hidden(1, 32, Fn::Tanh), Optimizer::RmsProp, 0.02, 0.7),
      classifier(
          "formants-relu", "mlp", formants, hidden(2, 32, Fn::Relu), Optimizer::Adam, 0.01, 0.8),
      classifier("echoes-tanh", "mlp", echoes, hidden(1, 24, Fn::Tanh), Optimizer::Sgd, 0.05, 0.8),
      classifier(
          "mixture-relu", "mlp", mixture, hidden(1, 64, Fn::Relu), Optimizer::Adam, 0.005, 0.8),
  };
  for (Program &program : list) {
    if (program.name == "iris-relu" || program.name == "wine-tanh" || program.name == "parity-tanh")
      program.batch = 8;
    if (program.name == "parity-tanh")
      program.epochs = 30;
  }
  return list;
}

std::vector<Program> regressionPrograms() {
  return {
      regressor(classifier("diabetes-relu",
                           "mlp-regression",
                           diabetes,
                           hidden(1, 32, Fn::Relu),
                           Optimizer::Adam,
                           0.003,
                           0.2)),
      regressor(classifier("sine-deep-relu",
                           "mlp-regression",
                           sine,
                           hidden(4, 16, Fn::Relu),
                           Optimizer::Adam,
                           0.01,
                           0.7)),
      regressor(classifier("friedman1-tanh",
                           "mlp-regression",
                           friedman1,
                           hidden(2, 32, Fn::Tanh),
                           Optimizer::Momentum,
                           0.02,
                           0.6)),
      regressor(classifier("friedman3-softplus",
                           "mlp-regression",
                           friedman3,
                           hidden(1, 24, Fn::Softplus),
                           Optimizer::RmsProp,
                           0.01,
                           0.5)),
  };
}

std::vector<Program> autoencoderPrograms() {
  const auto coder = [](Fn fn, int outer, int inner) {
    return std::vector<Layer>{
        dense(outer), activation(fn), dense(inner), activation(fn), dense(outer), activation(fn)};
  };
  return {
      regressor(classifier(
          "digits-autoencoder",
          "autoencoder",
          [] { return reconstructing(digits()); },
          coder(Fn::Tanh, 32, 12),
          Optimizer::Adam,
          0.01,
          0.3)),
      regressor(classifier(
          "digits-denoising",
          "autoencoder",
          [] { return reconstructing(digits(), 0.3); },
          coder(Fn::Relu, 32, 16),
          Optimizer::Adam,
          0.005,
          0.3)),
      regressor(classifier(
          "patches-autoencoder",
          "autoencoder",
          [] {
            return reconstructing(patches({64, 1, 1, 1}));
          },
          {dense(16), activation(Fn::Sigmoid)},
          Optimizer::RmsProp,
          0.01,
          0.6)),
      regressor(classifier(
          "cancer-autoencoder",
          "autoencoder",
          [] { return reconstructing(cancer()); },
          {dense(8)},
          Optimizer::Sgd,
          0.5,
          0.5)),
  };
}

} // namespace perfidy
