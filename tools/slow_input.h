// One slow input of the user's: what it costs, and the pattern that stands for it.
#pragma once

#include "tools/pattern_trial.h"

#include <optional>
#include <string>
#include <vector>

namespace perfidy {

struct SlowInputOptions {
  uint64_t budget = 500'000'000;     ///< cost at which the input itself is stopped
  uint64_t trialBudget = 20'000'000; ///< and each trial of a pattern
  size_t largest = 1 << 20;          ///< bytes of the largest trial
};

/// How an input came out, and the pattern behind it.
struct SlowInput {
  std::string path;
  uint64_t size = 0, cost = 0;
  bool censored = false;  ///< cost is a lower bound
  bool failed = false;    ///< the target crashed or hung on it: nothing is known
  std::string lastOutput; ///< of the target, when it failed
  CostProfile profile;

  std::optional<TriedPattern> pattern; ///< recovered and simplified; its rungs are measured
  double likeness = 0; ///< overlap of the pattern's profile with the input's, 0 to 1
  size_t executions = 0;
};

/// Runs the input (bounded by the budget) and recovers the pattern that grows its cost: proposals
/// are run at growing sizes; of those that spend their cost where the input does, the one that
/// promises most is taken, the simplest on near ties, and simplified. None when no proposal
/// resembles the input or costs at least a quarter of it at its size. Scratch files go to
/// `directory`. Throws Error when the target cannot be traced.
SlowInput studySlowInput(const std::string &target,
                         const std::string &path,
                         const std::string &directory,
                         const SlowInputOptions &options = {});

/// Only the run of the input, no pattern.
SlowInput runSlowInput(const std::string &target,
                       const std::string &path,
                       const std::string &directory,
                       const SlowInputOptions &options = {});

} // namespace perfidy
