// Appends labels to an existing trace: a label is a tag of one run, written by a filter (which
// class a run belongs to, from which file and pattern it came). Runs themselves are never
// rewritten.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace perfidy {

struct Label {
  uint64_t run = 0; ///< position of the run in the trace
  std::string key, value;
};

/// Appends one record per label; a cut-off last record is cut off first. No process may be
/// recording to the trace at the time. Throws Error when the file cannot be written.
void appendLabels(const std::string &path, const std::vector<Label> &labels);

} // namespace perfidy
