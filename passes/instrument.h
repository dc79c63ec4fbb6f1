// The module pass: which functions are instrumented and why not, own names for inline functions,
// renamed fuzz entry points.
//
// Per function: regions (regions.h), then the plan where to count (flow.h), then data (table.h),
// then the increments (counters.h, with the IR before and after).
//
// Own names: the linker keeps the first copy of an inline function that it sees; if that one came
// from an uninstrumented object, nothing would be counted. So every instrumented linkonce function
// (and available_externally one, whose body would otherwise be dropped) becomes
// "<name>.perfidy.<structural hash>" in a comdat of its own, and its counters live in another
// comdat (were they in the function's, a translation unit that inlined all calls would keep the
// group without the function). Vtables that mention renamed functions get own names for the same
// reason.
#pragma once

#include "llvm/IR/PassManager.h"

namespace perfidy {

struct InstrumentOptions {
  bool perBlock = false;      ///< one counter per block everywhere: the plain way, to compare with
  bool optimisedLater = true; ///< so progress of loops must be kept in memory (progress.h)
};

class InstrumentPass : public llvm::PassInfoMixin<InstrumentPass> {
public:
  explicit InstrumentPass(InstrumentOptions options) : options(options) {}
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &manager);
  static bool isRequired() { return true; }

private:
  InstrumentOptions options;
};

} // namespace perfidy
