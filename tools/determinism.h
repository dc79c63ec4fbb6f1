// Is the target deterministic, and if not, which call makes it so?
#pragma once

#include "runtime/trace.h"
#include "tools/target.h"

#include <optional>
#include <string>
#include <vector>

namespace perfidy {

/// Runs the inputs twice in one process, and in the opposite order in another one; a sentence for
/// people when some input does not cost the same each time, else nothing. Files go to `directory`
/// and are removed again.
std::optional<std::string> findNondeterminism(const std::string &target,
                                              const std::vector<TracedInput> &inputs,
                                              const std::string &directory,
                                              uint64_t budget);

/// Why two runs of one input differ: the executed call of a random generator or clock in (or
/// nearest to) the functions whose counts differ, with its place; else those functions, which keep
/// state from run to run.
std::string sourceOfDifference(const Trace &trace, const Run &first, const Run &second);

} // namespace perfidy
