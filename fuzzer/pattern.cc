#include "fuzzer/pattern.h"
#include "fuzzer/stretch.h"

#include <string.h>

namespace perfidy {
namespace {

Stretch bestStretch(const uint8_t *data, size_t size) {
  Stretch best;
  for (size_t period = 1; period <= Part::kCapacity && period * 4 <= size; ++period) {
    Stretch found = longestStretch(data, 0, size, period);
    if (found.length < period * 4)
      continue;
    // A longer period must cover clearly more: multiples of the true period cover as much.
    if (found.length > best.length + best.length / 16 + period)
      best = found;
  }
  return best;
}

// Both pumps are rendered equally often, so a stretch that repeats several times as often as the
// other one gets a pump of several periods. False if that does not fit a Part.
bool balanceCounts(Stretch &first, Stretch &second) {
  size_t firstCount = first.length / first.period, secondCount = second.length / second.period;
  Stretch &more = firstCount > secondCount ? first : second;
  size_t most = firstCount > secondCount ? firstCount : secondCount;
  size_t fewest = firstCount > secondCount ? secondCount : firstCount;
  size_t periods = (most + fewest / 2) / fewest;
  if (more.period * periods > Part::kCapacity)
    return false;
  more.period *= periods;
  return true;
}

} // namespace

bool Part::assign(const uint8_t *from, size_t count) {
  bool fits = count <= kCapacity;
  length = static_cast<uint8_t>(fits ? count : kCapacity);
  memmove(bytes, from, length);
  return fits;
}

void Part::insert(size_t at, const uint8_t *from, size_t count) {
  if (at > length)
    at = length;
  if (count > kCapacity - at)
    count = kCapacity - at;
  size_t tail = length - at;
  if (tail > kCapacity - at - count)
    tail = kCapacity - at - count;
  uint8_t copy[kCapacity];
  memcpy(copy, from, count);
  memmove(bytes + at + count, bytes + at, tail);
  memcpy(bytes + at, copy, count);
  length = static_cast<uint8_t>(at + count + tail);
}

void Part::erase(size_t at, size_t count) {
  if (at >= length)
    return;
  if (count > static_cast<size_t>(length) - at)
    count = length - at;
  memmove(bytes + at, bytes + at + count, length - at - count);
  length = static_cast<uint8_t>(length - count);
}

bool Part::equals(const Part &other) const {
  return length == other.length && memcmp(bytes, other.bytes, length) == 0;
}

Part &Pattern::part(int index) {
  Part *parts[] = {&prefix, &pump, &middle, &pump2, &suffix};
  return *parts[index];
}

const Part &Pattern::part(int index) const { return const_cast<Pattern *>(this)->part(index); }

size_t Pattern::weight() const {
  size_t sum = 0;
  for (int i = 0; i < kParts; ++i)
    sum += part(i).length;
  return sum + (sequence.on() ? 2 : 0);
}

bool Pattern::equals(const Pattern &other) const {
  for (int i = 0; i < kParts; ++i)
    if (!part(i).equals(other.part(i)))
      return false;
  return share == other.share && sequence.equals(other.sequence);
}

bool recoverPattern(const uint8_t *data, size_t size, Pattern &pattern) {
  pattern.sequence = Sequence();
  pattern.share = 0;
  Stretch first = bestStretch(data, size);
  if (first.length < size / 4 || first.period == 0)
    return false;
  size_t end = first.begin + first.length;
  Stretch second = bestStretch(data + end, size - end);
  second.begin += end;
  // A short repetition belongs to prefix or suffix: as a pump it would be repeated as often as the
  // other one.
  auto isPump = [&](const Stretch &stretch) {
    return stretch.length > Part::kCapacity / 2 || stretch.length * 4 > size;
  };
  Stretch before = bestStretch(data, first.begin);
  if (before.length > second.length && isPump(before)) {
    second = first;
    first = before;
    end = first.begin + first.length;
  }
  bool two = isPump(second);
  if (two && !balanceCounts(first, second)) {
    // Their counts are too different for one pattern: the longer stretch is the pump, and the other
    // one has to fit the parts around it.
    two = false;
    if (second.length > first.length)
      first = second;
    end = first.begin + first.length;
  }
  if (!two)
    second = {size, 0, 0};
  if (first.length + second.length < size / 2)
    return false;
  size_t secondEnd = second.begin + second.length;
  bool fits = pattern.prefix.assign(data, first.begin);
  fits &= pattern.pump.assign(data + first.begin, first.period);
  fits &= pattern.middle.assign(data + end, two ? second.begin - end : 0);
  fits &= pattern.pump2.assign(data + (two ? second.begin : 0), second.period);
  size_t tail = two ? secondEnd : end;
  // A cut-off last repetition belongs to the pump, not to the suffix.
  fits &= pattern.suffix.assign(data + tail, size - tail);
  return fits;
}

} // namespace perfidy
