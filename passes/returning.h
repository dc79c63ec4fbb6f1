// Which calls may leave the calling function in the middle of a block: by an exception that passes
// through, longjmp, exit, the end of a thread. There the flow into a block says nothing about the
// flow out of it (flow.h), so exact counts need to know.
#pragma once

#include "llvm/ADT/DenseSet.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"

namespace perfidy {

/// Facts about one module. Everything that is not known to return is taken not to.
class Returning {
public:
  explicit Returning(const llvm::Module &module);

  /// True if the call may end the activation of its caller. Calls that end the process with a
  /// signal (abort, failed assertions, traps) do not: such a run is never read as a complete one.
  bool mayLeave(const llvm::CallBase &call) const;

private:
  bool leavesOnlyByReturning(const llvm::Function &function) const;

  /// Functions of this module that, once they end, end by returning (or with the process).
  llvm::DenseSet<const llvm::Function *> returning;
};

} // namespace perfidy
