// Findings as SARIF 2.1.0, for GitHub code scanning and for editors.
//
// One run, three rules, one result per finding. Owned by tools. What GitHub demands beyond the
// standard decides the form: help text on every rule, at least one location per result (an empty
// list fails the whole upload), locations relative to the repository.
#pragma once

#include "explainer/findings.h"

#include <iosfwd>

namespace perfidy {

/// Writes the log, indented by two spaces; the same findings give the same bytes.
void writeSarif(const Findings &findings, std::ostream &out);

} // namespace perfidy
