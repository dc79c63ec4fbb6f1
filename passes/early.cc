#include "passes/early.h"
#include "passes/llvm_compat.h"

#include "llvm/Analysis/InlineCost.h"
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

constexpr const char *kKept = "perfidy-kept";

bool callsItself(const llvm::Function &function) {
  for (const llvm::Instruction &instruction : llvm::instructions(function))
    if (const auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction))
      if (call->getCalledFunction() == &function)
        return true;
  return false;
}

bool hasLoop(llvm::Function &function) {
  llvm::DominatorTree dominators(function);
  return !llvm::LoopInfo(dominators).empty();
}

// Keeps functions with loops and recursive ones from being inlined, until ReleasePass.
struct KeepPass : llvm::PassInfoMixin<KeepPass> {
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &) {
    for (llvm::Function &function : module) {
      if (function.isDeclaration() || function.hasFnAttribute(llvm::Attribute::NoInline) ||
          function.hasFnAttribute(llvm::Attribute::AlwaysInline))
        continue;
      if (!hasLoop(function) && !callsItself(function))
        continue;
      function.addFnAttr(llvm::Attribute::NoInline);
      function.addFnAttr(kKept);
    }
    return llvm::PreservedAnalyses::none();
  }
};

struct ReleasePass : llvm::PassInfoMixin<ReleasePass> {
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &) {
    for (llvm::Function &function : module)
      if (function.hasFnAttribute(kKept)) {
        function.removeFnAttr(llvm::Attribute::NoInline);
        function.removeFnAttr(kKept);
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
