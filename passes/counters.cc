#include "passes/counters.h"
#include "passes/library_work.h"
#include "runtime/abi.h"

#include "llvm/IR/CFG.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

namespace perfidy {
namespace {

// The list of touched functions: one word for each linked program or shared object.
llvm::GlobalVariable *touchedList(llvm::Module &module) {
  if (llvm::GlobalVariable *existing = module.getNamedGlobal(PERFIDY_TOUCHED))
    return existing;
  auto *i64 = llvm::Type::getInt64Ty(module.getContext());
  auto *list = new llvm::GlobalVariable(module,
                                        i64,
                                        false,
                                        llvm::GlobalValue::LinkOnceAnyLinkage,
                                        llvm::ConstantInt::get(i64, PERFIDY_TOUCHED_END),
                                        PERFIDY_TOUCHED);
  list->setVisibility(llvm::GlobalValue::HiddenVisibility);
  list->setComdat(module.getOrInsertComdat(PERFIDY_TOUCHED));
  list->setAlignment(llvm::Align(8));
  return list;
}

class Inserter {
public:
  Inserter(const FunctionRegions &regions, const FlowPlan &plan, const FunctionData &data)
      : regions(regions), plan(plan), data(data), function(*regions.order[0]->getParent()),
        none(llvm::MDNode::get(function.getContext(), {})) {}

  void insert() {
    countWork();
    for (unsigned i = 1; i < plan.counters.size(); ++i)
      count(i);
    if (plan.coroutine)
      touchOnResume();
    countEntry();
  }

private:
  // Sanitizers must not check accesses that the user did not write.
  template <typename Access> Access *quiet(Access *access) {
    access->setMetadata("nosanitize", none);
    return access;
  }

  llvm::Value *slot(llvm::IRBuilder<> &ir, unsigned index) {
    return ir.CreateConstInBoundsGEP2_64(data.counters->getValueType(), data.counters, 0, index);
  }

  // Adds to a counter; returns what it was.
  llvm::Value *bump(llvm::IRBuilder<> &ir, unsigned index, llvm::Value *by) {
    llvm::Value *address = slot(ir, index);
    auto *old = quiet(ir.CreateLoad(ir.getInt64Ty(), address));
    quiet(ir.CreateStore(ir.CreateAdd(old, by), address));
    return old;
  }

  // Before anything else: the pointers to calls stay valid, the places of counters are looked up
  // later.
  void countWork() {
    for (const CallRegion &call : regions.calls) {
      if (!call.workCall)
        continue;
      auto [work, at] = emitLibraryWork(*call.workCall);
      if (!work)
        continue;
      llvm::IRBuilder<> ir(at);
      ir.SetCurrentDebugLocation(call.workCall->getDebugLoc());
      bump(ir, plan.counters.size() + call.work, work);
    }
  }

  llvm::Instruction *placeOf(const CountingPoint &point) {
    if (!point.successor)
      return &*counterPoint(*point.block);
    if (point.block->getUniqueSuccessor())
      return point.block->getTerminator();
    if (point.successor->getUniquePredecessor())
      return &*counterPoint(*point.successor);
    return llvm::SplitBlockPredecessors(point.successor, {point.block}, ".counted")
        ->getTerminator();
  }

  void count(unsigned index) {
    llvm::IRBuilder<> ir(placeOf(plan.counters[index]));
    bump(ir, index, ir.getInt64(1));
  }

  // Links the record into the list if the condition holds, which it rarely does.
  void touch(llvm::IRBuilder<> &ir, llvm::Value *condition) {
    llvm::MDNode *rarely = llvm::MDBuilder(ir.getContext()).createBranchWeights(1, 1 << 20);
    llvm::Instruction *first =
        llvm::SplitBlockAndInsertIfThen(condition, &*ir.GetInsertPoint(), false, rarely);
    llvm::IRBuilder<> cold(first);
    auto *word = cold.getInt64Ty();
    auto *next = quiet(cold.CreateAtomicRMW(llvm::AtomicRMWInst::Xchg,
                                            touchedList(*function.getParent()),
                                            llvm::ConstantExpr::getPtrToInt(data.record, word),
                                            llvm::MaybeAlign(8),
                                            llvm::AtomicOrdering::AcquireRelease));
    quiet(cold.CreateStore(next, nextField(cold)));
  }

  llvm::Value *nextField(llvm::IRBuilder<> &ir) {
    auto *word = ir.getInt64Ty();
    auto *words = ir.CreatePointerCast(data.record, llvm::PointerType::get(word, 0));
    return ir.CreateConstInBoundsGEP1_64(word, words, offsetof(perfidy_function, next) / 8);
  }

  // A coroutine may be resumed in a later measured window than the one it was entered in.
  void touchOnResume() {
    std::vector<llvm::BasicBlock *> resumed;
    for (llvm::BasicBlock *block : regions.order)
      for (const llvm::Instruction &instruction : *block)
        if (isSuspension(instruction))
          resumed.insert(resumed.end(), llvm::succ_begin(block), llvm::succ_end(block));
    for (llvm::BasicBlock *block : resumed)
      touchUnlessTouched(&*counterPoint(*block));
  }

  void touchUnlessTouched(llvm::Instruction *at) {
    llvm::IRBuilder<> ir(at);
    auto *next = quiet(ir.CreateLoad(ir.getInt64Ty(), nextField(ir)));
    touch(ir, ir.CreateICmpEQ(next, ir.getInt64(0)));
  }

  // Last: it splits the entry block. Static allocas must stay in it to stay static.
  void countEntry() {
    llvm::BasicBlock &entry = function.getEntryBlock();
    llvm::Instruction *at = &*counterPoint(entry);
    std::vector<llvm::Instruction *> late;
    for (llvm::Instruction *i = at; i; i = i->getNextNode())
      if (auto *local = llvm::dyn_cast<llvm::AllocaInst>(i); local && local->isStaticAlloca())
        late.push_back(local);
    for (llvm::Instruction *local : late)
      local->moveBefore(at);
    llvm::IRBuilder<> ir(at);
    llvm::Value *old = bump(ir, 0, ir.getInt64(-1));
    if (plan.coroutine)
      touchUnlessTouched(at);
    else
      touch(ir, ir.CreateICmpEQ(old, ir.getInt64(0)));
  }

  const FunctionRegions &regions;
  const FlowPlan &plan;
  const FunctionData &data;
  llvm::Function &function;
  llvm::MDNode *none;
};

} // namespace

void insertCounters(const FunctionRegions &regions,
                    const FlowPlan &plan,
                    const FunctionData &data) {
  Inserter(regions, plan, data).insert();
}

} // namespace perfidy
