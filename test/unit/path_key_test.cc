// Path keys: 128 bits that stand for the set of executed blocks, whatever the link order.
#include "runtime/trace.h"
#include "test/unit/trace_bytes.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <random>
#include <set>

namespace perfidy {
namespace {

using sample::plainFunction;
using sample::plainRun;
using sample::traceTable;

Trace sampleTrace(const std::string &bytes) { return readTraceBytes(bytes, "sample.trace"); }

using BlockSet = std::vector<std::pair<uint32_t, uint32_t>>; // function, block

// The key of a set of blocks when the functions are linked in the given order.
std::string keyOf(const BlockSet &set, const std::vector<uint32_t> &order, uint32_t blocks) {
  static const std::vector<std::string> kNames = {"f", "g", "_ZN1a1bEi", "f"};
  static const std::vector<std::string> kFiles = {"a.c", "a.c", "b.cc", "b.c"};
  Trace trace;
  Run run;
  for (uint32_t id : order) {
    Function function;
    function.name = kNames[id];
    function.file = kFiles[id];
    function.firstBlock = trace.blockTotal;
    function.blocks.resize(blocks);
    for (const auto &[owner, block] : set)
      if (owner == id)
        run.blocks.emplace_back(trace.blockTotal + block, 1 + block * 3);
    trace.blockTotal += blocks;
    trace.functions.push_back(function);
  }
  std::sort(run.blocks.begin(), run.blocks.end());
  return pathKey(trace, run);
}

TEST(PathKey, DoesNotDependOnTheOrderOfFunctions) {
  const BlockSet set = {{0, 0}, {0, 3}, {1, 0}, {2, 1}, {2, 2}, {3, 0}};
  std::vector<uint32_t> order = {0, 1, 2, 3};
  const std::string expected = keyOf(set, order, 4);
  EXPECT_EQ(expected.size(), 32u);
  while (std::next_permutation(order.begin(), order.end()))
    EXPECT_EQ(keyOf(set, order, 4), expected);
}

TEST(PathKey, IsAKeyOfTheSetNotOfTheCounts) {
  Trace trace =
      sampleTrace(traceTable({plainFunction("f", "a.c", 3, 0)}) + plainRun(1, {{0, 1}, {1, 7}}) +
                  plainRun(2, {{0, 9}, {1, 1}}) + plainRun(1, {{0, 1}, {2, 7}}));
  EXPECT_EQ(pathKey(trace, trace.runs[0]), pathKey(trace, trace.runs[1]));
  EXPECT_NE(pathKey(trace, trace.runs[0]), pathKey(trace, trace.runs[2]));
}

// Same block number, name or file elsewhere is another block.
TEST(PathKey, TellsBlocksOfDifferentFunctionsApart) {
  std::set<std::string> keys;
  for (uint32_t function = 0; function < 4; ++function)
    keys.insert(keyOf({{function, 1}}, {0, 1, 2, 3}, 4));
  EXPECT_EQ(keys.size(), 4u);
}

// All pairs of 256 blocks, where structured collisions would show first, and random sets.
TEST(PathKey, HasNoCollisionsOverManySets) {
  std::mt19937_64 random(20240229);
  std::vector<std::string> functions;
  for (int i = 0; i < 16; ++i)
    functions.push_back(plainFunction("f" + std::to_string(i), "a.c", 16, 0));
  Trace trace = sampleTrace(traceTable(functions));
  std::set<std::vector<uint32_t>> sets;
  std::set<std::string> keys;
  auto add = [&](const std::vector<uint32_t> &blocks) {
    if (!sets.insert(blocks).second)
      return;
    perfidy::Run run;
    for (uint32_t block : blocks)
      run.blocks.emplace_back(block, 1);
    keys.insert(pathKey(trace, run));
  };
  for (uint32_t a = 0; a < 256; ++a)
    for (uint32_t b = 0; b <= a; ++b)
      add(a == b ? std::vector{a} : std::vector{b, a});
  while (sets.size() < 100000) {
    std::vector<uint32_t> blocks;
    uint64_t density = random() % 64;
    for (uint32_t block = 0; block < 256; ++block)
      if (random() % 64 <= density)
        blocks.push_back(block);
    add(blocks);
  }
  EXPECT_EQ(keys.size(), sets.size());
}

} // namespace
} // namespace perfidy
