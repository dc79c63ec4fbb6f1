// Convolutional and recurrent networks, and attention.
#include "test/programs/training/program.h"

namespace perfidy {
namespace {

Data digitImages() { return digits({1, 8, 8, 1}); }
Data digitRows() { return digits({8, 1, 1, 8}); }
Data patchImages() { return patches({1, 8, 8, 1}); }
Data curves() { return waveforms({1, 1, 24, 1}); }
Data curveSteps() { return waveforms({3, 1, 1, 8}); }

std::vector<Layer> smallCnn(int filters, Fn fn) {
  return {conv(filters, 3, 3), activation(fn), maxPool(2, 2), dense(24), activation(fn)};
}

} // namespace

std::vector<Program> cnnPrograms() {
  const Layer relu = activation(Fn::Relu);
  return {
      classifier("digits-cnn-relu",
                 "cnn",
                 digitImages,
                 smallCnn(6, Fn::Relu),
                 Optimizer::Adam,
                 0.01,
                 0.75),
      classifier("digits-cnn-tanh",
                 "cnn",
                 digitImages,
                 smallCnn(6, Fn::Tanh),
                 Optimizer::Momentum,
                 0.03,
                 0.75),
      classifier("bars-cnn",
                 "cnn",
                 bars,
                 {conv(4, 3, 3), relu, maxPool(2, 2)},
                 Optimizer::RmsProp,
                 0.005,
                 0.8),
      classifier("glyphs-cnn",
                 "cnn",
                 glyphs,
                 {conv(4, 3, 3), relu, conv(6, 3, 3), relu, maxPool(2, 2)},
                 Optimizer::Adam,
                 0.01,
                 0.7),
      classifier("waveform-cnn",
                 "cnn",
                 curves,
                 {conv(4, 1, 5), relu, maxPool(1, 2), dense(16), relu},
                 Optimizer::Adam,
                 0.01,
                 0.75),
      regressor(classifier("patches-cnn",
                           "cnn",
                           patchImages,
                           {conv(4, 3, 3), relu, maxPool(2, 2), dense(16), relu},
                           Optimizer::Adam,
                           0.005,
                           0.5)),
  };
}

std::vector<Program> rnnPrograms() {
  std::vector<Program> list{
      classifier(
          "digits-elman", "rnn", digitRows, {elman(24, Fn::Tanh)}, Optimizer::Adam, 0.01, 0.6),
      regressor(classifier(
          "adding-elman", "rnn", adding, {elman(16, Fn::Tanh)}, Optimizer::RmsProp, 0.005, 0.3)),
      classifier("frequency-elman",
                 "rnn",
                 frequencies,
                 {elman(32, Fn::Relu)},
                 Optimizer::Momentum,
                 0.0015,
                 0.8),
      regressor(
          classifier("mackey-gru", "rnn", mackeyGlass, {gru(12)}, Optimizer::Adam, 0.01, 0.7)),
      classifier("copy-gru", "rnn", delayedCopy, {gru(16)}, Optimizer::RmsProp, 0.01, 0.7),
      classifier("symbol-gru", "rnn", nextSymbol, {gru(16)}, Optimizer::Adam, 0.02, 0.7),
  };
  list[2].batch = 8;
  return list;
}

std::vector<Program> attentionPrograms() {
  const Layer relu = activation(Fn::Relu);
  return {
      classifier("digits-attention",
                 "attention",
                 digitRows,
                 {dense(12), attention(1), dense(16), relu, meanSteps()},
                 Optimizer::Adam,
                 0.01,
                 0.5),
      classifier("symbol-attention",
                 "attention",
                 nextSymbol,
                 {dense(12), attention(2), norm(), flatten(), dense(16), relu},
                 Optimizer::Adam,
                 0.01,
                 0.7),
      classifier("waveform-attention",
                 "attention",
                 curveSteps,
                 {dense(8), attention(1), flatten(), dense(16), relu},
                 Optimizer::Momentum,
                 0.02,
                 0.75),
  };
}

} // namespace perfidy
