// Where the code of a faulty training run went another way than that of clean runs.
#pragma once

#include <string>
#include <vector>

namespace perfidy {

/// For traces with counts (programs built with perfidy-clang++): the functions, and lines of
/// functions, whose executions differ most between the runs of `faulty` and those of `clean`, at
/// most three, most different first, as sentences with source places. What never ran on one side
/// comes before what ran more or less often. Empty when there are no counts, no clean runs, or the
/// traces are of different builds.
std::vector<std::string> codeDifferences(const std::vector<std::string> &faulty,
                                         const std::vector<std::string> &clean);

} // namespace perfidy
