// What is to be told of a training run: the class of its fault, whether it will become unstable,
// whether it fits its training data only. Labels are computed from tags and series; the features
// that may predict them are the caller's business (for the last two: the first epochs only).
#pragma once

#include "tools/training_features.h"

namespace perfidy {

/// The four classes of fault typing, in the order of their labels.
inline const std::vector<std::string> kFaultClasses{"hyper", "loss", "act", "init"};

/// 0 .. 3 by TrainingRun::fault; -1: another class, clean, or (killedOnly) an operator that does
/// not show.
std::vector<int> typingLabels(const std::vector<TrainingRun> &runs, bool killedOnly);

struct TriageOptions {
  int window = 5;      ///< epochs seen: 0 .. window - 1
  double factor = 1.5; ///< unstable: the loss rises above factor x its least value so far, and by 5
                       ///< % of the first
  bool calmOnly = false; ///< only runs without such a rise within the window
};

/// 1: non-finite, or such a rise, after the window; 0: neither; -1: died within the window, or
/// (calmOnly) not calm in it, or too short to tell.
std::vector<int> triageLabels(const std::vector<TrainingRun> &runs, const TriageOptions &options);

/// 1: the training score is above the validation score in the end by more than 0.1 (by 0.07 when it
/// is above 0.9), for regressions by 0.15; 0: not; -1: died. `plainGap` > 0: by that for all.
std::vector<int> mismatchLabels(const std::vector<TrainingRun> &runs, double plainGap = 0);

} // namespace perfidy
