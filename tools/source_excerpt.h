// The lines of source around a blamed region, for reports that can show them.
//
// Reads the source where the debug information says it was compiled from. The file name comes from
// a trace, which may come from anywhere, and the lines end up in a report that people pass on: only
// regular files of moderate size with the suffix of a C or C++ source are read. Owned by tools.
#pragma once

#include "explainer/findings.h"

#include <optional>
#include <string>
#include <vector>

namespace perfidy {

struct SourceExcerpt {
  uint32_t firstLine = 1;                ///< number of lines[0]
  uint32_t guiltyFrom = 0, guiltyTo = 0; ///< lines of the region, inclusive
  bool cut = false;                      ///< the region goes on past the last line shown
  std::vector<std::string> lines;        ///< raw bytes, without line ends
};

/// Nothing when the file cannot be read, is not a source, or is shorter than the region says.
std::optional<SourceExcerpt> readExcerpt(const RegionFinding &region);

} // namespace perfidy
