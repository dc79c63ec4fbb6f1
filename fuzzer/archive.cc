#include "fuzzer/archive.h"

#include <string.h>
#include <sys/mman.h>

namespace perfidy {
namespace {

void *mapMemory(size_t bytes) {
  void *memory = mmap(
      nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return memory == MAP_FAILED ? nullptr : memory;
}

uint64_t cellKey(const Observation &observation) {
  // 24 bits of function, 24 of loop, the quantity on top, so that no key is 0.
  uint64_t function = (observation.region >> 32) & 0xffffff;
  uint64_t loop = observation.region & 0xffffff;
  return (static_cast<uint64_t>(observation.quantity) + 1) << 48 | function << 24 | loop;
}

// Half octaves above one unit per input byte: what is merely linear gets about 0 to 8.
int excess(const Cell &cell, size_t searchSize) {
  uint64_t unit = searchSize;
  return static_cast<int>(2 * log2Floor(cell.value)) - static_cast<int>(2 * log2Floor(unit)) -
         static_cast<int>(log2Floor(cell.picked + 1));
}

} // namespace

bool Archive::start(size_t largestInput) {
  cells = static_cast<Cell *>(mapMemory(kCells * sizeof(Cell)));
  filled = static_cast<uint32_t *>(mapMemory(kCells * sizeof(uint32_t)));
  if (!cells || !filled)
    return false;
  for (unsigned octave = 0; octave < kOctaves && (size_t(1) << octave) <= largestInput; ++octave) {
    dear[octave].bytes = static_cast<uint8_t *>(mapMemory(size_t(1) << octave));
    if (!dear[octave].bytes)
      return false;
  }
  return true;
}

Cell *Archive::slot(uint64_t key) {
  size_t at = (key * 0x9e3779b97f4a7c15u) >> 52;
  for (size_t probe = 0; probe < 16; ++probe) {
    Cell &cell = cells[(at + probe) % kCells];
    if (cell.key == key)
      return &cell;
    if (cell.key != 0)
      continue;
    cell.key = key;
    filled[used++] = static_cast<uint32_t>((at + probe) % kCells);
    return &cell;
  }
  return nullptr;
}

unsigned
Archive::offerPattern(const Pattern &pattern, const perfidy_observation &seen, Random &random) {
  unsigned won = 0;
  observe(seen, [&](const Observation &observation) {
    Cell *cell = slot(cellKey(observation));
    if (!cell)
      return;
    bool better = observation.value > cell->value;
    bool tie = observation.value == cell->value;
    bool simpler = pattern.weight() < cell->pattern.weight();
    if (!better && !(tie && (simpler || random.oneIn(4))))
      return;
    if (observation.value > cell->value + cell->value / 8) {
      ++won;
      cell->picked = 0;
    }
    cell->value = observation.value;
    cell->cost = seen.cost;
    cell->pattern = pattern;
  });
  return won;
}

bool Archive::offerInput(const perfidy_observation &seen) {
  unsigned octave = log2Floor(seen.length);
  if (octave >= kOctaves || seen.length != size_t(1) << octave || !dear[octave].bytes)
    return false;
  Input &input = dear[octave];
  if (input.length != 0 && seen.cost < input.cost)
    return false;
  bool better = input.length == 0 || seen.cost > input.cost;
  input.cost = seen.cost;
  input.length = seen.length;
  memcpy(input.bytes, seen.data, seen.length);
  return better;
}

Cell *Archive::pick(Random &random, size_t searchSize) {
  if (used == 0)
    return nullptr;
  Cell *best = nullptr;
  size_t rounds = random.oneIn(3) ? 1 : 4;
  for (size_t i = 0; i < rounds; ++i) {
    Cell *cell = &cells[filled[random.below(used)]];
    if (!best || excess(*cell, searchSize) > excess(*best, searchSize))
      best = cell;
  }
  ++best->picked;
  return best;
}

const Cell *Archive::any(Random &random) const {
  return used ? &cells[filled[random.below(used)]] : nullptr;
}

} // namespace perfidy
