// Two traces of the same inputs, compared by function and region. Pure; owned by tools.
//
// Ids mean nothing across builds: functions are matched by name and file, then by name, and what is
// left by structure (renamed or moved code); loops by their position in the loop nest.
#pragma once

#include "runtime/trace.h"

#include <iosfwd>
#include <string>
#include <vector>

namespace perfidy {

/// A function of either build; one side is kNone when it has no partner.
struct FunctionMatch {
  uint32_t before = kNone, after = kNone;
  bool renamed = false; ///< matched by structure
};

/// Every function of both traces once, in the order of `before`, then those only in `after`.
/// Structure: blocks, loops with their nesting, and
/// callees are compared; a match must be at least 80 % alike and the best on both sides.
std::vector<FunctionMatch> matchFunctions(const Trace &before, const Trace &after);

/// Cost of a function over all joined inputs.
struct FunctionDelta {
  std::string function, file; ///< of the new build where it has one
  uint32_t line = 0;
  std::string was; ///< its former name when renamed
  double before = 0, after = 0;
  double change() const { return after - before; }
};

/// Executions of a loop per entry, summed over all joined inputs.
struct LoopDelta {
  std::string function, file;
  uint32_t line = 0;
  double before = 0, after = 0; ///< iterations
};

/// Cost of one input in both builds.
struct InputDelta {
  std::string name; ///< its file where the trace says so, else its hash
  uint64_t size = 0;
  uint64_t before = 0, after = 0;
  bool censored = false; ///< in one of them: a lower bound
};

struct TraceDiff {
  std::vector<InputDelta> inputs;       ///< largest change by factor first
  std::vector<FunctionDelta> functions; ///< largest change first; equal ones left out
  std::vector<LoopDelta> loops;         ///< the same
  double before = 0, after = 0;         ///< cost over all joined inputs
  size_t onlyBefore = 0, onlyAfter = 0; ///< runs without a partner
};

/// Joins runs by input hash and size, and compares.
TraceDiff diffTraces(const Trace &before, const Trace &after);

/// The tables a person reads: totals, inputs, functions, loops; at most `rows` of each.
void writeDiff(const TraceDiff &diff, size_t rows, std::ostream &out);

/// The same as JSON, whole.
void writeDiffJson(const TraceDiff &diff, std::ostream &out);

} // namespace perfidy
