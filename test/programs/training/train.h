// The training loop. It calls an observer after each epoch and never depends on what that does:
// runs with and without one end in bit-identical parameters.
#pragma once

#include "test/programs/training/optimizer.h"
#include "test/programs/training/random.h"

namespace perfidy {

/// What an observer sees after an epoch; epoch 0 is before the first step.
struct Epoch {
  int number = 0;
  const Program &program;
  const Model &model;
  const Data &data; ///< as trained on: faults of the data are in it
  const Eigen::VectorXd &theta;
  const Stepper &stepper;
  double rate = 0;                ///< of the last step
  int steps = 0;                  ///< in this epoch
  std::vector<double> stepLosses; ///< of the batches, before their step
  Eigen::VectorXd update,
      updateBefore;             ///< last step's and the one before; empty when there is none
  Eigen::VectorXd lastGradient; ///< that the last step was made with
};

/// Called after each epoch; false ends the training.
using Observer = std::function<bool(const Epoch &)>;

struct Trained {
  Model model;
  Eigen::VectorXd theta;
  bool finite = true; ///< false: a loss or parameter overflowed and training was stopped
  double trainScore = 0, validationScore = 0;
};

/// Trains; the same program and seed always give the same bits.
Trained train(const Program &program, uint64_t seed, const Observer &observer = {});

/// Accuracy, or R² clipped to [-1, 1] (a mean over outputs of all variance explained).
double scoreOf(const Data &data, const Real &outputs, const Real &targets);

/// Outputs of the model.
Real outputsOf(const Model &model, const Eigen::VectorXd &theta, const Real &inputs);

/// The model of a program: its layers, the output layer and the tail.
Model modelOf(const Program &program, const Data &data);

/// Data of a program with the faults of its data applied.
Data dataOf(const Program &program, uint64_t seed);

/// Start values: He (1/sqrt(fan-in) x sqrt 2) before a ReLU, otherwise Glorot; biases of deviation
/// 1e-3; gains 1.
Eigen::VectorXd startOf(const Program &program, const Model &model, Random &random);

} // namespace perfidy
