// The static table of one function: blocks, loop nest, call sites, source ranges.
//
// Collected before counters are added; emitted by table.h. Owned by the pass.
#pragma once

#include "passes/block_cost.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Function.h"

#include <string>
#include <vector>

namespace perfidy {

struct BlockRegion {
  unsigned line = 0, endLine = 0;
  unsigned loop;
  BlockCost cost;
};

struct LoopRegion {
  unsigned header, preheader, parent, depth;
  unsigned line = 0, endLine = 0, column = 0;
};

struct CallRegion {
  std::string callee; ///< empty: indirect
  unsigned block, line = 0, column = 0, kind, work;
  llvm::CallBase *workCall = nullptr; ///< call whose library work is to be counted
};

/// Indexes of blocks are their positions in `order`.
struct FunctionRegions {
  std::vector<llvm::BasicBlock *> order;
  std::vector<BlockRegion> blocks;
  std::vector<LoopRegion> loops;
  std::vector<CallRegion> calls;
  unsigned workCount = 0;
  unsigned line = 0, endLine = 0;
  std::string file, directory;
  bool writes = false; ///< stores to memory other than its own locals and its return slot
  /// Its loops read, or its callees are given, what pointers found in memory or global variables
  /// lead to: it walks a structure rather than the bytes that its arguments point to.
  bool follows = false;

  /// Structural hash: equal tables, equal hash; part of the name of merged inline functions, since
  /// two translation units may have compiled the same function differently.
  uint64_t hash() const;
};

/// Collects the table. Loops must already have preheaders where they can have one.
FunctionRegions collectRegions(llvm::Function &function, llvm::LoopInfo &loops);

} // namespace perfidy
