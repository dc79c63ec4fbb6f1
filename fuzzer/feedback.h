// Feedback: a run -> features for the engine, as bytes in the section __libfuzzer_extra_counters.
//
// A pure function of the run (counts and size), so that merging and re-reading a corpus mean the
// same as when it was found. Kept small: per loop and function only, within an octave of the size.
#pragma once

#include "runtime/session.h"

#include <stddef.h>
#include <stdint.h>

namespace perfidy {

/// What a quantity of a region measures.
enum class Quantity : uint8_t {
  Cost,         ///< total cost of the run (no region)
  LoopCount,    ///< executions of the loop's header
  LoopPerEntry, ///< executions of the header per entry of the loop, 8 binary places
  Entries,      ///< entries of the function
  Work,         ///< bytes of library work of the function
};

/// One observed quantity. region: function id in the upper, loop index in the lower 32 bits.
struct Observation {
  Quantity quantity;
  uint64_t region;
  uint64_t value;
};

/// Visits every quantity of a run in a fixed order; small values (below 8) are left out.
template <typename Visit> void observe(const perfidy_observation &seen, Visit &&visit);

/// Floor of log2; 0 for 0.
inline unsigned log2Floor(uint64_t value) {
  return value ? 63u - static_cast<unsigned>(__builtin_clzll(value)) : 0;
}

/// log2 in eighths, linear within the octave, which is close enough; 0 for 0.
inline unsigned log2Eighths(uint64_t value) {
  unsigned octave = log2Floor(value);
  return octave * 8 + (octave >= 3 ? (value >> (octave - 3)) & 7 : 0);
}

/// Number of feature slots offered to the engine.
constexpr size_t kFeatureSlots = 1u << 15;

/// Slot of an observation at an input size: hash of (quantity, region, octave of the size, octave
/// of the value). `stableRegion` identifies the region independently of link order.
size_t featureSlot(const Observation &observation, uint64_t stableRegion, uint64_t size);

/// Sets the features of a run in the engine's extra counters.
void publishFeatures(const perfidy_observation &seen);

} // namespace perfidy

#include "fuzzer/observe.h"
