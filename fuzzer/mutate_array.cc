// In-place mutators: inputs as arrays of elements of some width.
#include "fuzzer/mutate.h"

#include <string.h>

namespace perfidy {
namespace {

constexpr size_t kLargestWidth = 4;

/// Elements of a fixed width, from some offset: a header may come before them.
struct Elements {
  uint8_t *data;
  size_t width, count;
  bool big;

  uint8_t *at(size_t index) const { return data + index * width; }
  uint32_t value(size_t index) const {
    uint32_t sum = 0;
    for (size_t i = 0; i < width; ++i)
      sum = sum << 8 | at(index)[big ? i : width - 1 - i];
    return sum;
  }
  void set(size_t index, uint32_t value) const {
    for (size_t i = 0; i < width; ++i, value >>= 8)
      at(index)[big ? width - 1 - i : i] = static_cast<uint8_t>(value);
  }
  void swap(size_t a, size_t b) const {
    uint32_t kept = value(a);
    set(a, value(b));
    set(b, kept);
  }
};

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

// Shell sort (gaps 3h + 1, Knuth): segments may be whole inputs.
void sortElements(const Elements &e, size_t begin, size_t end, bool descending) {
  size_t count = end - begin, gap = 1;
  while (gap < count / 3)
    gap = 3 * gap + 1;
  for (; gap > 0; gap /= 3)
    for (size_t i = begin + gap; i < end; ++i)
      for (size_t j = i; j >= begin + gap; j -= gap) {
        bool inOrder = descending ? e.value(j - gap) >= e.value(j) : e.value(j - gap) <= e.value(j);
        if (inOrder)
          break;
        e.swap(j, j - gap);
      }
}

void reverseElements(const Elements &e, size_t begin, size_t end) {
  for (size_t i = begin, j = end; i + 1 < j; ++i)
    e.swap(i, --j);
}

// Takes one element out and puts it back elsewhere: the small step between two orders.
void moveElement(const Elements &e, size_t from, size_t to) {
  uint8_t kept[kLargestWidth];
  memcpy(kept, e.at(from), e.width);
  if (from < to)
    memmove(e.at(from), e.at(from + 1), (to - from) * e.width);
  else
    memmove(e.at(to + 1), e.at(to), (from - to) * e.width);
  memcpy(e.at(to), kept, e.width);
}

// A new value for one element: the ends of the range, next to another one's, a small step.
void changeValue(const Elements &e, size_t index, Random &random) {
  uint32_t other = e.value(random.below(e.count));
  switch (random.below(6)) {
  case 0: e.set(index, 0); break;
  case 1: e.set(index, 0xffffffffu); break;
  case 2: e.set(index, other); break;
  case 3: e.set(index, other + 1 - 2 * static_cast<uint32_t>(random.below(2))); break;
  case 4: e.set(index, e.value(index) + static_cast<uint32_t>(random.below(9)) - 4); break;
  default: e.set(index, static_cast<uint32_t>(random.next()));
  }
}

// A stretch that goes up or down by a constant.
void fillProgression(const Elements &e, size_t begin, size_t end, Random &random) {
  uint32_t value = e.value(begin);
  uint32_t step = static_cast<uint32_t>(random.below(5)) - 2;
  for (size_t i = begin; i < end; ++i, value += step)
    e.set(i, value);
}

void mutateElements(const Elements &e, Random &random) {
  size_t length = scaledLength(e.count, random);
  size_t begin = random.below(e.count - length + 1), end = begin + length;
  switch (random.below(8)) {
  case 0:
  case 1: moveElement(e, random.below(e.count), random.below(e.count)); break;
  case 2: e.swap(random.below(e.count), random.below(e.count)); break;
  case 3:
  case 4: changeValue(e, random.below(e.count), random); break;
  case 5: reverseElements(e, begin, end); break;
  case 6: sortElements(e, begin, end, random.oneIn(2)); break;
  default: fillProgression(e, begin, end, random);
  }
}

void mutateBlocks(uint8_t *data, size_t length, Random &random) {
  size_t count = scaledLength(length / 2, random);
  size_t at = random.below(length - count + 1), from = random.below(length - count + 1);
  // Records of fixed width: half of the time positions are multiples of a small block.
  if (random.oneIn(2)) {
    at -= at % count;
    from -= from % count;
  }
  uint8_t *segment = data + at, *other = data + from;
  switch (random.below(9)) {
  case 0: copyCompensated(segment, other, count < 16 ? count : 2, random); break;
  case 1:
  case 2: {
    // Overlapping blocks must not be swapped: bytes would be lost.
    size_t gap = at > from ? at - from : from - at;
    swapBlocks(segment, other, count < gap ? count : gap);
    break;
  }
  case 3:
  case 4: memmove(segment, other, count); break;
  case 5: memset(segment, *segment, count < 8 ? count : 8); break;
  case 6: *segment = static_cast<uint8_t>(random.below(256)); break;
  case 7: *segment = randomByte(random); break;
  default: *segment = static_cast<uint8_t>(*segment + random.below(9) - 4); break;
  }
}

} // namespace

void mutateInPlace(uint8_t *data, size_t length, Random &random) {
  if (length < 2)
    return;
  if (random.oneIn(2)) {
    mutateBlocks(data, length, random);
    return;
  }
  Elements elements;
  elements.width = random.oneIn(2) ? 1 : size_t(1) << random.below(3);
  size_t header = random.oneIn(2) ? 0 : random.below(elements.width + 2);
  if (length < header + 2 * elements.width) {
    header = 0;
    elements.width = 1;
  }
  elements.data = data + header;
  elements.count = (length - header) / elements.width;
  elements.big = random.oneIn(2);
  mutateElements(elements, random);
}

} // namespace perfidy
