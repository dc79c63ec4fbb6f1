#include "fuzzer/parameter_search.h"
#include "runtime/trace_writer.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

namespace perfidy {
namespace {

uint64_t bitsOf(double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

/// Combination of enumerated values: what a class of vectors has in common.
uint64_t choiceOf(const ParameterSpace &space, const ParameterVector &vector) {
  uint64_t state = 1;
  for (uint32_t i = 0; i < space.count; ++i)
    if (space.isEnum(i) && vector.has(i))
      state = mixed(mixed(state, i + 1), bitsOf(vector.value[i] + 1));
  return state;
}

} // namespace

bool ParameterSearch::start() {
  const char *flag = perfidy_flag("search_parameters");
  uniform = flag && strcmp(flag, "uniform") == 0;
  if (flag && strcmp(flag, "0") == 0)
    return true;
  if (const char *text = perfidy_flag("budget"))
    budget = strtoull(text, nullptr, 10);
  cells = static_cast<Kept *>(mapMemory(kCells * sizeof(Kept)));
  filled = static_cast<uint32_t *>(mapMemory(kCells * sizeof(uint32_t)));
  on = cells && filled && limits.start();
  return on;
}

// --- proposals
// ------------------------------------------------------------------------------------

// Combination `number` of all enumerations: all of them when they are few, else each value alone.
bool ParameterSearch::listedEnums(uint64_t number, ParameterVector &vector) const {
  const ParameterSpace space = ParameterSpace::current();
  double product = 1;
  for (uint32_t i = 0; i < space.count; ++i)
    product *= space.isEnum(i) ? space.parameters[i].high + 1 : 1;
  const bool all = product <= double(kMostListed);
  if (product <= 1 || (all && number >= static_cast<uint64_t>(product)))
    return false;
  for (uint32_t i = 0; i < space.count; ++i) {
    if (!space.isEnum(i))
      continue;
    const uint64_t values = static_cast<uint64_t>(space.parameters[i].high) + 1;
    if (!all && number >= values) {
      number -= values;
      continue;
    }
    vector.put(i, double(number % values));
    if (!all)
      return true;
    number /= values;
  }
  return all;
}

// What can be listed, one after the other: first with everything else as the harness draws it, then
// among random values.
bool ParameterSearch::listed(ParameterVector &vector, Random &random) {
  const ParameterSpace space = ParameterSpace::current();
  for (;; ++nextListed) {
    uint64_t number = nextListed >> 1;
    vector = ParameterVector();
    if (nextListed & 1)
      for (uint32_t i = 0; i < space.count; ++i)
        vector.put(i, drawValue(space.parameters[i], random));
    if (listedEnums(number, vector)) {
      ++nextListed;
      return true;
    }
    constexpr uint64_t kCorners = 16;
    // Behind the enumerations: 16 numbers for each parameter. A fixed offset keeps them apart.
    if (number < 2 * kMostListed)
      continue;
    number -= 2 * kMostListed;
    if (number / kCorners >= space.count)
      return false;
    uint32_t index = static_cast<uint32_t>(number / kCorners);
    double value = 0;
    if (space.isEnum(index) || space.isScale(index) ||
        !cornerValue(space.parameters[index], number % kCorners, value))
      continue;
    vector.put(index, value);
    ++nextListed;
    return true;
  }
}

const ParameterSearch::Kept *ParameterSearch::any(Random &random) const {
  return used ? &cells[filled[random.below(used)]] : nullptr;
}

void ParameterSearch::changeSome(ParameterVector &vector, Random &random) const {
  const ParameterSpace space = ParameterSpace::current();
  for (size_t changes = 1 + random.below(3); changes > 0; --changes) {
    uint32_t i = static_cast<uint32_t>(random.below(space.count));
    double old = vector.has(i) ? vector.value[i] : space.parameters[i].value;
    vector.put(i, changeValue(space.parameters[i], old, random));
  }
}

ParameterVector ParameterSearch::vary(Random &random) {
  const ParameterSpace space = ParameterSpace::current();
  ParameterVector vector;
  const Kept *parent = uniform || random.oneIn(4) ? nullptr : any(random);
  if (!parent) {
    for (uint32_t i = 0; i < space.count; ++i)
      vector.put(i, drawValue(space.parameters[i], random));
    double corner = 0;
    for (uint32_t i = 0; i < space.count && !uniform; ++i)
      if (random.oneIn(6) &&
          cornerValue(space.parameters[i], static_cast<unsigned>(random.below(11)), corner))
        vector.put(i, corner);
    return vector;
  }
  vector = parent->vector;
  if (random.oneIn(3)) {
    const Kept *other = any(random);
    for (uint32_t i = 0; i < space.count; ++i)
      if (other->vector.has(i) && random.oneIn(2))
        vector.put(i, other->vector.value[i]);
    if (random.oneIn(2))
      return vector;
  }
  changeSome(vector, random);
  return vector;
}

// All runs of the search have one size, so that costs can be compared: an eighth of the way up each
// scale, and further while runs are cheap.
void ParameterSearch::fixScales(ParameterVector &vector) const {
  const ParameterSpace space = ParameterSpace::current();
  const char *dimension = perfidy_flag("dimension");
  bool first = true;
  for (uint32_t i = 0; i < space.count; ++i) {
    if (!space.isScale(i))
      continue;
    const perfidy_parameter &scale = space.parameters[i];
    const bool size = dimension ? strcmp(dimension, scale.name) == 0 : first;
    first = false;
    double value = scale.low > 0 ? scale.low : 1;
    for (unsigned d = size ? doublings : 1; d > 0 && value * 2 <= scale.high; --d)
      value *= 2;
    vector.put(i, value);
  }
}

size_t ParameterSearch::propose(uint8_t *data, size_t size, size_t most, Random &random) {
  const ParameterSpace space = ParameterSpace::current();
  if (!limitsRead) {
    ParameterVector scales;
    fixScales(scales);
    limits.readEnded(scales);
    limitsRead = true;
  }
  constexpr int kTries = 40;
  ParameterVector vector;
  for (int attempt = 0; attempt < kTries; ++attempt) {
    if (uniform || !listed(vector, random))
      vector = vary(random);
    fixScales(vector);
    // Now and then all the same: what was over the budget there may have had another reason.
    if (!limits.hopeless(vector) || random.oneIn(5000))
      break;
  }
  size_t body = perfidy_vector_begin(data, size);
  size_t made = writeVector(space, vector, perfidy_flag("dimension"), data, body, most);
  return made ? made : writeVector(space, vector, perfidy_flag("dimension"), data, 0, most);
}

// --- learning
// -------------------------------------------------------------------------------------

// The values of the run just finished; what it did not draw is left out.
ParameterVector ParameterSearch::drawn() const {
  const ParameterSpace space = ParameterSpace::current();
  ParameterVector vector;
  for (uint32_t i = 0; i < space.count; ++i)
    if (space.parameters[i].run == perfidy_parameters_run())
      vector.put(i, space.parameters[i].value);
  return vector;
}

bool ParameterSearch::offer(
    Kind kind, uint64_t key, uint64_t value, uint64_t cost, const ParameterVector &vector) {
  key = mixed(key, static_cast<uint64_t>(kind) + 1) | 1;
  for (size_t i = key % kCells, probes = 0; probes < 64; i = (i + 1) % kCells, ++probes) {
    Kept &cell = cells[i];
    if (cell.key == 0 && used < kCells / 2) {
      filled[used++] = static_cast<uint32_t>(i);
      cell = {key, value, cost, vector};
      return true;
    }
    if (cell.key != key)
      continue;
    const bool better = kind == Kind::Cheapest ? value < cell.value : value > cell.value;
    const bool clearly = kind == Kind::Cheapest ? value < cell.value - cell.value / 8
                                                : value > cell.value + cell.value / 8;
    if (better)
      cell = {key, value, cost, vector};
    return clearly;
  }
  return false;
}

// Both ends of a class go to the corpus as files.
void ParameterSearch::keepEnd(const char *end,
                              uint64_t key,
                              const perfidy_observation &seen) const {
  const char *directory = perfidy_flag("keep");
  char path[4096];
  if (!directory || snprintf(path,
                             sizeof path,
                             "%s/%s-%016llx",
                             directory,
                             end,
                             static_cast<unsigned long long>(key)) >= static_cast<int>(sizeof path))
    return;
  int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (file < 0)
    return;
  ssize_t written = write(file, seen.data, seen.length);
  (void)written;
  close(file);
}

// Doubles the size of the search while an average run costs a small part of the budget and the
// dearest one would stay within it: what passes the budget can no longer be compared.
void ParameterSearch::adaptScale(uint64_t cost) {
  constexpr unsigned kRuns = 64, kMostDoublings = 40;
  constexpr uint64_t kUsualBudget = 50'000'000, kShare = 400;
  const uint64_t all = budget ? budget : kUsualBudget;
  costSum += cost;
  costMost = cost > costMost ? cost : costMost;
  if (++costRuns % kRuns != 0)
    return;
  if (costSum / costRuns < all / kShare && costMost < all / 8 && doublings < kMostDoublings) {
    ++doublings;
    costSum = costMost = costRuns = 0;
    // What is known of the budget is known of one size.
    limits.forget();
    limitsRead = false;
  }
}

// The size of an earlier process, as its vectors tell it.
void ParameterSearch::resumeScale(const ParameterVector &vector) {
  const unsigned before = doublings;
  ParameterVector fixed = vector;
  for (doublings = 40; doublings > before; --doublings) {
    fixScales(fixed);
    if (fixed == vector)
      return;
  }
}

unsigned ParameterSearch::observe(const perfidy_observation &seen, bool ofCorpus) {
  const ParameterSpace space = ParameterSpace::current();
  ParameterVector vector = drawn();
  if (!on || !vector.set)
    return 0;
  // Sizes of the search only.
  if (ofCorpus)
    resumeScale(vector);
  ParameterVector fixed = vector;
  fixScales(fixed);
  if (!(fixed == vector))
    return 0;
  limits.count(vector, false);
  adaptScale(seen.cost);
  if (perfidy_vector_begin(seen.data, seen.length) == seen.length)
    return 0;
  uint64_t scale = mixed(1, doublings);
  const uint64_t choice = mixed(scale, choiceOf(space, vector));
  unsigned won = 0;
  if (offer(Kind::Dearest, choice, seen.cost, seen.cost, vector)) {
    keepEnd("dearest", choice, seen);
    ++won;
  }
  if (offer(Kind::Cheapest, choice, seen.cost, seen.cost, vector)) {
    keepEnd("cheapest", choice, seen);
    ++won;
  }
  perfidy::observe(seen, [&](const Observation &observation) {
    uint64_t key =
        mixed(mixed(scale, observation.region + 1), static_cast<uint64_t>(observation.quantity));
    won += offer(Kind::Region, key, observation.value, seen.cost, vector);
  });
  return won;
}

} // namespace perfidy
