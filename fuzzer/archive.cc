#include "fuzzer/archive.h"

#include <string.h>
#include <sys/mman.h>

namespace perfidy {
namespace {

/// Cells that only plain inputs have reached have no pattern and are drawn in vain.
constexpr size_t kMostDraws = 32;

uint64_t cellKey(const Observation &observation) {
  // 24 bits of function, 24 of loop, the quantity on top, so that no key is 0.
  uint64_t function = (observation.region >> 32) & 0xffffff;
  uint64_t loop = observation.region & 0xffffff;
  return (static_cast<uint64_t>(observation.quantity) + 1) << 48 | function << 24 | loop;
}

void keep(Input &input, const perfidy_observation &seen, uint64_t value) {
  input.value = value;
  input.cost = seen.cost;
  input.length = seen.length;
  memcpy(input.bytes, seen.data, seen.length);
}

} // namespace

void *mapMemory(size_t bytes) {
  void *memory = mmap(
      nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return memory == MAP_FAILED ? nullptr : memory;
}

bool Archive::start(size_t size) {
  searchSize = size;
  cells = static_cast<Cell *>(mapMemory(kCells * sizeof(Cell)));
  filled = static_cast<uint32_t *>(mapMemory(kCells * sizeof(uint32_t)));
  plainBytes = static_cast<uint8_t *>(mapMemory(kCells * searchSize));
  auto *levelBytes = static_cast<uint8_t *>(mapMemory(4 * searchSize));
  if (!cells || !filled || !plainBytes || !levelBytes)
    return false;
  while (levelCount < kLevels && (levelCount == 0 || sizeOf(levelCount) >= kSmallest)) {
    dear[levelCount].bytes = levelBytes;
    cheap[levelCount].bytes = levelBytes + sizeOf(levelCount);
    levelBytes += 2 * sizeOf(levelCount);
    ++levelCount;
  }
  return true;
}

unsigned Archive::levelOf(size_t length) const {
  for (unsigned level = 0; level < levelCount; ++level)
    if (sizeOf(level) == length)
      return level;
  return kNoLevel;
}

Cell *Archive::slot(uint64_t key) {
  size_t at = (key * 0x9e3779b97f4a7c15u) >> 52;
  for (size_t probe = 0; probe < 16; ++probe) {
    size_t index = (at + probe) % kCells;
    Cell &cell = cells[index];
    if (cell.key == key)
      return &cell;
    if (cell.key != 0)
      continue;
    cell.key = key;
    cell.plain.bytes = plainBytes + index * searchSize;
    filled[used++] = static_cast<uint32_t>(index);
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
      cell->halfCost = 0;
    }
    cell->value = observation.value;
    cell->cost = seen.cost;
    cell->pattern = pattern;
  });
  return won;
}

void Archive::noteHalf(const Pattern &pattern, uint64_t cost) {
  for (size_t i = 0; i < used; ++i) {
    Cell &cell = cells[filled[i]];
    if (cell.halfCost == 0 && cell.pattern.equals(pattern))
      cell.halfCost = cost;
  }
}

unsigned Archive::offerRegions(const perfidy_observation &seen) {
  unsigned won = 0;
  observe(seen, [&](const Observation &observation) {
    Cell *cell = slot(cellKey(observation));
    if (!cell)
      return;
    Input &plain = cell->plain;
    // Of equally good ones the dearer run is further on its way.
    if (plain.length != 0 && (observation.value < plain.value ||
                              (observation.value == plain.value && seen.cost < plain.cost)))
      return;
    won += observation.value > plain.value + plain.value / 8;
    keep(plain, seen, observation.value);
  });
  return won;
}

Offered Archive::offerInput(const perfidy_observation &seen) {
  Offered offered;
  unsigned level = levelOf(seen.length);
  if (level == kNoLevel)
    return offered;
  if (level == 0)
    offered.regions = offerRegions(seen);
  Input &input = dear[level];
  offered.dearer = input.length == 0 || seen.cost > input.cost;
  if (offered.dearer || seen.cost == input.cost)
    keep(input, seen, seen.cost);
  Input &low = cheap[level];
  offered.cheaper = low.length == 0 || seen.cost < low.cost;
  if (offered.cheaper)
    keep(low, seen, seen.cost);
  return offered;
}

int Archive::excess(const Cell &cell) const {
  return static_cast<int>(2 * log2Floor(cell.value)) - static_cast<int>(2 * log2Floor(searchSize));
}

int Archive::growth(const Cell &cell) {
  if (cell.halfCost == 0)
    return 8;
  return static_cast<int>(log2Eighths(cell.cost)) - static_cast<int>(log2Eighths(cell.halfCost));
}

// Two patterns are of one class when cost and growth agree within a quarter.
unsigned Archive::signature(const Cell &cell) {
  unsigned cost = log2Eighths(cell.cost) / 2;
  unsigned steepness = static_cast<unsigned>(growth(cell) + 64) / 2;
  return (cost * 61 + steepness) % kSignatures;
}

int Archive::merit(const Cell &cell) const {
  int steep = growth(cell) - 9;
  steep = steep < 0 ? 0 : steep > 8 ? 8 : steep;
  int vain = static_cast<int>(log2Floor(cell.picked + 1));
  if (clustering)
    vain += static_cast<int>(log2Floor(tried[signature(cell)] / 16 + 1));
  return excess(cell) + steep - vain;
}

Cell *Archive::pick(Random &random) {
  Cell *best = nullptr;
  size_t rounds = random.oneIn(3) ? 1 : 4;
  for (size_t draws = 0; draws < kMostDraws && rounds > 0 && used > 0; ++draws) {
    Cell *cell = &cells[filled[random.below(used)]];
    if (!cell->pattern.valid())
      continue;
    --rounds;
    if (!best || merit(*cell) > merit(*best))
      best = cell;
  }
  if (best) {
    ++best->picked;
    ++tried[signature(*best)];
  }
  return best;
}

const Input *Archive::pickPlain(Random &random) {
  const Cell *best = nullptr;
  for (size_t i = 0; i < 4 && used > 0; ++i) {
    const Cell *cell = &cells[filled[random.below(used)]];
    if (cell->plain.length && (!best || cell->plain.value > best->plain.value))
      best = cell;
  }
  return best ? &best->plain : nullptr;
}

const Cell *Archive::any(Random &random) const {
  for (size_t draws = 0; draws < kMostDraws && used > 0; ++draws) {
    const Cell &cell = cells[filled[random.below(used)]];
    if (cell.pattern.valid())
      return &cell;
  }
  return nullptr;
}

unsigned Archive::classes() const {
  uint64_t seen[kSignatures / 64] = {};
  unsigned count = 0;
  for (size_t i = 0; i < used; ++i) {
    const Cell &one = cell(i);
    if (!one.pattern.valid())
      continue;
    unsigned bit = signature(one);
    count += !(seen[bit / 64] >> bit % 64 & 1);
    seen[bit / 64] |= uint64_t(1) << bit % 64;
  }
  return count;
}

} // namespace perfidy
