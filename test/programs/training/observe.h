// What is recorded of a training run: one value per epoch and series, epoch 0 (before the first
// step) included. Observing changes nothing: it has random numbers of its own and writes to no
// state of the training.
//
// The name of a series says to which set it belongs: base (losses, scores, gradients, parameters),
// act (activations), step (updates, in the units of the parameters), free (updates, without units),
// curv (curvature), edge (curvature over the optimizer's stability limit), check (what a careful
// developer would compare: the loss with the usual one of the same outputs, start values with the
// usual scale, units with each other).
#pragma once

#include "runtime/series.h"
#include "test/programs/training/curvature.h"

namespace perfidy {

class TrainingObserver {
public:
  /// Records to `recorder`, which must outlive it. `live`: each epoch can be read from the file at
  /// once.
  TrainingObserver(SeriesRecorder &recorder, bool curvature = true, bool live = false)
      : recorder_(recorder), curvature_(curvature), live_(live) {}

  /// The observer to pass to train(); always goes on.
  bool operator()(const Epoch &epoch);

private:
  void put(const char *name, double value);
  void losses(const Epoch &epoch);
  void gradients(const Epoch &epoch);
  void parameters(const Epoch &epoch);
  void activations(const Epoch &epoch, const Pass<Real> &pass);
  void outputs(const Epoch &epoch, const Real &out, const Real &targets);
  void updates(const Epoch &epoch);
  void curvature(const Epoch &epoch);

  SeriesRecorder &recorder_;
  bool curvature_, live_;
  int number_ = 0;
  Eigen::VectorXd probeGradient_, start_;
  Eigen::VectorXd direction_, scaledDirection_; ///< where Lanczos begins the next time
};

} // namespace perfidy
