// Repetition in a sequence of symbols: where does which period repeat? Pure; owned by tools.
#pragma once

#include "fuzzer/stretch.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace perfidy {

struct PeriodOptions {
  size_t longestPeriod = 4096;
  size_t fewestRepetitions = 3;
  size_t mostStretches = 6;
  size_t shortest = 12; ///< symbols; shorter stretches are chance
};

/// The repetitive stretches of a sequence, whole repetitions disjoint, in order of position: the
/// one that covers most first (smallest period on near ties), then the best ones left and right of
/// it. Periods are proposed by the distances at which short runs of symbols come again, so the time
/// is linear in the sequence and in the number of proposed periods.
std::vector<Stretch> repeatedStretches(const std::vector<uint32_t> &symbols,
                                       const PeriodOptions &options = {});

} // namespace perfidy
