// From the bytes of one slow input to patterns that may stand for it. What they cost is for others
// to try (pattern_trial.h). Pure; owned by tools.
#pragma once

#include "explainer/findings.h"

#include <string>
#include <vector>

namespace perfidy {

/// Proposals of four kinds, without repeats:
/// - exact repetitions with periods up to some KiB, each alone and in pairs with their proportions;
/// - approximate ones, in which numbers or words change from repetition to repetition: those become
///   counters;
/// - the substrings that cover most of the input, for noisy inputs;
/// - chunks of the whole (all of it, halves, quarters, eighths), for inputs with no period.
std::vector<PatternText> proposePatterns(const std::string &bytes);

} // namespace perfidy
