// What runs before blocks are counted in the stable place: a pipeline of our own, the same at every
// optimisation level, and so are the counts behind it.
//
// Locals become values, trivial blocks go, and small functions are inlined that have neither loops
// nor, in the user's code, calls: what C++ is made of would else be counted call by call, at a
// multiple of its cost, and would keep the optimiser from seeing through it. Whatever cost can come
// from or be asked for by (loops, recursion, callers) stays a function of its own, because reports
// name it. Inlined code is counted at the place that called it.
#pragma once

#include "llvm/IR/PassManager.h"

namespace perfidy {

/// Adds the clean-up, with inlining if asked.
void addEarlyPasses(llvm::ModulePassManager &passes, bool inlining);

} // namespace perfidy
