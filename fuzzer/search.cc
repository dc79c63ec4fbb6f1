// The search: a portfolio under one archive, as the engine's custom mutator.
//
// Each call of the mutator proposes one input and remembers what it stands for; the run that
// follows is matched by hash and credited. Nothing is run behind the engine's back, so its crash
// and timeout handling stay right. Effort follows what pays: the shares of the strategies move with
// their successes. Everything follows from the engine's seed.
#include "fuzzer/search.h"
#include "fuzzer/climb.h"
#include "fuzzer/grow.h"
#include "fuzzer/mutate.h"
#include "fuzzer/parameter_search.h"
#include "fuzzer/search_files.h"
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

enum Strategy {
  kEngine,
  kPattern,
  kClimb,
  kGrow,
  kByteStrategies,
  kParameters = kByteStrategies,
  kStrategies
};

constexpr size_t kQueue = 4096;

/// A pattern to be run at the search size or at half of it.
struct Queued {
  Pattern pattern;
  bool half = false;
};

struct Search {
  bool on = false, mutated = false;
  bool usePatterns = true, useClimb = true, useFeedback = true;
  bool onlyAscii = false;
  size_t size = 1024; ///< size at which patterns compete
  Archive archive;
  Climber climber;
  Grower grower;
  ParameterSearch parameters;
  TokenPool tokens;
  SearchFiles files;
  // What the last proposed input stands for.
  Strategy strategy = kEngine;
  Queued last;
  uint64_t hash = 0;
  uint64_t proposals = 0;
  double tries[kStrategies] = {1, 1, 1, 1, 1}, wins[kStrategies] = {1, 1, 1, 1, 1};
  uint64_t kept[Archive::kLevels][2] = {}; ///< costs of the inputs written to files
  // Patterns of the corpus and of earlier processes, still to be run; a ring.
  Queued *queue = nullptr;
  size_t queued = 0, head = 0;
};

Search search;

bool flagIs(const char *name, const char *value) {
  const char *given = perfidy_flag(name);
  return given && strcmp(given, value) == 0;
}

void enqueue(const Pattern &pattern, bool half) {
  if (search.queued == kQueue)
    return;
  search.queue[(search.head + search.queued++) % kQueue] = {pattern, half};
}

bool inUse(int strategy) { return strategy == kPattern ? search.usePatterns : search.useClimb; }

// Coverage first; later at least a fifth for the engine, the rest by success per effort. Nothing is
// given up for good.
Strategy chooseStrategy(Random &random) {
  size_t engineShare = search.proposals < 4000 ? 60 : 20;
  if (random.below(100) < engineShare)
    return kEngine;
  double rate[kStrategies] = {}, sum = 0;
  for (int i = kPattern; i < kByteStrategies; ++i) {
    rate[i] = inUse(i) ? search.wins[i] / search.tries[i] : 0;
    sum += rate[i];
  }
  double drawn = static_cast<double>(random.below(1000)) / 1000;
  for (int i = kPattern; i < kByteStrategies; ++i) {
    double share = inUse(i) ? 0.1 + 0.7 * rate[i] / sum : 0;
    if (drawn < share)
      return static_cast<Strategy>(i);
    drawn -= share;
  }
  return kEngine;
}

// Successes per effort, so that dear runs have to pay; they fade, so that a strategy that has run
// dry loses its share.
void credit(Strategy strategy, unsigned won, uint64_t cost) {
  constexpr double kUsualCost = 50000;
  SearchStats &stats = search.files.stats();
  stats.successes[strategy] += won > 0;
  search.tries[strategy] += (won > 1 ? won : 1) + static_cast<double>(cost) / kUsualCost;
  search.wins[strategy] += won;
  if (search.tries[strategy] > 2000) {
    search.tries[strategy] /= 2;
    search.wins[strategy] /= 2;
  }
}

size_t proposeEngine(uint8_t *data, size_t size, size_t maxSize, unsigned seed) {
  if (perfidyUserMutator)
    return perfidyUserMutator(data, size, maxSize, seed);
  if (!LLVMFuzzerMutate)
    return 0;
  uint8_t before[512];
  bool watch = seed % 8 == 0 && size <= sizeof before;
  if (watch)
    memcpy(before, data, size);
  size_t made = LLVMFuzzerMutate(data, size, maxSize);
  if (watch)
    search.tokens.learnDifference(before, size, data, made);
  return made;
}

