// Inputs held in memory, run for their costs. Decides nothing.
#pragma once

#include "runtime/trace.h"

#include <string>
#include <vector>

namespace perfidy {

/// Part of the cost spent in each function itself; sums to 1. Parallel to Trace::functions.
using CostProfile = std::vector<double>;
CostProfile costProfile(const Trace &trace, const Run &run);

/// Overlap of two profiles, 0 to 1.
double profileOverlap(const CostProfile &a, const CostProfile &b);

/// How one input came out.
struct InputRun {
  uint64_t cost = 0;
  bool failed = false;   ///< the target crashed or hung: nothing else is known
  bool censored = false; ///< cost is the budget: a lower bound
  CostProfile profile;
};

/// Runs the inputs in order; files and trace go to `directory` and are removed again. Throws Error
/// when the target cannot be traced.
std::vector<InputRun> runInputs(const std::string &target,
                                const std::string &directory,
                                const std::vector<std::string> &inputs,
                                uint64_t budget);

} // namespace perfidy
