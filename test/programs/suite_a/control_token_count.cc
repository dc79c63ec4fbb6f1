// Suite A, negative control: a scanner with dear tokens. Digits, words and blanks differ in cost
// per byte by a constant factor, as in every parser; nothing grows faster than the input.
// Input: text.
// CLASS none
#include <cstddef>
#include <cstdint>

namespace {

bool isDigit(uint8_t byte) { return byte >= '0' && byte <= '9'; }
bool isLetter(uint8_t byte) { return (byte | 32) >= 'a' && (byte | 32) <= 'z'; }

// Rotates and mixes per letter, as a hash of names does.
uint32_t mix(uint32_t hash, uint8_t byte) {
  for (int round = 0; round < 3; ++round)
    hash = (hash << 5 | hash >> 27) * 0x9e3779b1u + byte;
  return hash;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  uint32_t numbers = 0, words = 0, others = 0;
  for (size_t i = 0; i < size;) {
    if (isDigit(data[i])) {
      uint32_t value = 0;
      for (; i < size && isDigit(data[i]); ++i)
        value = value * 10 + (data[i] - '0');
      numbers += value;
    } else if (isLetter(data[i])) {
      uint32_t hash = 0;
      for (; i < size && isLetter(data[i]); ++i)
        hash = mix(hash, data[i]);
      words ^= hash;
    } else {
      ++others;
      ++i;
    }
  }
  return numbers + words + others == 1 && size == 0;
}
