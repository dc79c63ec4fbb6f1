// Static weight of a block: a table of weights as data. Owned by the pass; applied when a trace is
// read, never while counting.
#pragma once

#include <cstdint>

namespace llvm {
class BasicBlock;
}

namespace perfidy {

struct BlockCost {
  uint16_t instructions = 0; ///< weighted IR instructions, saturating
  uint16_t memory = 0;       ///< loads, stores, atomics
  uint16_t calls = 0;        ///< calls and invokes that are not intrinsics
};

/// Weight of one execution of the block, from its IR before counters are added.
BlockCost blockCost(const llvm::BasicBlock &block);

} // namespace perfidy
