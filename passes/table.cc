#include "passes/table.h"
#include "passes/llvm_compat.h"
#include "runtime/abi.h"

#include "llvm/IR/Constants.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

namespace perfidy {
namespace {

// Builds the constants of one function's table.
class TableEmitter {
public:
  TableEmitter(llvm::Module &module, const TablePlacement &placement)
      : module(module), context(module.getContext()), placement(placement),
        i32(llvm::Type::getInt32Ty(context)), i16(llvm::Type::getInt16Ty(context)),
        i64(llvm::Type::getInt64Ty(context)), pointer(bytePointer(context)) {}

  llvm::GlobalVariable *counters(unsigned count) {
    auto *type = llvm::ArrayType::get(i64, count);
    auto *array = define(type, llvm::ConstantAggregateZero::get(type), "__perfidy.counters", false);
    if (!placement.sharedName.empty()) {
      // Inlined copies outside the comdat refer to them, so they cannot be private.
      array->setName(placement.sharedName);
      array->setLinkage(llvm::GlobalValue::LinkOnceODRLinkage);
      array->setVisibility(llvm::GlobalValue::HiddenVisibility);
    }
    array->setAlignment(llvm::Align(8));
    return array;
  }

  llvm::Constant *blocks(const FunctionRegions &regions, const FlowPlan &plan) {
    auto *type = llvm::StructType::get(context, {i32, i32, i32, i32, i16, i16, i16, i16});
    std::vector<llvm::Constant *> rows;
    for (unsigned i = 0; i < regions.blocks.size(); ++i) {
      const BlockRegion &block = regions.blocks[i];
      rows.push_back(llvm::ConstantStruct::get(type,
                                               {number(block.line),
                                                number(block.endLine),
                                                number(block.loop),
                                                number(plan.blockValues[i]),
                                                half(block.cost.instructions),
                                                half(block.cost.memory),
                                                half(block.cost.calls),
                                                half(0)}));
    }
    return array(type, rows);
  }

  llvm::Constant *loops(const FunctionRegions &regions) {
    auto *type = llvm::StructType::get(context, {i32, i32, i32, i32, i32, i32, i32, i32});
    std::vector<llvm::Constant *> rows;
    for (const LoopRegion &loop : regions.loops)
      rows.push_back(llvm::ConstantStruct::get(type,
                                               {number(loop.header),
                                                number(loop.preheader),
                                                number(loop.parent),
                                                number(loop.depth),
                                                number(loop.line),
                                                number(loop.endLine),
                                                number(loop.column),
                                                number(0)}));
    return array(type, rows);
  }

  llvm::Constant *calls(const FunctionRegions &regions) {
    auto *type = llvm::StructType::get(context, {pointer, i32, i32, i32, i32, i32, i32});
    std::vector<llvm::Constant *> rows;
    for (const CallRegion &call : regions.calls) {
      unsigned work = call.work == PERFIDY_NONE ? PERFIDY_NONE : call.work;
      rows.push_back(llvm::ConstantStruct::get(type,
                                               {string(call.callee),
                                                number(call.block),
                                                number(call.line),
                                                number(call.column),
                                                number(call.kind),
                                                number(work),
                                                number(0)}));
    }
    return array(type, rows);
  }

  llvm::Constant *terms(const FlowPlan &plan) {
    if (plan.terms.empty())
      return llvm::ConstantPointerNull::get(llvm::cast<llvm::PointerType>(pointer));
    auto *value = llvm::ConstantDataArray::get(context, llvm::ArrayRef<uint32_t>(plan.terms));
    return asPointer(define(value->getType(), value, "__perfidy.table", true));
  }

