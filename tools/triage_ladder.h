// A slow pattern and its contrasts at common sizes, traced for the explainer.
#pragma once

#include "tools/pattern_trial.h"

#include <string>
#include <utility>
#include <vector>

namespace perfidy {

/// The class of the slow side in a triage ladder; contrasts are "c01", "c02"...
inline constexpr const char *kSlowClass = "slow";

/// One class to be laddered: a pattern, or given bytes that are cut to a size or repeated up to it.
struct LadderSide {
  PatternText pattern;
  std::string bytes; ///< used when the pattern is empty
};

/// The inputs of a pattern's complete rungs (whole repetitions), with more in between when there
/// are fewer than six.
std::vector<std::string> patternRungs(const TriedPattern &slow);

/// Beginnings of an input that has no pattern, from a sixteenth of it to the whole.
std::vector<std::string> prefixRungs(const std::string &bytes);

/// Runs the slow inputs (one class, ascending sizes; `pattern` labels them) and the contrasts at
/// exactly their sizes, each class until its next rung is expected to pass the budget. Inputs stay
/// under directory/CLASS/SIZE. Writes a new trace; returns the number of runs.
size_t traceTriageLadder(const std::string &target,
                         const std::vector<std::string> &slow,
                         const PatternText &pattern,
                         const std::vector<LadderSide> &contrasts,
                         const std::string &directory,
                         const std::string &tracePath,
                         uint64_t budget);

} // namespace perfidy
