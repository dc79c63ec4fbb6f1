// A solver that restarts at random: the number of restarts comes from rand(), which the harness
// does not seed. There is no class to be found; the report has to say that the target is not
// deterministic, and that the call of rand makes it so.
//
// EXPECT kind=none function=restarts rule=none
#include <perfidy.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>

namespace {

uint64_t restarts() {
  return 1 + static_cast<uint64_t>(rand()) % 4; // GUILTY
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *, size_t) {
  static const char *const kSteps[] = {"fixed", "adaptive"};
  const uint64_t samples = perfidy_scale("samples", 64, 16, 1024);
  const double rate = perfidy_param_log("rate", 0.1, 1e-3, 1);
  const uint32_t step = perfidy_param_enum("step", 0, kSteps, 2);
  volatile double sum = 0;
  for (uint64_t restart = restarts(); restart > 0; --restart)
    for (uint64_t i = 0; i < samples; ++i)
      sum = sum + (step ? rate / double(i + 1) : rate);
  return 0;
}