// Mutates the bytes that the target gets; a parameter vector behind them stays.
size_t proposeBody(uint8_t *data, size_t size, size_t maxSize, unsigned seed) {
  static uint8_t vector[PERFIDY_LONGEST_VECTOR];
  size_t body = perfidy_vector_begin(data, size), behind = size - body;
  if (behind == 0 || behind > sizeof vector || behind + 16 > maxSize)
    return proposeEngine(data, size, maxSize, seed);
  memcpy(vector, data + body, behind);
  size_t made = proposeEngine(data, body, maxSize - behind, seed);
  // Where the target got nothing there was no line end before the mark.
  const bool joined = made > 0 && vector[0] != '\n';
  if (joined)
    data[made < maxSize - behind ? made++ : made - 1] = '\n';
  memcpy(data + made, vector, behind);
  return made + behind;
}

size_t proposePattern(uint8_t *data, size_t size, size_t maxSize, Random &random) {
  size_t target = search.size < maxSize ? search.size : maxSize;
  TokenSource source{data, size, &search.tokens};
  if (search.queued > 0) {
    search.last = search.queue[search.head];
    search.head = (search.head + 1) % kQueue;
    --search.queued;
    if (search.last.half)
      target /= 2;
  } else {
    Cell *parent = random.oneIn(6) ? nullptr : search.archive.pick(random);
    search.last.half = false;
    search.last.pattern = parent ? mutatePattern(parent->pattern, source, search.archive, random)
                                 : freshPattern(source, search.archive, random);
  }
  renderPattern(search.last.pattern, data, target);
  return target;
}

size_t proposeClimb(uint8_t *data, size_t size, size_t maxSize, Random &random) {
  const Input *region = random.oneIn(3) ? search.archive.pickPlain(random) : nullptr;
  return search.climber.propose(search.archive, region, data, size, maxSize, random);
}

// The engine makes every proposal ASCII under -only_ascii, and ours has to be known again after
// that.
void keepAscii(uint8_t *data, size_t size) {
  for (size_t i = 0; i < size; ++i) {
    uint8_t byte = data[i] & 127;
    bool kept = (byte >= 32 && byte < 127) || (byte >= 9 && byte <= 13);
    data[i] = kept ? byte : (data[i] & 1 ? '!' : ' ');
  }
}

size_t propose(uint8_t *data, size_t size, size_t maxSize, unsigned seed) {
  Random random(seed);
  search.mutated = true;
  ++search.proposals;
  const bool named = search.parameters.active();
  search.strategy = named               ? (random.oneIn(8) ? kEngine : kParameters)
                    : search.queued > 0 ? kPattern
                                        : chooseStrategy(random);
  size_t made = 0;
  if (search.strategy == kParameters)
    made = search.parameters.propose(data, size, maxSize, random);
  if (search.strategy == kPattern)
    made = proposePattern(data, size, maxSize, random);
  else if (search.strategy == kClimb)
    made = proposeClimb(data, size, maxSize, random);
  else if (search.strategy == kGrow)
    made = search.grower.propose(
        search.archive, data, search.size < maxSize ? search.size : maxSize, random);
  if (made == 0) {
    search.strategy = kEngine;
    made = proposeBody(data, size, maxSize, seed);
  }
  if (search.onlyAscii)
    keepAscii(data, made);
  ++search.files.stats().proposals[search.strategy];
  search.hash = perfidy_hash(data, made);
  return made;
}

void learnFromCorpus(const perfidy_observation &seen) {
  Pattern pattern;
  if (search.usePatterns && recoverPattern(seen.data, seen.length, pattern))
    enqueue(pattern, false);
}

void keepBest(const perfidy_observation &seen, const Offered &offered) {
  if (!offered.dearer && !offered.cheaper)
    return;
  unsigned level = search.archive.levelOf(seen.length);
  uint64_t *kept = search.kept[level];
  // Half a percent at least, so that a long climb does not write at each step.
  if (offered.dearer && seen.cost > kept[0] + kept[0] / 200) {
    kept[0] = seen.cost;
    search.files.keepInput("dearest", search.archive.dearest(level));
  }
  if (offered.cheaper && (kept[1] == 0 || seen.cost < kept[1])) {
    kept[1] = seen.cost;
    search.files.keepInput("cheapest", search.archive.cheapest(level));
  }
}

void creditPattern(const perfidy_observation &seen) {
  if (search.last.half) {
    search.archive.noteHalf(search.last.pattern, seen.cost);
    return;
  }
  Random random(search.hash);
  unsigned won = search.archive.offerPattern(search.last.pattern, seen, random);
  if (won > 0)
    enqueue(search.last.pattern, true);
  credit(kPattern, won > 0, seen.cost);
}

void updateStats() {
  SearchStats &stats = search.files.stats();
  const Archive &archive = search.archive;
  stats.cells = archive.size();
  stats.classes = archive.classes();
  stats.searchSize = search.size;
  stats.dearest = archive.dearest(0).cost;
  stats.cheapest = archive.cheapest(0).cost;
  int steepest = 0;
  for (size_t i = 0; i < archive.size(); ++i)
    if (archive.cell(i).halfCost && Archive::growth(archive.cell(i)) > steepest)
      steepest = Archive::growth(archive.cell(i));
  stats.steepest = static_cast<uint64_t>(steepest);
}

