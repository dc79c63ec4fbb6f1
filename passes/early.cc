#include "passes/early.h"
#include "passes/calls.h"
#include "passes/library_work.h"
#include "passes/llvm_compat.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/CGSCCPassManager.h"
#include "llvm/Analysis/InlineCost.h"
#include "llvm/Analysis/LazyCallGraph.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/IPO/InferFunctionAttrs.h"
#include "llvm/Transforms/IPO/Inliner.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"

namespace perfidy {
namespace {

constexpr const char *kKept = "perfidy-kept", *kKeptAlways = "perfidy-kept-always-inline";

// Names of the C++ standard library, libstdc++ and libc++.
constexpr const char *kStandard[] = {
    "_ZSt", "_ZNSt", "_ZNKSt", "_ZNSs", "_ZNKSs", "_ZN9__gnu_cxx", "_ZNK9__gnu_cxx"};

bool isStandardLibrary(llvm::StringRef name) {
  return llvm::any_of(kStandard, [&](llvm::StringRef prefix) { return name.find(prefix) == 0; });
}

bool hasLoop(llvm::Function &function) {
  llvm::DominatorTree dominators(function);
  return !llvm::LoopInfo(dominators).empty();
}

// A call that leaves the function for work of its own.
bool doesWork(const llvm::Instruction &instruction) {
  const auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
  return call && !call->isInlineAsm() &&
         (hasLibraryWork(*call) || !llvm::isa<llvm::IntrinsicInst>(call));
}

// Keeps a function from being inlined until ReleasePass.
void keep(llvm::Function &function) {
  if (function.hasFnAttribute(llvm::Attribute::NoInline))
    return;
  function.addFnAttr(function.hasFnAttribute(llvm::Attribute::AlwaysInline) ? kKeptAlways : kKept);
  function.removeFnAttr(llvm::Attribute::AlwaysInline);
  function.addFnAttr(llvm::Attribute::NoInline);
}

// Functions with loops and recursive ones: what cost comes from.
struct KeepPass : llvm::PassInfoMixin<KeepPass> {
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &) {
    for (llvm::Function &function : module)
      if (!function.isDeclaration() && (hasLoop(function) || callsItself(function)))
        keep(function);
    return llvm::PreservedAnalyses::none();
  }
};

// Functions of the user that have others do work, once what can be inlined into them was: they may
// be who asks for too much. The library's own only pass on what the user asks for.
struct KeepCallersPass : llvm::PassInfoMixin<KeepCallersPass> {
  llvm::PreservedAnalyses run(llvm::LazyCallGraph::SCC &component,
                              llvm::CGSCCAnalysisManager &,
                              llvm::LazyCallGraph &,
                              llvm::CGSCCUpdateResult &) {
    for (llvm::LazyCallGraph::Node &node : component) {
      llvm::Function &function = node.getFunction();
      if (!isStandardLibrary(function.getName()) &&
          llvm::any_of(llvm::instructions(function), doesWork))
        keep(function);
    }
    return llvm::PreservedAnalyses::all();
  }
};

struct ReleasePass : llvm::PassInfoMixin<ReleasePass> {
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &) {
    for (llvm::Function &function : module) {
      bool always = function.hasFnAttribute(kKeptAlways);
      if (!always && !function.hasFnAttribute(kKept))
        continue;
      function.removeFnAttr(llvm::Attribute::NoInline);
      function.removeFnAttr(always ? kKeptAlways : kKept);
      if (always)
        function.addFnAttr(llvm::Attribute::AlwaysInline);
    }
    return llvm::PreservedAnalyses::none();
  }
};

llvm::FunctionPassManager cleanUp() {
  llvm::FunctionPassManager passes;
  passes.addPass(makeSroa());
  passes.addPass(llvm::EarlyCSEPass());
  passes.addPass(llvm::SimplifyCFGPass());
  return passes;
}

// As before instrumentation for LLVM's own profiles, with its threshold. Thresholds for -Os are
// left out on purpose.
llvm::ModuleInlinerWrapperPass inliner() {
  llvm::InlineParams params;
  params.DefaultThreshold = 75;
  llvm::ModuleInlinerWrapperPass passes(params);
  llvm::FunctionPassManager between = cleanUp();
  between.addPass(llvm::InstCombinePass());
  passes.getPM().addPass(llvm::createCGSCCToFunctionPassAdaptor(std::move(between)));
  passes.getPM().addPass(KeepCallersPass());
  return passes;
}

} // namespace

void addEarlyPasses(llvm::ModulePassManager &passes, bool inlining) {
  passes.addPass(llvm::InferFunctionAttrsPass());
  passes.addPass(llvm::createModuleToFunctionPassAdaptor(cleanUp()));
  if (!inlining)
    return;
  passes.addPass(KeepPass());
  passes.addPass(inliner());
  passes.addPass(ReleasePass());
  passes.addPass(llvm::createModuleToFunctionPassAdaptor(cleanUp()));
}

} // namespace perfidy