  void record(const FunctionRegions &regions,
              const FlowPlan &plan,
              llvm::StringRef userName,
              llvm::Constant *counters) {
    auto *null = llvm::ConstantPointerNull::get(llvm::cast<llvm::PointerType>(pointer));
    std::vector<llvm::Constant *> fields = {number(PERFIDY_ABI_VERSION),
                                            number(flags(regions, plan)),
                                            asPointer(counters),
                                            null,
                                            blocks(regions, plan),
                                            loops(regions),
                                            calls(regions),
                                            terms(plan),
                                            string(userName),
                                            string(regions.file),
                                            string(regions.directory),
                                            number(regions.blocks.size()),
                                            number(regions.loops.size()),
                                            number(regions.calls.size()),
                                            number(regions.workCount),
                                            number(plan.counters.size()),
                                            number(plan.valueCount),
                                            number(regions.line),
                                            number(regions.endLine),
                                            number(0),
                                            number(0)};
    auto *value = llvm::ConstantStruct::getAnon(context, fields);
    auto *record = define(value->getType(), value, "__perfidy.function", false);
    record->setSection(PERFIDY_SECTION);
    // Exactly the struct's alignment: the section is walked as an array.
    record->setAlignment(llvm::Align(8));
    llvm::appendToUsed(module, {record});
  }

private:
  unsigned flags(const FunctionRegions &regions, const FlowPlan &plan) const {
    return (regions.writes ? PERFIDY_FN_WRITES : 0) | (placement.harness ? PERFIDY_FN_HARNESS : 0) |
           (regions.follows ? PERFIDY_FN_FOLLOWS : 0) | (plan.splits ? PERFIDY_FN_SPLIT : 0) |
           (plan.perBlock ? PERFIDY_FN_PER_BLOCK : 0);
  }

  llvm::Constant *number(uint64_t value) { return llvm::ConstantInt::get(i32, value); }
  llvm::Constant *half(uint64_t value) { return llvm::ConstantInt::get(i16, value); }
  llvm::Constant *asPointer(llvm::Constant *value) {
    return llvm::ConstantExpr::getPointerCast(value, pointer);
  }

  llvm::GlobalVariable *
  define(llvm::Type *type, llvm::Constant *value, const char *name, bool constant) {
    auto *global = new llvm::GlobalVariable(
        module, type, constant, llvm::GlobalValue::PrivateLinkage, value, name);
    if (!placement.sharedName.empty())
      global->setComdat(module.getOrInsertComdat(placement.sharedName));
    return global;
  }

  llvm::Constant *array(llvm::StructType *type, const std::vector<llvm::Constant *> &rows) {
    if (rows.empty())
      return llvm::ConstantPointerNull::get(llvm::cast<llvm::PointerType>(pointer));
    auto *arrayType = llvm::ArrayType::get(type, rows.size());
    return asPointer(
        define(arrayType, llvm::ConstantArray::get(arrayType, rows), "__perfidy.table", true));
  }

  // Strings stay outside the comdat: they are merged by content by the linker.
  llvm::Constant *string(llvm::StringRef text) {
    if (text.empty())
      return llvm::ConstantPointerNull::get(llvm::cast<llvm::PointerType>(pointer));
    std::string name = "__perfidy.s." + text.str();
    llvm::GlobalVariable *global = module.getNamedGlobal(name);
    if (!global) {
      auto *value = llvm::ConstantDataArray::getString(context, text);
      global = new llvm::GlobalVariable(
          module, value->getType(), true, llvm::GlobalValue::PrivateLinkage, value, name);
      global->setUnnamedAddr(llvm::GlobalValue::UnnamedAddr::Global);
      global->setAlignment(llvm::Align(1));
    }
    return asPointer(global);
  }

  llvm::Module &module;
  llvm::LLVMContext &context;
  const TablePlacement &placement;
  llvm::Type *i32, *i16, *i64, *pointer;
};

} // namespace

llvm::GlobalVariable *emitTable(llvm::Module &module,
                                const FunctionRegions &regions,
                                const FlowPlan &plan,
                                llvm::StringRef userName,
                                const TablePlacement &placement) {
  TableEmitter emitter(module, placement);
  llvm::GlobalVariable *counters = emitter.counters(plan.counters.size() + regions.workCount);
  emitter.record(regions, plan, userName, counters);
  return counters;
}

} // namespace perfidy
