#include "fuzzer/feedback.h"

#include <string.h>

// Marked used: an array that is only written would be deleted by the optimiser.
__attribute__((section("__libfuzzer_extra_counters"),
               used)) static uint8_t extraCounters[perfidy::kFeatureSlots];

namespace perfidy {
namespace {

uint64_t mix(uint64_t state, uint64_t value) {
  state = (state ^ value) * 0xff51afd7ed558ccdu;
  return state ^ (state >> 32);
}

uint64_t hashName(const char *name) {
  uint64_t state = 0xcbf29ce484222325u;
  for (; name && *name; ++name)
    state = (state ^ static_cast<uint8_t>(*name)) * 0x100000001b3u;
  return state;
}

} // namespace

size_t featureSlot(const Observation &observation, uint64_t stableRegion, uint64_t size) {
  uint64_t state = mix(static_cast<uint64_t>(observation.quantity) + 1, stableRegion);
  state = mix(state, log2Floor(size));
  // Total cost is kept in eighths of an octave: the dearest inputs are worth keeping closely.
  state = mix(state,
              observation.quantity == Quantity::Cost ? log2Eighths(observation.value)
                                                     : log2Floor(observation.value));
  return state % kFeatureSlots;
}

void publishFeatures(const perfidy_observation &seen) {
  uint32_t last = PERFIDY_NONE;
  uint64_t name = 0;
  observe(seen, [&](const Observation &observation) {
    uint32_t id = static_cast<uint32_t>(observation.region >> 32);
    if (observation.quantity != Quantity::Cost && id != last) {
      name = hashName(perfidy_function_at(id)->name);
      last = id;
    }
    uint64_t stable =
        observation.quantity == Quantity::Cost ? 0 : name + (observation.region & 0xffffffffu);
    extraCounters[featureSlot(observation, stable, seen.size)] = 1;
  });
}

} // namespace perfidy
