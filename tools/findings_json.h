// Findings as JSON and back: the published, versioned form described in findings.schema.md.
//
// The only place that knows the field names. Text fields are valid UTF-8 whatever the program under
// test called its functions; byte fields (patterns, inputs) are base64 and come back exactly.
// Numbers that are not finite become null. The same findings give the same bytes. Owned by tools.
#pragma once

#include "explainer/findings.h"

#include <nlohmann/json_fwd.hpp>

#include <iosfwd>
#include <string>

namespace perfidy {

/// The document as a value, for writers that embed it. Never throws on the content of a string.
nlohmann::ordered_json findingsToJson(const Findings &findings);

/// Writes the document, indented by two spaces, with a newline at the end.
void writeFindingsJson(const Findings &findings, std::ostream &out);

/// Reads a file made by writeFindingsJson. Throws Error naming the file, what is wrong where, and
/// what to do: missing file, not JSON, another schema number, a field missing or of another type.
/// Fields it does not know are ignored, so that later additions do not break older readers.
Findings readFindingsJson(const std::string &path);

} // namespace perfidy
