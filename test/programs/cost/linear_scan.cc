// Negative control: a linear scan without early exit. Every input of a size costs the same.
// EXPECT none runs=100000
#include <cstddef>
#include <cstdint>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  uint32_t sum = 1, carry = 0;
  for (size_t i = 0; i < size; ++i) {
    sum += data[i];
    carry += sum >> 16;
  }
  return (sum ^ carry) == 0xffffffffu;
}
