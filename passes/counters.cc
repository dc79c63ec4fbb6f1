#include "passes/counters.h"
#include "passes/library_work.h"

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

} // namespace

void insertCounters(const FunctionRegions &regions, llvm::GlobalVariable &counters) {
  unsigned blockCount = regions.blocks.size();
  // Calls first: their pointers stay valid, and the insertion points of blocks are looked up later.
  for (const CallRegion &call : regions.calls) {
    if (!call.workCall)
      continue;
    auto [work, at] = emitLibraryWork(*call.workCall);
    if (!work)
      continue;
    llvm::IRBuilder<> ir(at);
    ir.SetCurrentDebugLocation(call.workCall->getDebugLoc());
    bump(ir, counters, blockCount + call.work, work);
  }
  for (unsigned i = 0; i < blockCount; ++i) {
    llvm::BasicBlock *block = regions.order[i];
    llvm::IRBuilder<> ir(block, counterPoint(*block));
    // Without a location a call in an inlinable function would be invalid; with one the debugger
    // and sanitizers stay sensible.
    bump(ir, counters, i, ir.getInt64(1));
  }
}

} // namespace perfidy
