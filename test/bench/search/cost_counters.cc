// A peer: plain libFuzzer with the total cost of the run as a feature, in 64 steps per octave,
// beside its own coverage. Links with a target that has both instrumentations, and with the
// runtime.
#include "runtime/session.h"

constexpr unsigned kStepsLog2 = 6;

__attribute__((section("__libfuzzer_extra_counters"),
               used)) static uint8_t costReached[48u << kStepsLog2];

extern "C" int target_run(const uint8_t *, size_t) __asm__("LLVMFuzzerTestOneInput.perfidy");

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  perfidy_window_begin(data, size);
  target_run(data, size);
  uint64_t cost = perfidy_window_end()->cost | 1u << kStepsLog2;
  unsigned octave = 63u - static_cast<unsigned>(__builtin_clzll(cost));
  uint64_t step = (cost >> (octave - kStepsLog2)) & ((1u << kStepsLog2) - 1);
  costReached[(octave << kStepsLog2 | step) % sizeof costReached] = 1;
  return 0;
}
