// Confirmation by experiment: the input pair of each finding is run again.
#pragma once

#include "explainer/findings.h"

namespace perfidy {

/// Copies each finding's pair to out/pairs, runs both inputs again in a fresh process and records
/// whether they came out with the predicted costs; fills the pair's bytes and relative paths. A
/// finding whose pair does not come out keeps confirmed = false and gets a note.
void confirmPairs(const std::string &target, const std::string &out, Findings &findings);

} // namespace perfidy
