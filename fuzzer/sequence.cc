#include "fuzzer/sequence.h"

namespace perfidy {
namespace {

void swap(uint32_t &a, uint32_t &b) {
  uint32_t kept = a;
  a = b;
  b = kept;
}

void fillShuffled(uint32_t *ranks, size_t count) {
  uint64_t state = 0x9e3779b97f4a7c15u;
  for (size_t i = count; i > 1; --i) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    swap(ranks[i - 1], ranks[(state >> 33) % i]);
  }
}

// Ranks sorted by the reversal of their bits: position by position the next reversed number that is
// in range.
void fillBitReversed(uint32_t *ranks, size_t count) {
  unsigned bits = 0;
  while ((size_t(1) << bits) < count)
    ++bits;
  size_t filled = 0;
  for (uint32_t i = 0; filled < count; ++i) {
    uint32_t reversed = 0;
    for (unsigned bit = 0; bit < bits; ++bit)
      reversed |= (i >> bit & 1) << (bits - 1 - bit);
    if (reversed < count)
      ranks[filled++] = reversed;
  }
}

uint32_t medianKiller(uint32_t i, uint32_t count) {
  uint32_t half = count / 2;
  if (i >= 2 * half)
    return i;
  if (i >= half)
    return 2 * (i - half) + 1;
  return i % 2 == 0 ? i : i + half - 1 + half % 2;
}

uint32_t closedRank(uint8_t order, uint32_t i, uint32_t count) {
  switch (order) {
  case Sequence::kDescending: return count - 1 - i;
  case Sequence::kOrganPipe: return 2 * i < count ? 2 * i : 2 * (count - 1 - i) + 1;
  case Sequence::kValley: return 2 * i < count ? count - 1 - 2 * i : 2 * i - count;
  case Sequence::kZigZag: return i % 2 ? count - 1 - i / 2 : i / 2;
  case Sequence::kMedianKiller: return medianKiller(i, count);
  default: return i;
  }
}

unsigned width(uint8_t form) {
  switch (form) {
  case Sequence::kByte: return 1;
  case Sequence::kWord16Little:
  case Sequence::kWord16Big: return 2;
  default: return 4;
  }
}

uint64_t fitted(const Sequence &sequence, uint64_t rank, uint64_t count, uint64_t largest) {
  if (sequence.fit == Sequence::kScale && count > 1)
    return rank * largest / (count - 1);
  uint64_t value = rank * sequence.stride;
  if (sequence.fit == Sequence::kSaturate && value > largest)
    return largest;
  return value;
}

size_t writeDigits(uint64_t value, unsigned base, uint8_t *out, size_t room) {
  uint8_t digits[64];
  size_t length = 0;
  do {
    unsigned digit = static_cast<unsigned>(value % base);
    bool letter = base == 26 || digit >= 10;
    digits[length++] =
        static_cast<uint8_t>(letter ? 'a' + digit - (base == 26 ? 0 : 10) : '0' + digit);
    value /= base;
  } while (value);
  for (size_t i = 0; i < length && i < room; ++i)
    out[i] = digits[length - 1 - i];
  return length;
}

size_t
writeBinary(const Sequence &sequence, uint64_t rank, uint64_t count, uint8_t *out, size_t room) {
  unsigned bytes = width(sequence.form);
  uint64_t value = fitted(sequence, rank, count, (uint64_t(1) << (8 * bytes)) - 1);
  bool big = sequence.form == Sequence::kWord16Big || sequence.form == Sequence::kWord32Big;
  for (unsigned i = 0; i < bytes && i < room; ++i)
    out[i] = static_cast<uint8_t>(value >> 8 * (big ? bytes - 1 - i : i));
  return bytes;
}

// Two blocks of two bytes have the same hash: x * m + y = (x + 1) * m + (y - m). A key is a word
// over the two, one block for each bit of its rank.
size_t
writeColliding(const Sequence &sequence, uint64_t rank, uint64_t count, uint8_t *out, size_t room) {
  unsigned multiplier = sequence.stride;
  uint8_t high =
      static_cast<uint8_t>(multiplier < 31 ? 'A' + multiplier : 'a' + (multiplier - 31) % 64);
  size_t length = 0;
  for (uint64_t span = count > 1 ? count - 1 : 1; span; span >>= 1, rank >>= 1, length += 2) {
    bool one = rank & 1;
    if (length < room)
      out[length] = one ? 'B' : 'A';
    if (length + 1 < room)
      out[length + 1] = static_cast<uint8_t>(one ? high - multiplier : high);
  }
  return length;
}

} // namespace

bool Sequence::equals(const Sequence &other) const {
  if (form == kNone || other.form == kNone)
    return form == other.form;
  return form == other.form && order == other.order && order2 == other.order2 && fit == other.fit &&
         at == other.at && at2 == other.at2 && stride == other.stride;
}

void orderRanks(uint8_t order, uint32_t *ranks, size_t count) {
  for (size_t i = 0; i < count; ++i)
    ranks[i] = closedRank(order, static_cast<uint32_t>(i), static_cast<uint32_t>(count));
  if (order == Sequence::kShuffled)
    fillShuffled(ranks, count);
  else if (order == Sequence::kBitReversed)
    fillBitReversed(ranks, count);
  else if (order == Sequence::kMiddleKiller)
    // Builds up the array backwards: before each partition the largest element stands in the
    // middle.
    for (size_t i = 2; i < count; ++i)
      swap(ranks[i], ranks[i / 2]);
}

size_t writeElement(const Sequence &sequence,
                    uint64_t rank,
                    uint64_t count,
                    uint8_t before,
                    uint8_t *out,
                    size_t room) {
  uint64_t value = rank * sequence.stride;
  switch (sequence.form) {
  case Sequence::kNone: return 0;
  case Sequence::kDecimal: return writeDigits(value, 10, out, room);
  case Sequence::kLetters: return writeDigits(value, 26, out, room);
  case Sequence::kHex: return writeDigits(value, 16, out, room);
  case Sequence::kRun:
    for (uint64_t i = 0; i < value && i < room; ++i)
      out[i] = before;
    return value;
  case Sequence::kColliding: return writeColliding(sequence, rank, count, out, room);
  default: return writeBinary(sequence, rank, count, out, room);
  }
}

} // namespace perfidy
