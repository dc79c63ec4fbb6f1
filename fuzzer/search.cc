// The search: a portfolio under one archive, as the engine's custom mutator.
//
// Each call of the mutator proposes one input and remembers what it stands for; the run that
// follows is matched by hash and credited. Nothing is run behind the engine's back, so its crash
// and timeout handling stay right. Effort follows what pays: the shares of the strategies move with
// their successes. Everything follows from the engine's seed.
#include "fuzzer/search.h"
#include "fuzzer/mutate.h"
#include "runtime/trace_writer.h"

#include <stdlib.h>
#include <string.h>

extern "C" {
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t maxSize) __attribute__((weak));
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t maxSize, unsigned seed);
size_t LLVMFuzzerCustomCrossOver(const uint8_t *first,
                                 size_t firstSize,
                                 const uint8_t *second,
                                 size_t secondSize,
                                 uint8_t *out,
                                 size_t maxOut,
                                 unsigned seed);
// The user's own, renamed by the pass.
size_t
perfidyUserMutator(uint8_t *, size_t, size_t, unsigned) __asm__("LLVMFuzzerCustomMutator.perfidy")
    __attribute__((weak));
size_t perfidyUserCrossOver(const uint8_t *,
                            size_t,
                            const uint8_t *,
                            size_t,
                            uint8_t *,
                            size_t,
                            unsigned) __asm__("LLVMFuzzerCustomCrossOver.perfidy")
    __attribute__((weak));
}

namespace perfidy {
namespace {

enum Strategy { kEngine, kPattern, kClimb, kStrategies };

constexpr size_t kLargestSearchSize = 8192;
constexpr size_t kQueue = 256;

struct Search {
  bool on = false, mutated = false;
  size_t size = 1024; ///< size at which patterns compete
  Archive archive;
  // What the last proposed input stands for.
  Strategy strategy = kEngine;
  Pattern pattern;
  uint64_t hash = 0;
  uint64_t proposals = 0;
  unsigned octave = 0;                    ///< of the last climb
  uint32_t stale[Archive::kOctaves] = {}; ///< climbs since the octave last improved
  double tries[kStrategies] = {1, 1, 1}, wins[kStrategies] = {1, 1, 1};
  // Patterns found in the corpus, still to be run at the search size.
  Pattern queue[kQueue];
  size_t queued = 0;
};

Search search;

bool flagIs(const char *name, const char *value) {
  const char *given = perfidy_flag(name);
  return given && strcmp(given, value) == 0;
}

// Coverage first; later at least a fifth for the engine, the rest by success.
Strategy chooseStrategy(Random &random) {
  size_t engineShare = search.proposals < 4000 ? 60 : 20;
  if (random.below(100) < engineShare)
    return kEngine;
  double pattern = search.wins[kPattern] / search.tries[kPattern];
  double climb = search.wins[kClimb] / search.tries[kClimb];
  double share = pattern / (pattern + climb);
  share = share < 0.2 ? 0.2 : share > 0.9 ? 0.9 : share;
  return static_cast<double>(random.below(1000)) < share * 1000 ? kPattern : kClimb;
}

// Successes fade, so that a strategy that has run dry loses its share.
void credit(Strategy strategy, double won) {
  search.tries[strategy] += 1;
  search.wins[strategy] += won;
  if (search.tries[strategy] > 2000) {
    search.tries[strategy] /= 2;
    search.wins[strategy] /= 2;
  }
}

size_t proposeEngine(uint8_t *data, size_t size, size_t maxSize, unsigned seed) {
  if (perfidyUserMutator)
    return perfidyUserMutator(data, size, maxSize, seed);
  return LLVMFuzzerMutate ? LLVMFuzzerMutate(data, size, maxSize) : 0;
}

size_t proposePattern(uint8_t *data, size_t size, size_t maxSize, Random &random) {
  size_t target = search.size < maxSize ? search.size : maxSize;
  TokenSource source{data, size};
  if (search.queued > 0) {
    search.pattern = search.queue[--search.queued];
  } else {
    Cell *parent = random.oneIn(6) ? nullptr : search.archive.pick(random, target);
    search.pattern = parent ? mutatePattern(parent->pattern, source, search.archive, random)
                            : freshPattern(source, search.archive, random);
  }
  renderPattern(search.pattern, data, target);
  return target;
}

// Octaves that still improve come first; the others are not given up.
unsigned chooseOctave(unsigned top, Random &random) {
  unsigned octave = 3 + static_cast<unsigned>(random.below(top - 2));
  for (unsigned other = 3; other <= top && !random.oneIn(3); ++other)
    if (search.stale[other] < search.stale[octave])
      octave = other;
  search.octave = octave;
  ++search.stale[octave];
  return octave;
}

// Hill climbing on total cost at a power-of-two size (ties accepted).
size_t proposeClimb(uint8_t *data, size_t size, size_t maxSize, Random &random) {
  unsigned top = log2Floor(search.size < maxSize ? search.size : maxSize);
  if (top < 3 || size == 0)
    return 0;
  unsigned octave = chooseOctave(top, random);
  size_t target = size_t(1) << octave;
  const Input &base = search.archive.dearest(octave);
  const Input &half = search.archive.dearest(octave - 1);
  if (base.length == 0 || random.oneIn(64)) {
    // Start from the smaller champion, doubled in one of two ways, or from the engine's input.
    bool doubled = half.length != 0 && random.oneIn(2), spread = random.oneIn(2);
    uint8_t copy[kLargestSearchSize];
    for (size_t i = 0; i < target; ++i)
      copy[i] = doubled ? half.bytes[spread ? i / 2 : i % half.length] : data[i % size];
    memcpy(data, copy, target);
  } else {
    memcpy(data, base.bytes, target);
  }
  for (size_t changes = random.oneIn(3) ? 1 + random.below(4) : 1; changes > 0; --changes) {
    size_t changed =
        random.oneIn(8) && LLVMFuzzerMutate ? LLVMFuzzerMutate(data, target, target) : 0;
    if (changed == 0)
      mutateInPlace(data, target, random);
    for (size_t i = changed; changed != 0 && i < target; ++i)
      data[i] = data[i % changed];
  }
  return target;
}

size_t propose(uint8_t *data, size_t size, size_t maxSize, unsigned seed) {
  Random random(seed);
  search.mutated = true;
  ++search.proposals;
  search.strategy = search.queued > 0 ? kPattern : chooseStrategy(random);
  size_t made = 0;
  if (search.strategy == kPattern)
    made = proposePattern(data, size, maxSize, random);
  else if (search.strategy == kClimb)
    made = proposeClimb(data, size, maxSize, random);
  if (made == 0) {
    search.strategy = kEngine;
    made = proposeEngine(data, size, maxSize, seed);
  }
  search.hash = perfidy_hash(data, made);
  return made;
}

void learnFromCorpus(const perfidy_observation &seen) {
  Pattern pattern;
  if (search.queued < kQueue && recoverPattern(seen.data, seen.length, pattern))
    search.queue[search.queued++] = pattern;
}

} // namespace
} // namespace perfidy

