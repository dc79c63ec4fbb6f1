// Small questions about calls.
#pragma once

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstrTypes.h"

namespace perfidy {

/// True if some call of the function satisfies the predicate.
template <typename Predicate> bool anyCall(const llvm::Function &function, Predicate holds) {
  for (const llvm::Instruction &instruction : llvm::instructions(function)) {
    const auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    if (call && holds(*call))
      return true;
  }
  return false;
}

inline bool callsItself(const llvm::Function &function) {
  return anyCall(function,
                 [&](const llvm::CallBase &call) { return call.getCalledFunction() == &function; });
}

} // namespace perfidy
