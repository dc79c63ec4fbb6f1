// Emits the counters and the static table of one function as data (see runtime/abi.h).
#pragma once

#include "passes/flow.h"

#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Module.h"

namespace perfidy {

/// Where the data of a function lives.
struct TablePlacement {
  /// Non-empty: the function may be merged with copies in other translation units; counters and
  /// table then are linkonce in a comdat of this name (so that all copies share them). Empty:
  /// private.
  std::string sharedName;
  bool harness = false;
};

/// Creates the counters [counters of the plan, work counters] and the record in section
/// PERFIDY_SECTION. Returns the counters (type [N x i64]). `userName` is the linkage name as the
/// user wrote it.
llvm::GlobalVariable *emitTable(llvm::Module &module,
                                const FunctionRegions &regions,
                                const FlowPlan &plan,
                                llvm::StringRef userName,
                                const TablePlacement &placement);

} // namespace perfidy
