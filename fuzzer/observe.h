// Body of observe() (feedback.h): walks the touched functions and their loops.
#pragma once

#include "runtime/counters.h"

namespace perfidy {

constexpr uint64_t kSmallestObserved = 8;

template <typename Visit> void observe(const perfidy_observation &seen, Visit &&visit) {
  visit(Observation{Quantity::Cost, 0, seen.cost});
  for (uint32_t i = 0; i < seen.count; ++i) {
    const perfidy_function &function = *perfidy_function_at(seen.ids[i]);
    const uint64_t *counts = function.counts;
    uint64_t region = uint64_t(seen.ids[i]) << 32;
    if (counts[0] >= kSmallestObserved)
      visit(Observation{Quantity::Entries, region, counts[0]});
    for (uint32_t l = 0; l < function.loop_count; ++l) {
      const perfidy_loop &loop = function.loops[l];
      uint64_t count = counts[loop.header];
      if (count < kSmallestObserved)
        continue;
      visit(Observation{Quantity::LoopCount, region | l, count});
      uint64_t entries = loop.preheader == PERFIDY_NONE ? 0 : counts[loop.preheader];
      // Loops entered once say the same twice.
      if (entries > 1)
        visit(Observation{Quantity::LoopPerEntry, region | l, count * 256 / entries});
    }
    uint64_t bytes = 0;
    for (uint32_t w = 0; w < function.work_count; ++w)
      bytes += counts[function.block_count + w];
    if (bytes >= kSmallestObserved)
      visit(Observation{Quantity::Work, region, bytes});
  }
}

} // namespace perfidy
