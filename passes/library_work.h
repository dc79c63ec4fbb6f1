// Argument-dependent work of library functions (strlen, memcpy, realloc...): which calls have it,
// and the IR that computes it in bytes around the call, without changing what the program does.
#pragma once

#include "passes/llvm_compat.h"

namespace perfidy {

/// Bytes of a call whose size is a small constant (a struct copied, a keyword compared); otherwise
/// 0. It is part of the weight of the block (block_cost.h) and not counted.
uint64_t smallLibraryWork(const llvm::CallBase &call);

/// True if the call has other work, and it can be computed (a known function or memory intrinsic
/// with plausible argument types, not redefined in this module).
bool hasLibraryWork(const llvm::CallBase &call);

/// The name under which the call is listed: the callee's, or "memcpy", "memmove", "memset" for
/// intrinsics.
llvm::StringRef libraryName(const llvm::CallBase &call);

/// Inserts the computation of the call's work (i64, bytes) and returns it together with the point
/// where the result is available; {nullptr, nullptr} when there is no such point (an invoke whose
/// result would be needed).
std::pair<llvm::Value *, llvm::Instruction *> emitLibraryWork(llvm::CallBase &call);

} // namespace perfidy