using perfidy::search;

extern "C" void perfidy_search_start(void) {
  // Replaying with a trace is measuring, not searching.
  if (perfidy::flagIs("search", "0") || getenv("PERFIDY_TRACE"))
    return;
  const char *size = perfidy_flag("size");
  if (size)
    search.size = strtoull(size, nullptr, 10);
  if (search.size < 16)
    search.size = 16;
  if (search.size > perfidy::kLargestSearchSize)
    search.size = perfidy::kLargestSearchSize;
  search.on = search.archive.start(search.size);
}

extern "C" void perfidy_search_observe(const perfidy_observation *seen) {
  if (!search.on)
    return;
  perfidy::publishFeatures(*seen);
  bool dearer = search.archive.offerInput(*seen);
  if (!search.mutated) {
    perfidy::learnFromCorpus(*seen);
    return;
  }
  if (perfidy_hash(seen->data, seen->length) != search.hash)
    return;
  if (search.strategy == perfidy::kPattern) {
    perfidy::Random random(search.hash);
    unsigned won = search.archive.offerPattern(search.pattern, *seen, random);
    perfidy::credit(perfidy::kPattern, won > 0);
  } else if (search.strategy == perfidy::kClimb) {
    perfidy::credit(perfidy::kClimb, dearer);
    if (dearer)
      search.stale[search.octave] = 0;
  }
}

extern "C" size_t
LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t maxSize, unsigned seed) {
  if (!search.on)
    return perfidy::proposeEngine(data, size, maxSize, seed);
  return perfidy::propose(data, size, maxSize, seed);
}

extern "C" size_t LLVMFuzzerCustomCrossOver(const uint8_t *first,
                                            size_t firstSize,
                                            const uint8_t *second,
                                            size_t secondSize,
                                            uint8_t *out,
                                            size_t maxOut,
                                            unsigned seed) {
  if (perfidyUserCrossOver)
    return perfidyUserCrossOver(first, firstSize, second, secondSize, out, maxOut, seed);
  // Splice: head of one, tail of the other.
  perfidy::Random random(seed);
  size_t head = random.below(firstSize + 1), tail = random.below(secondSize + 1);
  if (head > maxOut)
    head = maxOut;
  if (tail > maxOut - head)
    tail = maxOut - head;
  memcpy(out, first, head);
  memcpy(out + head, second + (secondSize - tail), tail);
  search.hash = 0;
  return head + tail;
}
