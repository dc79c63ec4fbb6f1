// Own names for inline functions (the reason stands at the head of instrument.h).
#pragma once

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/Module.h"

#include <string>
#include <vector>

namespace perfidy {

/// Decides which functions of a module are merged across translation units, and renames them.
class OwnNames {
public:
  /// Decides; renames nothing yet, so that tables can hold the names as the user wrote them.
  OwnNames(llvm::Module &module, const std::vector<llvm::Function *> &targets);

  /// True if copies of the function in other translation units may replace this one.
  bool isShared(const llvm::Function &function) const;

  /// Name of the counters' comdat; remembers the structural hash for apply().
  std::string countersName(const llvm::Function &function, uint64_t hash) const;

  /// Renames functions, their comdats and the vtables that mention them.
  void apply();

private:
  void renameFunction(llvm::Function &function);
  void renameTables();

  llvm::Module &module;
  std::vector<llvm::Function *> renamed; ///< in module order
  llvm::SmallPtrSet<const llvm::Function *, 16> isRenamed;
  mutable llvm::DenseMap<const llvm::Function *, uint64_t> hashes;
};

} // namespace perfidy
