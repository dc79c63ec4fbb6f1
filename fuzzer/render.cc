// Rendering of patterns at a size.
#include "fuzzer/pattern.h"

namespace perfidy {
namespace {

// In the target's process nothing may be allocated; touched only by patterns with a sequence.
uint32_t ranks[kMostRanks];

class Renderer {
public:
  Renderer(const Pattern &pattern, uint8_t *out, size_t size)
      : pattern(pattern), sequence(pattern.sequence), out(out), size(size) {}

  void render() {
    size_t fixed = pattern.prefix.length + pattern.middle.length + pattern.suffix.length;
    size_t room = size > fixed ? size - fixed : 0;
    size_t second = secondRoom(room);
    append(pattern.prefix);
    stretch(pattern.pump, sequence.at, sequence.order, room - second, false);
    append(pattern.middle);
    stretch(pattern.pump2, sequence.at2, sequence.order2, second, true);
    append(pattern.suffix);
    while (at < size)
      out[at++] = ' ';
  }

private:
  bool repeats(const Part &pump, uint8_t where) const {
    return pump.length > 0 || (sequence.on() && where != Sequence::kNowhere);
  }

  size_t elementLength(uint64_t rank, uint64_t count) const {
    return writeElement(sequence, rank, count, 0, nullptr, 0);
  }

  bool fixedWidth() const {
    return !sequence.on() || sequence.form >= Sequence::kByte ||
           sequence.form == Sequence::kColliding;
  }

  // Bytes of `count` repetitions of a pump; `limit` ends the sum early.
  size_t lengthOf(const Part &pump, uint8_t where, size_t count, size_t limit) const {
    size_t total = count * pump.length;
    if (!sequence.on() || where == Sequence::kNowhere)
      return total;
    if (fixedWidth())
      return total + count * elementLength(0, count);
    for (size_t i = 0; i < count && total <= limit; ++i)
      total += elementLength(i, count);
    return total;
  }

  // Bytes of the second stretch.
  size_t secondRoom(size_t room) const {
    if (!repeats(pattern.pump2, sequence.at2))
      return 0;
    if (!repeats(pattern.pump, sequence.at))
      return room;
    if (pattern.share)
      return room - room * pattern.share / 256;
    size_t times = mostRepetitions(room, true);
    return lengthOf(pattern.pump2, sequence.at2, times, room);
  }

  size_t bytesFor(size_t times, size_t room, bool both, bool second) const {
    size_t total = 0;
    if (both || !second)
      total += lengthOf(pattern.pump, sequence.at, times, room);
    if (both || second)
      total += lengthOf(pattern.pump2, sequence.at2, times, room);
    return total;
  }

  // Largest number of repetitions that fits; monotone, so by bisection.
  size_t mostRepetitions(size_t room, bool both, bool second = false) const {
    size_t low = 0, high = room;
    while (low < high) {
      size_t middle = low + (high - low + 1) / 2;
      if (bytesFor(middle, room, both, second) <= room)
        low = middle;
      else
        high = middle - 1;
    }
    return low;
  }

  void put(uint8_t byte, size_t end) {
    if (at < end)
      out[at++] = byte;
  }

  void append(const Part &part) {
    for (size_t i = 0; i < part.length; ++i)
      put(part.bytes[i], size);
  }

  // Orders of more elements than there are ranks are the small order, stretched.
  uint64_t rankAt(size_t i, size_t count, size_t known) const {
    if (i >= count)
      return i;
    if (count <= known)
      return ranks[i];
    size_t block = i * known / count;
    return uint64_t(ranks[block]) * count / known + (i - block * count / known);
  }

  void stretch(const Part &pump, uint8_t where, uint8_t order, size_t room, bool second) {
    if (!repeats(pump, where))
      return;
    size_t end = at + room < size ? at + room : size;
    bool counted = sequence.on() && where != Sequence::kNowhere;
    if (!counted) {
      for (size_t i = 0; at < end; i = i + 1 < pump.length ? i + 1 : 0)
        put(pump.bytes[i], end);
      return;
    }
    size_t count = mostRepetitions(room, false, second);
    size_t known = count < kMostRanks ? count : kMostRanks;
    orderRanks(order, ranks, known);
    size_t position = where < pump.length ? where : pump.length;
    for (size_t i = 0; at < end; ++i) {
      size_t begin = at;
      for (size_t b = 0; b < position; ++b)
        put(pump.bytes[b], end);
      uint8_t before = position ? pump.bytes[position - 1] : pump.length ? pump.bytes[0] : 'a';
      size_t written =
          writeElement(sequence, rankAt(i, count, known), count, before, out + at, end - at);
      at = written < end - at ? at + written : end;
      for (size_t b = position; b < pump.length; ++b)
        put(pump.bytes[b], end);
      // An empty element without a pump would go on for ever.
      if (at == begin)
        put(before, end);
    }
  }

  const Pattern &pattern;
  const Sequence &sequence;
  uint8_t *out;
  size_t size, at = 0;
};

} // namespace

void renderPattern(const Pattern &pattern, uint8_t *out, size_t size) {
  Renderer(pattern, out, size).render();
}

} // namespace perfidy
