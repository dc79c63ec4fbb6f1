// Which blocks and edges of a function get a counter, and how all block counts follow from them.
//
// Knuth's observation (Knuth and Stevenson, BIT 1973; Ball and Larus, TOPLAS 1994): what flows into
// a node flows out of it, so the counts of a spanning tree of the flow graph follow from the counts
// of the other edges. The dearest edges go into the tree.
//
// Here a block is two nodes, joined by an edge that is the block itself: so a counter can stand in
// a block or on an edge, whatever is cheaper. All outside is one node, the root, where nothing
// needs to balance. Into it fall
//   - the in-node of the entry block and of blocks entered in ways that cannot be counted on an
//   edge
//     (indirectbr, asm goto, landing pads of several invokes): these have a counter of their own;
//   - the out-node of blocks that control may leave in the middle (returning.h) or over such edges.
// Functions that are entered in the middle (setjmp, coroutines) get one counter per block.
#pragma once

#include "passes/regions.h"
#include "passes/returning.h"

#include <vector>

namespace perfidy {

/// A place to count at: the block itself, or the edge from it to another block. Whatever way
/// control takes through a function, it passes one of them: a function whose counters are all zero
/// has not run.
struct CountingPoint {
  llvm::BasicBlock *block = nullptr;
  llvm::BasicBlock *successor = nullptr; ///< null: the block
};

/// Values are the counters, then sums of them: see perfidy_function in runtime/abi.h.
struct FlowPlan {
  std::vector<CountingPoint> counters;
  std::vector<unsigned> blockValues; ///< per block its value, or PERFIDY_NONE: never runs
  std::vector<unsigned> terms;       ///< coded as in runtime/abi.h
  unsigned valueCount = 0;
  bool perBlock = false; ///< fell back to one counter per block
  bool splits = false;   ///< control may leave blocks in the middle
};

/// What one counter per block would be.
FlowPlan planPerBlock(const FunctionRegions &regions);

/// The cheapest plan by estimated frequencies (branch weights of a profile, if there is one).
FlowPlan planFlow(llvm::Function &function,
                  const FunctionRegions &regions,
                  llvm::LoopInfo &loops,
                  const Returning &returning);

} // namespace perfidy