// For a harness that draws named parameters bytes are no measure of anything.
void observeParameters(const perfidy_observation &seen) {
  unsigned won = search.parameters.observe(seen, !search.mutated);
  SearchStats &stats = search.files.stats();
  stats.cells = search.parameters.kept();
  if (search.mutated && search.strategy == kParameters &&
      perfidy_hash(seen.data, seen.length) == search.hash)
    credit(kParameters, won > 0, seen.cost);
}

void atEnd() {
  updateStats();
  search.files.writePatterns(search.archive, 0, true);
  for (unsigned level = 0; level < search.archive.levels(); ++level)
    if (search.archive.dearest(level).cost > search.kept[level][0])
      search.files.keepInput("dearest", search.archive.dearest(level));
}

// Flags of the engine that concern proposals of ours too.
void readEngineFlags(int argc, char **argv) {
  auto valueOf = [](const char *argument, const char *name) -> const char * {
    size_t length = strlen(name);
    return strncmp(argument, name, length) == 0 ? argument + length : nullptr;
  };
  for (int i = 1; i < argc; ++i) {
    if (const char *value = valueOf(argv[i], "-dict="))
      search.tokens.readDictionary(value);
    if (const char *value = valueOf(argv[i], "-only_ascii="))
      search.onlyAscii = strcmp(value, "0") != 0;
    if (const char *value = valueOf(argv[i], "-max_len="))
      search.size = strtoull(value, nullptr, 10);
  }
}

void readOwnFlags() {
  search.usePatterns = !flagIs("search_patterns", "0");
  search.useClimb = !flagIs("search_climb", "0");
  search.useFeedback = !flagIs("search_feedback", "0");
  search.archive.clustering = !flagIs("search_clustering", "0");
  if (const char *size = perfidy_flag("size"))
    search.size = strtoull(size, nullptr, 10);
  if (search.size < 16)
    search.size = 16;
  if (search.size > Archive::kLargest)
    search.size = Archive::kLargest;
}

} // namespace
} // namespace perfidy

using perfidy::search;

extern "C" void perfidy_search_start(int argc, char **argv) {
  // Replaying with a trace is measuring, not searching.
  if (perfidy::flagIs("search", "0") || getenv("PERFIDY_TRACE"))
    return;
  perfidy::readEngineFlags(argc, argv);
  perfidy::readOwnFlags();
  search.climber.engine = LLVMFuzzerMutate;
  search.queue =
      static_cast<perfidy::Queued *>(perfidy::mapMemory(perfidy::kQueue * sizeof(perfidy::Queued)));
  search.on = search.queue && search.archive.start(search.size) && search.parameters.start();
  if (!search.on)
    return;
  search.files.start();
  if (search.usePatterns)
    search.files.readPatterns(
        [](const perfidy::Pattern &pattern) { perfidy::enqueue(pattern, false); });
  atexit(perfidy::atEnd);
}

extern "C" void perfidy_search_observe(const perfidy_observation *seen) {
  if (!search.on)
    return;
  perfidy::SearchStats &stats = search.files.stats();
  ++stats.runs;
  if (search.useFeedback)
    perfidy::publishFeatures(*seen);
  if (search.parameters.active()) {
    perfidy::observeParameters(*seen);
    return;
  }
  perfidy::Offered offered = search.archive.offerInput(*seen);
  perfidy::keepBest(*seen, offered);
  if (stats.runs % 1024 == 0)
    perfidy::updateStats();
  search.files.writePatterns(search.archive, stats.runs, false);
  if (!search.mutated) {
    perfidy::learnFromCorpus(*seen);
    return;
  }
  if (perfidy_hash(seen->data, seen->length) != search.hash)
    return;
  if (search.strategy == perfidy::kPattern)
    perfidy::creditPattern(*seen);
  if (search.strategy == perfidy::kGrow) {
    // One full length in many proposals.
    constexpr unsigned kWorth = 20;
    search.grower.learn(*seen, search.archive);
    perfidy::credit(perfidy::kGrow, offered.dearer ? kWorth : 0, seen->cost);
  }
  if (search.strategy == perfidy::kClimb) {
    perfidy::credit(perfidy::kClimb, offered.dearer || offered.regions > 0, seen->cost);
    search.climber.learn(offered.dearer);
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
  perfidy::Random random(seed);
  // The engine crosses half of the time; that is not worth more than a share of our own proposals.
  if (search.on && (search.parameters.active() || !random.oneIn(8))) {
    size_t size = firstSize < maxOut ? firstSize : maxOut;
    memcpy(out, first, size);
    return perfidy::propose(out, size, maxOut, seed);
  }
  // Splice: head of one, tail of the other.
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
