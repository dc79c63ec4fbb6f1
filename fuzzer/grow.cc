#include "fuzzer/grow.h"

#include <string.h>

namespace perfidy {
namespace {

constexpr size_t kSmallestStart = 3; ///< elements

// Replaces values by their ranks, from 1: room for a new smallest and largest everywhere.
void rankValues(uint32_t *values, size_t count) {
  static uint32_t sorted[Archive::kLargest];
  memcpy(sorted, values, count * sizeof *values);
  for (size_t i = 1; i < count; ++i)
    for (size_t j = i; j > 0 && sorted[j - 1] > sorted[j]; --j) {
      uint32_t kept = sorted[j];
      sorted[j] = sorted[j - 1];
      sorted[j - 1] = kept;
    }
  for (size_t i = 0; i < count; ++i) {
    uint32_t rank = 1;
    for (size_t j = 0; sorted[j] < values[i]; ++j)
      rank += j + 1 == count || sorted[j + 1] != sorted[j];
    values[i] = rank;
  }
}

} // namespace

size_t Grower::position(uint8_t anchor, size_t count) {
  switch (anchor) {
  case kFirst: return 0;
  case kSecond: return count > 1 ? 1 : 0;
  case kMiddle: return count / 2;
  case kBeforeMiddle: return (count - 1) / 2;
  case kBeforeLast: return count > 1 ? count - 2 : 0;
  case kQuarter: return count / 4;
  default: return count - 1;
  }
}

Grower::Step Grower::randomStep(Random &random) const {
  if (knownSteps > 0 && random.oneIn(2))
    return known[random.below(knownSteps)];
  Step step;
  step.value = static_cast<uint8_t>(random.oneIn(2) ? random.below(2) : random.below(kValues));
  step.place = static_cast<uint8_t>(random.below(kAnchors));
  step.inserted = random.oneIn(2);
  step.swaps = static_cast<uint8_t>(random.below(3));
  for (size_t i = 0; i < 2; ++i) {
    step.from[i] = static_cast<uint8_t>(random.below(kAnchors));
    step.to[i] = static_cast<uint8_t>(random.below(kAnchors));
  }
  return step;
}

// `count` is that before the step.
void Grower::apply(const Step &step, uint32_t *array, size_t count) const {
  size_t longer = count + 1, at = position(step.place, longer);
  uint32_t highest = 0, lowest = ~0u;
  for (size_t i = 0; i < count; ++i) {
    highest = array[i] > highest ? array[i] : highest;
    lowest = array[i] < lowest ? array[i] : lowest;
  }
  if (step.value == kBelowAll && lowest == 0) {
    for (size_t i = 0; i < count; ++i)
      ++array[i];
    lowest = 1;
  }
  if (step.inserted)
    memmove(array + at + 1, array + at, (count - at) * sizeof *array);
  else
    array[count] = array[at < count ? at : count - 1];
  const uint32_t values[kValues] = {
      highest + 1, lowest - 1, highest, lowest, array[at > 0 ? at - 1 : longer - 1]};
  array[at] = values[step.value];
  for (size_t i = 0; i < step.swaps; ++i) {
    uint32_t &a = array[position(step.from[i], longer)], &b = array[position(step.to[i], longer)];
    uint32_t kept = a;
    a = b;
    b = kept;
  }
}

size_t Grower::write(const uint32_t *array, size_t count, uint8_t *data) const {
  memcpy(data, head, header);
  const uint32_t largest = width == 4 ? ~0u : (1u << 8 * width) - 1;
  for (size_t i = 0; i < count; ++i) {
    uint32_t value = array[i] < largest ? array[i] : largest;
    for (size_t b = 0; b < width; ++b, value >>= 8)
      data[header + i * width + (big ? width - 1 - b : b)] = static_cast<uint8_t>(value);
  }
  return header + count * width;
}

void Grower::restart(const Archive &archive, Random &random) {
  count = knownSteps = 0;
  width = size_t(1) << random.below(3);
  big = random.oneIn(2);
  header = random.oneIn(2) ? 0 : random.below(sizeof head - 3);
  // The array is to end with the input.
  header += (archive.sizeOf(0) - header) % width;
  // From the dearest of some small size.
  unsigned smallest = archive.levels() - 1;
  unsigned level = smallest - static_cast<unsigned>(random.below(smallest < 3 ? smallest + 1 : 4));
  const Input &start = archive.dearest(level);
  if (start.length < header + kSmallestStart * width || start.length > 256)
    return;
  memcpy(head, start.bytes, header);
  count = (start.length - header) / width;
  for (size_t i = 0; i < count; ++i) {
    uint32_t value = 0;
    for (size_t b = 0; b < width; ++b)
      value = value << 8 | start.bytes[header + i * width + (big ? b : width - 1 - b)];
    elements[i] = value;
  }
  rankValues(elements, count);
  tries = 0;
  bestCost = 0;
}

size_t Grower::propose(const Archive &archive, uint8_t *data, size_t most, Random &random) {
  if (count == 0 || header + (count + 1) * width > most)
    restart(archive, random);
  if (count == 0 || header + (count + 1) * width > most || count + 1 >= Archive::kLargest)
    return 0;
  // What paid before is tried first, in order.
  last = tries < knownSteps ? known[tries] : randomStep(random);
  memcpy(trial, elements, count * sizeof *elements);
  apply(last, trial, count);
  return write(trial, count + 1, data);
}

void Grower::remember(const Step &step) {
  size_t at = 0;
  while (at < knownSteps && memcmp(&known[at], &step, sizeof step) != 0)
    ++at;
  if (at == knownSteps)
    at = knownSteps < kKnown ? knownSteps++ : kKnown - 1;
  memmove(known + 1, known, at * sizeof *known);
  known[0] = step;
}

bool Grower::learn(const perfidy_observation &seen, const Archive &archive) {
  if (count == 0)
    return false;
  if (seen.cost > bestCost) {
    bestCost = seen.cost;
    best = last;
  }
  // The longer the array, the more is known about what pays.
  size_t enough = count < 32 ? kTries : knownSteps + 4;
  if (++tries < enough)
    return false;
  apply(best, elements, count);
  ++count;
  remember(best);
  // Not worth going on when plain climbing is further already.
  unsigned level = archive.levelOf(header + count * width);
  bool behind = level != Archive::kNoLevel && bestCost < archive.dearest(level).cost / 10 * 8;
  tries = 0;
  bestCost = 0;
  if (behind)
    count = 0;
  return true;
}

} // namespace perfidy
