// Findings as one HTML file that works offline, for people.
//
// The page is a fixed shell (report_shell.html with its style and scripts, embedded at build time)
// and one JSON block, the document of findings.schema.md plus source excerpts. The shell shows data
// only as text nodes and attributes, never as markup, and forbids itself every request: nothing in
// an input, a file name or a symbol can run script or break the page. Owned by tools.
#pragma once

#include "explainer/findings.h"

#include <iosfwd>

namespace perfidy {

/// Writes the page. Source excerpts are read here, where the sources are still at hand; when they
/// are not, the page goes without. The compiler's directories are left out: a report is passed on.
void writeHtml(const Findings &findings, std::ostream &out);

} // namespace perfidy
