#include "fuzzer/climb.h"
#include "fuzzer/mutate.h"

#include <string.h>

namespace perfidy {

void projectInput(
    const uint8_t *half, size_t halfLength, uint8_t *out, size_t length, Random &random) {
  size_t header = random.oneIn(2) ? 0 : random.below(9);
  if (header >= halfLength || header >= length)
    header = 0;
  memcpy(out, half, header);
  const uint8_t *body = half + header;
  size_t count = halfLength - header, at = header;
  size_t width = size_t(1) << random.below(3);
  switch (random.below(3)) {
  case 0:
    for (size_t i = 0; at < length; ++i)
      out[at++] = body[i % count];
    break;
  case 1:
    // Every element twice.
    for (size_t i = 0; at < length; ++i)
      out[at++] = body[(i / (2 * width) * width + i % width) % count];
    break;
  default: {
    size_t block = 1 + random.below(count), begin = random.below(count - block + 1);
    size_t tail = count - begin - block;
    for (size_t i = 0; i < begin && at < length; ++i)
      out[at++] = body[i];
    size_t end = length > at + tail ? length - tail : at;
    for (size_t i = 0; at < end; ++i)
      out[at++] = body[begin + i % block];
    for (size_t i = begin + block; at < length; ++i)
      out[at++] = body[i % count];
  }
  }
}

// Levels that still improve come first; the others are not given up.
unsigned Climber::chooseLevel(unsigned first, unsigned count, Random &random) {
  unsigned chosen = first + static_cast<unsigned>(random.below(count - first));
  for (unsigned other = first; other < count && !random.oneIn(3); ++other)
    if (stale[other] < stale[chosen])
      chosen = other;
  ++stale[chosen];
  return chosen;
}

void Climber::mutate(uint8_t *data, size_t length, Random &random) {
  for (size_t changes = random.oneIn(3) ? 1 + random.below(4) : 1; changes > 0; --changes) {
    size_t changed = random.oneIn(8) && engine ? engine(data, length, length) : 0;
    if (changed == 0)
      mutateInPlace(data, length, random);
    for (size_t i = changed; changed != 0 && i < length; ++i)
      data[i] = data[i % changed];
  }
}

size_t Climber::propose(const Archive &archive,
                        const Input *region,
                        uint8_t *data,
                        size_t size,
                        size_t most,
                        Random &random) {
  unsigned first = 0;
  while (first < archive.levels() && archive.sizeOf(first) > most)
    ++first;
  if (first == archive.levels() || size == 0)
    return 0;
  level = region && first == 0 ? 0 : chooseLevel(first, archive.levels(), random);
  size_t length = archive.sizeOf(level);
  const Input &base = level == 0 && region ? *region : archive.dearest(level);
  const Input *half = level + 1 < archive.levels() ? &archive.dearest(level + 1) : nullptr;
  bool halved = half && half->length != 0;
  uint8_t made[Archive::kLargest];
  if (halved && random.oneIn(projected[level] ? 64 : 8)) {
    projected[level] = random.oneIn(8) || projected[level];
    projectInput(half->bytes, half->length, made, length, random);
  } else if (base.length == 0) {
    for (size_t i = 0; i < length; ++i)
      made[i] = data[i % size];
  } else {
    memcpy(made, base.bytes, length);
  }
  memcpy(data, made, length);
  mutate(data, length, random);
  return length;
}

void Climber::learn(bool dearer) {
  if (!dearer)
    return;
  stale[level] = 0;
  if (level > 0)
    projected[level - 1] = false;
}

} // namespace perfidy
