// perfidy min: the smallest input, or the simplest pattern, of the same class.
#pragma once

#include "tools/slow_input.h"

#include <string>
#include <vector>

namespace perfidy {

struct MinCommand {
  std::string target, input;     ///< input: a file, or a findings.json whose patterns are meant
  std::string output;            ///< default: the input's name with ".min" behind it
  double keep = 0.8;             ///< part of the cost that must remain
  uint64_t cost = 0;             ///< or this cost; 0 = by `keep`
  uint64_t budget = 500'000'000; ///< cost at which a run is stopped
  bool quiet = false;
};

/// What is asked of a smaller input: it still costs enough, and it spends its cost in the same
/// functions (overlap of profiles at least one half), so that it is of the same class.
struct ClassKept {
  uint64_t cost = 0;
  CostProfile profile;
  bool holds(const InputRun &run) const;
};

struct Minimized {
  std::string bytes;
  InputRun run;
  size_t executions = 0;
  bool finished = false; ///< no single byte can go; else the limit of executions was reached
};

/// Removes chunks from halves down to single bytes while the class is kept (delta debugging: Zeller
/// and Hildebrandt 2002; all removals of one round are run together). `bytes` must hold itself.
/// Stops after about `mostCost` of counted cost.
Minimized minimizeBytes(const std::string &target,
                        const std::string &directory,
                        std::string bytes,
                        const ClassKept &kept,
                        uint64_t budget,
                        uint64_t mostCost);

/// Minimises and writes the input (a smaller one of the recovered pattern where there is one), or
/// prints the simplified patterns of a findings.json. Exit code 0. Throws TargetCrashed when the
/// target does not survive the input.
int commandMin(const MinCommand &command);

} // namespace perfidy
