#include "fuzzer/mutate.h"

#include <string.h>

namespace perfidy {
namespace {

uint8_t randomByte(Random &random) {
  static const char kCommon[] = "()[]{}<>\"'`*_-+=!?#&$%@/\\|~^:;,. \n\taAbBxX0019";
  if (random.oneIn(2))
    return static_cast<uint8_t>(kCommon[random.below(sizeof kCommon - 1)]);
  if (!random.oneIn(4))
    return static_cast<uint8_t>(32 + random.below(95));
  return static_cast<uint8_t>(random.below(256));
}

Part randomToken(const TokenSource &source, const Archive &archive, Random &random) {
  Part token;
  size_t kind = random.below(10);
  if (kind < 5 && source.length > 0) {
    size_t length = 1 + random.below(random.oneIn(4) ? 12 : 4);
    size_t begin = random.below(source.length);
    token.assign(source.data + begin,
                 length < source.length - begin ? length : source.length - begin);
    return token;
  }
  const Cell *other = kind < 7 ? archive.any(random) : nullptr;
  if (other) {
    const Part &part = other->pattern.part(static_cast<int>(random.below(Pattern::kParts)));
    if (part.length > 0)
      return part;
  }
  uint8_t bytes[3];
  size_t length = 1 + random.below(random.oneIn(3) ? 3 : 1);
  for (size_t i = 0; i < length; ++i)
    bytes[i] = randomByte(random);
  token.assign(bytes, length);
  return token;
}

uint8_t closing(uint8_t byte) {
  switch (byte) {
  case '(': return ')';
  case '[': return ']';
  case '{': return '}';
  case '<': return '>';
  default: return byte;
  }
}

// The pump mirrored, opening brackets closed: what ends a nesting.
Part mirrored(const Part &pump) {
  Part mirror = pump;
  for (size_t i = 0; i < pump.length; ++i)
    mirror.bytes[i] = closing(pump.bytes[pump.length - 1 - i]);
  return mirror;
}

void changeBytes(Part &part, Random &random) {
  if (part.length == 0) {
    part.bytes[part.length++] = randomByte(random);
    return;
  }
  uint8_t &byte = part.bytes[random.below(part.length)];
  byte =
      random.oneIn(4) ? static_cast<uint8_t>(byte + 1 - 2 * random.below(2)) : randomByte(random);
}

void crossPart(Pattern &pattern, const Archive &archive, Random &random) {
  const Cell *other = archive.any(random);
  if (!other)
    return;
  int from = static_cast<int>(random.below(Pattern::kParts));
  int to = random.oneIn(3) ? static_cast<int>(random.below(Pattern::kParts)) : from;
  pattern.part(to) = other->pattern.part(from);
}

void joinPump(Pattern &pattern, const Archive &archive, Random &random) {
  const Cell *other = archive.any(random);
  const Part &more = other ? other->pattern.pump : pattern.pump;
  pattern.pump.insert(random.oneIn(2) ? 0 : pattern.pump.length, more.bytes, more.length);
}

void changeSecondPump(Pattern &pattern,
                      const TokenSource &source,
                      const Archive &archive,
                      Random &random) {
  const Cell *other = archive.any(random);
  switch (random.below(6)) {
  case 0: pattern.pump2 = mirrored(pattern.pump); break;
  case 1: pattern.pump2 = randomToken(source, archive, random); break;
  // Many of one thing, then many of another: what the first piles up, the second walks again and
  // again.
  case 2:
  case 3:
    if (other) {
      bool behind = random.oneIn(2);
      pattern.pump2 = behind ? other->pattern.pump : pattern.pump;
      if (!behind)
        pattern.pump = other->pattern.pump;
    }
    break;
  case 4: {
    Part first = pattern.pump;
    if (pattern.pump2.length > 0) {
      pattern.pump = pattern.pump2;
      pattern.pump2 = first;
    }
    break;
  }
  default: pattern.pump2.length = pattern.middle.length = 0;
  }
}

void changeOnce(Pattern &pattern,
                const TokenSource &source,
                const Archive &archive,
                Random &random) {
  Part &part = pattern.part(random.oneIn(2) ? 1 : static_cast<int>(random.below(Pattern::kParts)));
  switch (random.below(9)) {
  case 0:
  case 1: changeBytes(part, random); break;
  case 2: {
    Part token = randomToken(source, archive, random);
    part.insert(random.below(part.length + 1u), token.bytes, token.length);
    break;
  }
  case 3:
  case 4: part.erase(random.below(part.length), 1 + random.below(random.oneIn(3) ? 8 : 1)); break;
  case 5: crossPart(pattern, archive, random); break;
  case 6: joinPump(pattern, archive, random); break;
  case 7: changeSecondPump(pattern, source, archive, random); break;
  default: part = randomToken(source, archive, random); break;
  }
}

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

Pattern freshPattern(const TokenSource &source, const Archive &archive, Random &random) {
  Pattern pattern;
  size_t tokens = 1 + random.below(random.oneIn(3) ? 3 : 1);
  for (size_t i = 0; i < tokens; ++i) {
    Part token = randomToken(source, archive, random);
    pattern.pump.insert(pattern.pump.length, token.bytes, token.length);
  }
  if (random.oneIn(3))
    pattern.prefix = randomToken(source, archive, random);
  else if (random.oneIn(3) && source.length > 0)
    pattern.prefix.assign(source.data, 1 + random.below(source.length < 24 ? source.length : 24));
  if (random.oneIn(4))
    pattern.suffix = randomToken(source, archive, random);
  if (random.oneIn(6))
    pattern.pump2 = random.oneIn(2) ? mirrored(pattern.pump) : randomToken(source, archive, random);
  return pattern;
}

Pattern mutatePattern(const Pattern &parent,
                      const TokenSource &source,
                      const Archive &archive,
                      Random &random) {
  Pattern child = parent;
  for (size_t changes = 1 + random.below(3); changes > 0; --changes)
    changeOnce(child, source, archive, random);
  if (!child.valid())
    child.pump = randomToken(source, archive, random);
  return child;
}

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
