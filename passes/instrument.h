// The module pass: which functions are instrumented and why not, own names for inline functions,
// renamed fuzz entry points.
//
//   before                                   after
//   define i32 @f(i32 %n) {                  @__perfidy.counters = private global [3 x i64] zero
//   entry:                                   @__perfidy.function = private global {...},
//     br label %loop                                   section "perfidy_funcs"
//   loop:                                    define i32 @f(i32 %n) {
//     ...                                    entry:
//     br i1 %c, label %loop, label %exit       %0 = load i64, &counters[0]
//   exit:                                      store i64 %0 + 1, &counters[0]
//     ret i32 %r                               br label %loop
//   }                                        ... one increment per block
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

class InstrumentPass : public llvm::PassInfoMixin<InstrumentPass> {
public:
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &manager);
  static bool isRequired() { return true; }
};

} // namespace perfidy
