// The statistics of a running search: read from the page the target shares, shown in words, in the
// engine's status lines and as stats.json.
#pragma once

#include "fuzzer/stats.h"

#include <cstdint>
#include <optional>
#include <string>

namespace perfidy {

/// The page as it is now; nothing when there is none (yet).
std::optional<SearchStats> readSearchStats(const std::string &path);

/// " cells: 120 classes: 9 exp: 1.9 dear: 123456/512b": what we append to an engine's status line.
/// Empty before the search has anything to say.
std::string statusFields(const SearchStats &stats);

/// stats.json: runs of the whole campaign, seconds are left out so that equal searches agree.
std::string statsJson(const SearchStats &stats, uint64_t earlierRuns, int crashes, int censored);

} // namespace perfidy
