#include "tools/training_tasks.h"

#include <algorithm>
#include <cmath>

namespace perfidy {
namespace {

const Series *seriesOf(const TrainingRun &run, const std::string &name) {
  const auto found = run.series.find(name);
  return found == run.series.end() || found->second.value.empty() ? nullptr : &found->second;
}

/// Epochs (from 1) at which the loss stands high above its least value before.
struct Rises {
  bool within = false, after = false;
};

Rises risesOf(const Series &loss, const TriageOptions &options) {
  Rises rises;
  double least = loss.value[0];
  for (size_t i = 1; i < loss.value.size(); ++i) {
    const double value = loss.value[i];
    const bool rise =
        !std::isfinite(value) ||
        value > least + (options.factor - 1) * std::abs(least) + 0.05 * std::abs(loss.value[0]);
    if (rise)
      (loss.step[i] < options.window ? rises.within : rises.after) = true;
    least = std::isfinite(value) ? std::min(least, value) : least;
  }
  return rises;
}

} // namespace

std::vector<int> typingLabels(const std::vector<TrainingRun> &runs, bool killedOnly) {
  std::vector<int> labels;
  for (const TrainingRun &run : runs) {
    const auto found = std::find(kFaultClasses.begin(), kFaultClasses.end(), run.fault);
    const bool counts = found != kFaultClasses.end() && (run.killed || !killedOnly);
    labels.push_back(counts ? static_cast<int>(found - kFaultClasses.begin()) : -1);
  }
  return labels;
}

std::vector<int> triageLabels(const std::vector<TrainingRun> &runs, const TriageOptions &options) {
  std::vector<int> labels;
  for (const TrainingRun &run : runs) {
    const Series *loss = seriesOf(run, "base.train_loss");
    int label = -1;
    if (loss && loss->step.back() >= options.window - 1) {
      const bool alive =
          std::all_of(loss->value.begin(), loss->value.end(), [&](const double &value) {
            return std::isfinite(value) ||
                   loss->step[static_cast<size_t>(&value - loss->value.data())] >= options.window;
          });
      const Rises rises = risesOf(*loss, options);
      const bool longEnough = loss->step.back() >= options.window || run.died;
      if (alive && longEnough && !(options.calmOnly && rises.within))
        label = rises.after || run.died ? 1 : 0;
    }
    labels.push_back(label);
  }
  return labels;
}

std::vector<int> mismatchLabels(const std::vector<TrainingRun> &runs, double plainGap) {
  std::vector<int> labels;
  for (const TrainingRun &run : runs) {
    const Series *train = seriesOf(run, "base.train_score"),
                 *validation = seriesOf(run, "base.val_score");
    if (!train || !validation || run.died) {
      labels.push_back(-1);
      continue;
    }
    const double score = train->value.back(), gap = score - validation->value.back();
    // Only classifiers have a chance level.
    const bool classifies = seriesOf(run, "check.loss_to_chance") != nullptr;
    const double limit = plainGap > 0 ? plainGap : !classifies ? 0.15 : score > 0.9 ? 0.07 : 0.1;
    labels.push_back((plainGap > 0 ? std::abs(gap) : gap) > limit);
  }
  return labels;
}

} // namespace perfidy
