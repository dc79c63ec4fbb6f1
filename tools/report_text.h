// Findings on a terminal: compiler-style diagnostics that editors and CI logs understand, then a
// summary for a person.
//
// Everything from the program under test is escaped, so that no name can steer the terminal. Owned
// by tools. Never: looks at the terminal itself; the caller decides about colour.
#pragma once

#include "explainer/findings.h"

#include <iosfwd>

namespace perfidy {

/// Writes all findings, worst first, the notes and how to reproduce. Without findings: one sentence
/// and the notes. `colour` adds ANSI colours and changes nothing else.
void writeText(const Findings &findings, std::ostream &out, bool colour);

} // namespace perfidy
