// In-place mutators: inputs as arrays of elements of some width.
#include "fuzzer/mutate.h"

#include <string.h>

namespace perfidy {
namespace {

// Sorting networks are not needed: segments are short, insertion sort is stable and plain.
void sortSegment(uint8_t *data, size_t length, bool descending) {
  for (size_t i = 1; i < length; ++i)
    for (size_t j = i; j > 0 && (descending ? data[j] > data[j - 1] : data[j] < data[j - 1]); --j) {
      uint8_t byte = data[j];
      data[j] = data[j - 1];
      data[j - 1] = byte;
    }
}

// Lengths of all scales: most changes are small, as large ones destroy what was reached.
size_t scaledLength(size_t most, Random &random) {
  unsigned bits = 0;
  while ((size_t(2) << bits) <= most)
    ++bits;
  size_t length = (size_t(1) << random.below(bits + 1)) + random.below(2);
  return length < most ? length : most;
}

void swapBlocks(uint8_t *a, uint8_t *b, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    uint8_t byte = a[i];
    a[i] = b[i];
    b[i] = byte;
  }
}

// Copies a block and varies the copy so that weak hashes do not notice: what is added to one byte
// is taken from a later one, times the multiplier of a common polynomial hash.
void copyCompensated(uint8_t *to, const uint8_t *from, size_t count, Random &random) {
  static constexpr uint8_t kMultipliers[] = {1, 31, 33, 37, 131};
  memmove(to, from, count);
  if (count < 2)
    return;
  size_t first = random.below(count - 1),
         second = random.oneIn(4) ? random.below(count) : first + 1;
  uint8_t delta = static_cast<uint8_t>(1 + random.below(random.oneIn(2) ? 4 : 64));
  uint8_t multiplier = kMultipliers[random.oneIn(2) ? 0 : random.below(sizeof kMultipliers)];
  to[first] = static_cast<uint8_t>(to[first] + delta);
  to[second] = static_cast<uint8_t>(to[second] - delta * multiplier);
}

void reverse(uint8_t *data, size_t count) {
  for (size_t i = 0; i < count / 2; ++i)
    swapBlocks(data + i, data + count - 1 - i, 1);
}

} // namespace

void mutateInPlace(uint8_t *data, size_t length, Random &random) {
  if (length < 2)
    return;
  size_t count = scaledLength(length / 2, random);
  size_t at = random.below(length - count + 1), from = random.below(length - count + 1);
  // Records of fixed width: half of the time positions are multiples of a small block.
  if (random.oneIn(2)) {
    at -= at % count;
    from -= from % count;
  }
  uint8_t *segment = data + at, *other = data + from;
  switch (random.below(12)) {
  case 10:
  case 11: copyCompensated(segment, other, count < 16 ? count : 2, random); break;
  case 0:
  case 1: swapBlocks(segment, other, count); break;
  case 2:
  case 3: memmove(segment, other, count); break;
  case 4: reverse(segment, count); break;
  case 5: sortSegment(segment, count < 512 ? count : 512, random.oneIn(2)); break;
  case 6: memset(segment, *segment, count < 8 ? count : 8); break;
  case 7: *segment = static_cast<uint8_t>(random.below(256)); break;
  case 8: *segment = randomByte(random); break;
  default: *segment = static_cast<uint8_t>(*segment + random.below(9) - 4); break;
  }
}

} // namespace perfidy
