// Function records as the pass would emit them, with counters that tests set. They stand in the
// table of images as the runtime would leave them.
#pragma once

#include "fuzzer/feedback.h"

#include <string>
#include <vector>

namespace perfidy::sample {

constexpr uint32_t kBlocks = 3, kManyLoops = 6000;

/// Block counts, and one work count behind them.
inline uint64_t counts[4][kBlocks + 1];
inline const perfidy_block kBlock[kBlocks] = {};
/// Header block 1 entered from block 0, and header block 2 without a single entry.
inline const perfidy_loop kLoops[2] = {{1, 0, PERFIDY_NONE, 1, 0, 0, 0, 0},
                                       {2, PERFIDY_NONE, PERFIDY_NONE, 1, 0, 0, 0, 0}};
inline perfidy_loop manyLoops[kManyLoops];

constexpr perfidy_function
record(const char *name, uint64_t *counts, const perfidy_loop *loops, uint32_t loopCount) {
  perfidy_function made = {};
  made.abi_version = PERFIDY_ABI_VERSION;
  made.counts = counts;
  made.blocks = kBlock;
  made.loops = loops;
  made.name = name;
  made.file = "sample.c";
  made.block_count = kBlocks;
  made.loop_count = loopCount;
  made.work_count = 1;
  return made;
}

enum Id : uint32_t { kAlpha, kBeta, kAlphaAgain, kMany };

/// kAlphaAgain has the name of kAlpha: what the same function looks like in another link order.
inline perfidy_function records[] = {record("alpha", counts[kAlpha], kLoops, 2),
                                     record("beta", counts[kBeta], kLoops, 2),
                                     record("alpha", counts[kAlphaAgain], kLoops, 2),
                                     record("many", counts[kMany], manyLoops, kManyLoops)};

/// Makes the records known, with all counts at zero.
inline void clearCounters() {
  static perfidy_function *byId[] = {&records[0], &records[1], &records[2], &records[3]};
  perfidy_images.functions = byId;
  perfidy_images.function_count = 4;
  for (auto &each : counts)
    for (uint64_t &count : each)
      count = 0;
}

/// Sets entries, the two loops' header counts and the bytes of library work of a function.
inline void
set(Id id, uint64_t entries, uint64_t loop = 0, uint64_t bareLoop = 0, uint64_t bytes = 0) {
  counts[id][0] = entries;
  counts[id][1] = loop;
  counts[id][2] = bareLoop;
  counts[id][kBlocks] = bytes;
}

/// A run over the given functions. The bytes stay with it.
struct Seen {
  std::string bytes;
  std::vector<uint32_t> ids;
  uint64_t cost;
  Seen(const std::string &bytes, uint64_t cost, const std::vector<uint32_t> &ids = {})
      : bytes(bytes), ids(ids), cost(cost) {}
  perfidy_observation get() const {
    return {reinterpret_cast<const uint8_t *>(bytes.data()),
            bytes.size(),
            bytes.size(),
            cost,
            ids.data(),
            static_cast<uint32_t>(ids.size())};
  }
};

} // namespace perfidy::sample
