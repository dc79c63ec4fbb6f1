#include "passes/counters.h"
#include "passes/library_work.h"

#include "llvm/IR/CFG.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

namespace perfidy {
namespace {

void bump(llvm::IRBuilder<> &ir, llvm::GlobalVariable &counters, unsigned index, llvm::Value *by) {
  auto *i64 = ir.getInt64Ty();
  auto *slot = ir.CreateConstInBoundsGEP2_64(counters.getValueType(), &counters, 0, index);
  auto *load = ir.CreateLoad(i64, slot);
  auto *store = ir.CreateStore(ir.CreateAdd(load, by), slot);
  // Sanitizers must not check accesses that the user did not write.
  auto *none = llvm::MDNode::get(ir.getContext(), {});
  load->setMetadata("nosanitize", none);
  store->setMetadata("nosanitize", none);
}

llvm::Instruction *placeOf(const CountingPoint &point) {
  if (!point.successor)
    return &*counterPoint(*point.block);
  if (point.block->getUniqueSuccessor())
    return point.block->getTerminator();
  if (point.successor->getUniquePredecessor())
    return &*counterPoint(*point.successor);
  return llvm::SplitBlockPredecessors(point.successor, {point.block}, ".counted")->getTerminator();
}

} // namespace

void insertCounters(const FunctionRegions &regions,
                    const FlowPlan &plan,
                    llvm::GlobalVariable &counters) {
  // Calls first: their pointers stay valid, and the places of counters are looked up later.
  for (const CallRegion &call : regions.calls) {
    if (!call.workCall)
      continue;
    auto [work, at] = emitLibraryWork(*call.workCall);
    if (!work)
      continue;
    llvm::IRBuilder<> ir(at);
    ir.SetCurrentDebugLocation(call.workCall->getDebugLoc());
    bump(ir, counters, plan.counters.size() + call.work, work);
  }
  for (unsigned i = 0; i < plan.counters.size(); ++i) {
    llvm::IRBuilder<> ir(placeOf(plan.counters[i]));
    bump(ir, counters, i, ir.getInt64(1));
  }
}

} // namespace perfidy
