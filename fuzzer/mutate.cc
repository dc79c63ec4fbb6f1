#include "fuzzer/mutate.h"

#include <string.h>

namespace perfidy {
namespace {

Part randomToken(const TokenSource &source, const Archive &archive, Random &random) {
  Part token;
  size_t kind = random.below(11);
  if (kind < 4 && source.length > 0) {
    size_t length = 1 + random.below(random.oneIn(4) ? 12 : 4);
    size_t begin = random.below(source.length);
    token.assign(source.data + begin,
                 length < source.length - begin ? length : source.length - begin);
    return token;
  }
  if (const Part *known = kind < 6 && source.pool ? source.pool->any(random) : nullptr)
    return *known;
  const Cell *other = kind < 8 ? archive.any(random) : nullptr;
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
  if (other->pattern.sequence.on() && random.oneIn(4)) {
    pattern.sequence = other->pattern.sequence;
    return;
  }
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
  // What counts on has more to vary.
  if (pattern.sequence.on() ? random.oneIn(3) : random.oneIn(24)) {
    changeSequence(pattern, random);
    return;
  }
  switch (random.below(10)) {
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
  case 8: pattern.share = random.oneIn(2) ? 0 : static_cast<uint8_t>(random.below(256)); break;
  default: part = randomToken(source, archive, random); break;
  }
}

// The fixed ends of an input whose middle is repeated; harnesses that take numbers from the end
// (FuzzedDataProvider) have them there.
void keepEnds(Pattern &pattern, const TokenSource &source, Random &random) {
  size_t most = source.length < 24 ? source.length : 24;
  if (random.oneIn(2))
    pattern.prefix.assign(source.data, random.below(most + 1));
  if (random.oneIn(3)) {
    size_t count = random.below(most + 1);
    pattern.suffix.assign(source.data + source.length - count, count);
  }
}

// An array: elements in some order, nothing between them.
Pattern freshArray(const TokenSource &source, Random &random) {
  Pattern pattern;
  pattern.sequence = freshSequence(random, true);
  pattern.sequence.at = 0;
  if (random.oneIn(3)) {
    // A second array behind the first: ascending, then descending values...
    pattern.sequence.at2 = 0;
    pattern.share = static_cast<uint8_t>(random.below(256));
  }
  if (source.length > 0 && random.oneIn(2))
    keepEnds(pattern, source, random);
  return pattern;
}

} // namespace

uint8_t randomByte(Random &random) {
  static const char kCommon[] = "()[]{}<>\"'`*_-+=!?#&$%@/\\|~^:;,. \n\taAbBxX0019";
  if (random.oneIn(2))
    return static_cast<uint8_t>(kCommon[random.below(sizeof kCommon - 1)]);
  if (!random.oneIn(4))
    return static_cast<uint8_t>(32 + random.below(95));
  return static_cast<uint8_t>(random.below(256));
}

Pattern freshPattern(const TokenSource &source, const Archive &archive, Random &random) {
  if (random.oneIn(8))
    return freshArray(source, random);
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
  if (source.length > 0 && random.oneIn(6))
    keepEnds(pattern, source, random);
  if (random.oneIn(8)) {
    pattern.sequence = freshSequence(random, false);
    pattern.sequence.at = static_cast<uint8_t>(random.below(pattern.pump.length + 1u));
  }
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

} // namespace perfidy
