// Where counters go: one 64-bit counter per block and one per library call with argument-dependent
// work, bumped in line without any call.
#pragma once

#include "passes/regions.h"

#include "llvm/IR/GlobalVariable.h"

namespace perfidy {

/// Adds the increments to the function the regions were collected from. A block's counter is bumped
/// when the block is entered, so a count is exact however control leaves the block afterwards
/// (exception, longjmp, noreturn call).
void insertCounters(const FunctionRegions &regions, llvm::GlobalVariable &counters);

} // namespace perfidy
