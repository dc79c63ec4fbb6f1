#include "passes/instrument.h"
#include "passes/counters.h"
#include "passes/llvm_compat.h"
#include "passes/own_names.h"
#include "passes/progress.h"
#include "passes/table.h"
#include "runtime/abi.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"

namespace perfidy {
namespace {

// Names by which engines find the user's hooks; the runtime defines the public ones around them.
constexpr const char *kHooks[] = {"LLVMFuzzerTestOneInput",
                                  "LLVMFuzzerInitialize",
                                  "LLVMFuzzerCustomMutator",
                                  "LLVMFuzzerCustomCrossOver"};

// Marks functions that have counters. On the function, not the module: it must hold when bitcode of
// instrumented and other modules is linked and then compiled with us again.
constexpr const char *kCounted = "perfidy-counted";

void renameHooks(llvm::Module &module) {
  for (const char *hook : kHooks) {
    llvm::Function *function = module.getFunction(hook);
    if (function && !function->isDeclaration())
      function->setName(std::string(hook) + PERFIDY_RENAMED_SUFFIX);
  }
}

// Why a defined function is left alone: it is ours or was done before, it has no prologue to speak
// of (naked), it opted out, or nothing in this module can reach its body.
bool isInstrumentable(const llvm::Function &function) {
  if (function.isDeclaration() || function.getName().find("__perfidy.") == 0 ||
      function.hasFnAttribute(kCounted))
    return false;
  if (function.hasFnAttribute(llvm::Attribute::Naked) ||
      function.hasFnAttribute(llvm::Attribute::NoProfile))
    return false;
  if (function.hasAvailableExternallyLinkage() && function.use_empty())
    return false;
  return function.getName() != "__clang_call_terminate";
}

// What the user declared const or pure counts now, and so writes memory; with the promise the
// optimiser would merge, hoist or drop calls, at each level others. Declarations too: their
// definition may be instrumented in another module. The optimiser knows the C library by itself.
void forgetPromises(llvm::Module &module) {
  for (llvm::Function &function : module) {
    if (!function.isIntrinsic())
      forgetMemoryEffects(function);
    for (llvm::Instruction &instruction : llvm::instructions(function)) {
      auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
      if (call && !call->isInlineAsm() && !llvm::isa<llvm::IntrinsicInst>(call))
        forgetMemoryEffects(*call);
    }
  }
}

// A loop entered from several places gets one preheader, so that its entries can be counted.
void addPreheaders(llvm::LoopInfo &loops, llvm::DominatorTree &dominators) {
  for (llvm::Loop *loop : loops.getLoopsInPreorder())
    if (!loop->getLoopPreheader())
      llvm::InsertPreheaderForLoop(loop, &dominators, &loops, nullptr, /*PreserveLCSSA=*/false);
}

// The name as the user wrote it: hooks were renamed above.
std::string userName(const llvm::Function &function, bool harness) {
  return harness ? std::string(kHooks[0]) : function.getName().str();
}

void instrument(llvm::Function &function,
                const OwnNames &names,
                const Returning &returning,
                const InstrumentOptions &options) {
  llvm::DominatorTree dominators(function);
  llvm::LoopInfo loops(dominators);
  addPreheaders(loops, dominators);
  FunctionRegions regions = collectRegions(function, loops);
  bool harness = function.getName() == "LLVMFuzzerTestOneInput" PERFIDY_RENAMED_SUFFIX;
  TablePlacement placement;
  placement.harness = harness;
  if (names.isShared(function))
    placement.sharedName = names.countersName(function, regions.hash());
  std::string user = userName(function, harness);
  FlowPlan plan =
      options.perBlock ? planPerBlock(regions) : planFlow(function, regions, loops, returning);
  llvm::GlobalVariable *counters = emitTable(*function.getParent(), regions, plan, user, placement);
  std::vector<llvm::BasicBlock *> shown;
  if (options.optimisedLater)
    shown = longLoops(function, loops, dominators);
  insertCounters(regions, plan, *counters);
  showCounters(shown, *counters);
  function.addFnAttr(kCounted);
}

} // namespace

llvm::PreservedAnalyses InstrumentPass::run(llvm::Module &module, llvm::ModuleAnalysisManager &) {
  renameHooks(module);
  std::vector<llvm::Function *> targets;
  for (llvm::Function &function : module)
    if (isInstrumentable(function))
      targets.push_back(&function);
  if (targets.empty())
    return llvm::PreservedAnalyses::all();
  forgetPromises(module);
  OwnNames names(module, targets);
  Returning returning(module);
  for (llvm::Function *function : targets)
    instrument(*function, names, returning, options);
  names.apply();
#ifndef NDEBUG
  if (llvm::verifyModule(module, &llvm::errs()))
    module.getContext().emitError("perfidy: instrumentation produced an invalid module");
#endif
  return llvm::PreservedAnalyses::none();
}

} // namespace perfidy
