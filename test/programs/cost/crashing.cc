// Bad use: crashes on inputs that start with "x".
#include <cstddef>
#include <cstdint>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  unsigned sum = 0;
  for (size_t i = 0; i < size; ++i)
    sum += data[i];
  if (size > 0 && data[0] == 'x')
    std::abort();
  return sum == 0xffffffffu;
}
