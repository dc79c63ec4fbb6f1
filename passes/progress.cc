#include "passes/progress.h"
#include "passes/calls.h"
#include "passes/llvm_compat.h"

#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/InlineAsm.h"

namespace perfidy {
namespace {

// Iterations that take long by themselves: memset of a large buffer, say.
bool callsAnything(const llvm::Loop &loop) {
  for (const llvm::BasicBlock *block : loop.blocks())
    for (const llvm::Instruction &instruction : *block)
      if (llvm::isa<llvm::CallBase>(instruction) && instruction.mayReadOrWriteMemory())
        return true;
  return false;
}

} // namespace

std::vector<llvm::BasicBlock *>
longLoops(llvm::Function &function, llvm::LoopInfo &loops, llvm::DominatorTree &dominators) {
  std::vector<llvm::BasicBlock *> headers;
  if (callsItself(function)) // a tail call becomes a loop
    headers.push_back(&function.getEntryBlock());
  if (loops.empty())
    return headers;
  llvm::TargetLibraryInfoImpl library(tripleOf(*function.getParent()));
  llvm::TargetLibraryInfo known(library, &function);
  llvm::AssumptionCache assumptions(function);
  llvm::ScalarEvolution evolution(function, known, assumptions, dominators, loops);
  for (llvm::Loop *loop : loops.getLoopsInPreorder())
    if (!loop->isInnermost() || callsAnything(*loop) ||
        !evolution.hasLoopInvariantBackedgeTakenCount(loop))
      headers.push_back(loop->getHeader());
  return headers;
}

// An empty piece of assembly that is said to read and write the counters and nothing else.
void showCounters(const std::vector<llvm::BasicBlock *> &headers, llvm::GlobalVariable &counters) {
  llvm::LLVMContext &context = counters.getContext();
  auto *type = llvm::FunctionType::get(llvm::Type::getVoidTy(context), {counters.getType()}, false);
  auto *nothing = llvm::InlineAsm::get(type, "", "*m", /*hasSideEffects=*/true);
  for (llvm::BasicBlock *header : headers) {
    llvm::IRBuilder<> ir(&*counterPoint(*header));
    llvm::CallInst *call = ir.CreateCall(type, nothing, {&counters});
    call->addParamAttr(
        0, llvm::Attribute::get(context, llvm::Attribute::ElementType, counters.getValueType()));
    call->setDoesNotThrow();
    call->addFnAttr(llvm::Attribute::WillReturn);
    touchesOnlyArguments(*call);
  }
}

} // namespace perfidy
