// Bad use: never returns from inputs that start with "h"; the loop is instrumented, so its cost
// grows and the budget ends it.
#include <cstddef>
#include <cstdint>

static volatile unsigned turns;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  unsigned sum = 0;
  for (size_t i = 0; i < size; ++i)
    sum += data[i];
  while (size > 0 && data[0] == 'h')
    ++turns;
  return sum == 0xffffffffu;
}
