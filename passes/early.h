// What runs before blocks are counted in the stable place: a pipeline of our own, the same at every
// optimisation level, and so are the counts behind it.
//
// Locals become values, trivial blocks go, and small functions without loops are inlined: what C++
// is made of would else be counted call by call, at a multiple of its cost, and would keep the
// optimiser from seeing through it. Functions with loops or recursion stay functions, because that
// is where cost comes from and what reports name.
#pragma once

#include "llvm/IR/PassManager.h"

namespace perfidy {

/// Adds the clean-up, with inlining if asked.
void addEarlyPasses(llvm::ModulePassManager &passes, bool inlining);

} // namespace perfidy
