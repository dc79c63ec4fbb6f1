// Keeps the counters of long loops in memory while the loops run.
//
// In the stable place the optimiser comes after us. It moves the counters of a loop that neither
// calls nor writes elsewhere into registers, and writes them when the loop ends: good for speed,
// but the cost budget (runtime/session.h) would not see a loop that does not end. So every loop
// that may run long is made to show its counters once an iteration. A loop without loops or calls
// inside whose number of iterations is known when it is entered is left to the optimiser, which
// then often counts it by one multiplication.
#pragma once

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/GlobalVariable.h"

#include <vector>

namespace perfidy {

/// The headers of the loops of a function that may run long, and its entry if it calls itself.
/// Looks at the code as the user wrote it: call it before counters are inserted.
std::vector<llvm::BasicBlock *>
longLoops(llvm::Function &function, llvm::LoopInfo &loops, llvm::DominatorTree &dominators);

/// Makes each of these blocks an observer of the counters, at no instruction.
void showCounters(const std::vector<llvm::BasicBlock *> &headers, llvm::GlobalVariable &counters);

} // namespace perfidy
