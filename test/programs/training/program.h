// A training program as data: what is learned from, the network, and how it is trained. A fault is
// a change of one of these (faults.h), so that nothing else differs between a clean and a faulty
// run.
#pragma once

#include "test/programs/training/data.h"
#include "test/programs/training/loss.h"

namespace perfidy {

enum class Optimizer { Sgd, Momentum, Adam, RmsProp, Adagrad };
enum class Start { Standard, Zeros, Ones, Constant, Wide, Tiny };

struct Program {
  std::string name;
  std::string family; ///< linear, mlp, mlp-regression, cnn, rnn, attention, autoencoder
  Data (*data)() = nullptr;
  std::vector<Layer> layers; ///< but the last, dense one, which has an output per target
  std::vector<Layer> tail;   ///< behind the last one; empty but for faults
  Optimizer optimizer = Optimizer::Adam;
  double rate = 0.01; ///< of learning
  int batch = 32, epochs = 16;
  double target = 0; ///< accuracy or R² on the validation data that 9 of 10 clean seeds reach

  LossSpec loss;
  Start start = Start::Standard;
  double momentum = 0.9;
  double decayRate = 1;      ///< the rate at the end, relative to the start (cosine between)
  double weightDecay = 1e-4; ///< L2 penalty
  double clip = 0;           ///< largest norm of a gradient; 0: none
  double dropout = 0;        ///< share of inputs dropped in training
  bool shuffle = true;
  bool resetGradients = true;  ///< false: each step adds to the gradient of those before
  bool staleGradients = false; ///< true: a step uses the gradient of the batch before
  int trainLimit = 0;          ///< train on this many samples only; 0: all
  double labelNoise = 0;       ///< share of training targets shuffled
  double inputScale = 1;       ///< of all inputs
  double validationShift = 0;  ///< added to the validation inputs
};

/// A program with these properties and the loss of a classifier.
Program classifier(const char *name,
                   const char *family,
                   Data (*data)(),
                   std::vector<Layer> layers,
                   Optimizer optimizer,
                   double rate,
                   double target);

/// The same program with squared loss.
Program regressor(Program program);

/// All 38, by family, in the order of the table in README.md.
const std::vector<Program> &programs();

/// Throws Error when there is none of this name.
const Program &programNamed(const std::string &name);

// One function per family.
std::vector<Program> linearPrograms();
std::vector<Program> mlpPrograms();
std::vector<Program> regressionPrograms();
std::vector<Program> cnnPrograms();
std::vector<Program> rnnPrograms();
std::vector<Program> attentionPrograms();
std::vector<Program> autoencoderPrograms();

} // namespace perfidy
