#include "passes/library_work.h"

#include "llvm/IR/IntrinsicInst.h"

namespace perfidy {
namespace {

// How the work of a call follows from its arguments and its result r.
enum class Work {
  None,
  Size2,        // argument 2: memcpy, memset...
  Result,       // r + 1: strlen, strspn
  Positive,     // max(r, 0) + 1: snprintf
  Found,        // r ? r - a0 + 1 : strlen(a0) + 1: strchr
  FoundIn,      // r ? r - a0 + 1 : a2: memchr
  Search,       // r ? r - a0 + 1 : strlen(a0) + 1, plus strlen(a1): strstr
  String0,      // strlen(a0) + 1: strdup, sscanf (glibc measures the whole string)
  String1,      // strlen(a1) + 1: strcpy
  BothStrings,  // strlen(a0) + strlen(a1) + 2: strcat
  Mismatch,     // r ? length of the common prefix + 1 : a2: memcmp
  MismatchNul,  // length of the common prefix + 1, ending at NUL: strcmp
  MismatchNulN, // the same, at most a2: strncmp
  Size1,        // argument 1: realloc
  Product,      // a0 * a1: calloc
  Product12,    // a1 * a2: fwrite
};

struct NamedWork {
  const char *name;
  Work work;
};

constexpr NamedWork kNamedWork[] = {{"memcpy", Work::Size2},
                                    {"memmove", Work::Size2},
                                    {"memset", Work::Size2},
                                    {"mempcpy", Work::Size2},
                                    {"__memcpy_chk", Work::Size2},
                                    {"__memmove_chk", Work::Size2},
                                    {"__memset_chk", Work::Size2},
                                    {"strncpy", Work::Size2},
                                    {"strlen", Work::Result},
                                    {"strnlen", Work::Result},
                                    {"strspn", Work::Result},
                                    {"strcspn", Work::Result},
                                    {"sprintf", Work::Positive},
                                    {"snprintf", Work::Positive},
                                    {"vsnprintf", Work::Positive},
                                    {"strchr", Work::Found},
                                    {"strpbrk", Work::Found},
                                    {"index", Work::Found},
                                    {"strrchr", Work::String0},
                                    {"rindex", Work::String0},
                                    {"strdup", Work::String0},
                                    {"sscanf", Work::String0},
                                    {"__isoc99_sscanf", Work::String0},
                                    {"vsscanf", Work::String0},
                                    {"memchr", Work::FoundIn},
                                    {"strstr", Work::Search},
                                    {"strcasestr", Work::Search},
                                    {"strcpy", Work::String1},
                                    {"stpcpy", Work::String1},
                                    {"__strcpy_chk", Work::String1},
                                    {"strcat", Work::BothStrings},
                                    {"__strcat_chk", Work::BothStrings},
                                    {"memcmp", Work::Mismatch},
                                    {"bcmp", Work::Mismatch},
                                    {"strcmp", Work::MismatchNul},
                                    {"strcoll", Work::MismatchNul},
                                    {"strncmp", Work::MismatchNulN},
                                    {"realloc", Work::Size1},
                                    {"calloc", Work::Product},
                                    {"fwrite", Work::Product12},
                                    {"fread", Work::Product12}};

Work workOf(llvm::StringRef name) {
  for (const NamedWork &known : kNamedWork)
    if (name == known.name)
      return known.work;
  return Work::None;
}

bool needsResult(Work work) {
  return work == Work::Result || work == Work::Positive || work == Work::Found ||
         work == Work::FoundIn || work == Work::Search || work == Work::Mismatch;
}

unsigned argumentsNeeded(Work work) {
  switch (work) {
  case Work::Size2:
  case Work::FoundIn:
  case Work::Mismatch:
  case Work::MismatchNulN:
  case Work::Product12: return 3;
  case Work::Search:
  case Work::String1:
  case Work::BothStrings:
  case Work::MismatchNul:
  case Work::Size1:
  case Work::Product: return 2;
  default: return 1;
  }
}

// i64 __perfidy.scan(i8* a, i8* b, i64 limit, i1 stopAtNul): number of leading positions i < limit
// with a[i] == b[i] (and a[i] != 0 if asked). With a == b it is strnlen. Reads no byte that the
// library function would not read.
llvm::Function *scanFunction(llvm::Module &module) {
  if (llvm::Function *existing = module.getFunction("__perfidy.scan"))
    return existing;
  llvm::LLVMContext &context = module.getContext();
  auto *i64 = llvm::Type::getInt64Ty(context);
  auto *i8 = llvm::Type::getInt8Ty(context);
  auto *pointer = bytePointer(context);
  auto *type =
      llvm::FunctionType::get(i64, {pointer, pointer, i64, llvm::Type::getInt1Ty(context)}, false);
  auto *scan =
      llvm::Function::Create(type, llvm::GlobalValue::InternalLinkage, "__perfidy.scan", module);
  scan->addFnAttr(llvm::Attribute::NoUnwind);
  scan->addFnAttr(llvm::Attribute::NoInline);
  auto *entry = llvm::BasicBlock::Create(context, "entry", scan);
  auto *head = llvm::BasicBlock::Create(context, "head", scan);
  auto *body = llvm::BasicBlock::Create(context, "body", scan);
  auto *next = llvm::BasicBlock::Create(context, "next", scan);
  auto *done = llvm::BasicBlock::Create(context, "done", scan);
  llvm::IRBuilder<> ir(entry);
  ir.CreateBr(head);
  ir.SetInsertPoint(head);
  auto *index = ir.CreatePHI(i64, 2);
  index->addIncoming(ir.getInt64(0), entry);
  ir.CreateCondBr(ir.CreateICmpULT(index, scan->getArg(2)), body, done);
  ir.SetInsertPoint(body);
  auto *a = ir.CreateLoad(i8, ir.CreateGEP(i8, scan->getArg(0), index));
  auto *b = ir.CreateLoad(i8, ir.CreateGEP(i8, scan->getArg(1), index));
  auto *atNul = ir.CreateAnd(scan->getArg(3), ir.CreateICmpEQ(a, ir.getInt8(0)));
  ir.CreateCondBr(ir.CreateOr(ir.CreateICmpNE(a, b), atNul), done, next);
  ir.SetInsertPoint(next);
  index->addIncoming(ir.CreateAdd(index, ir.getInt64(1)), next);
  ir.CreateBr(head);
  ir.SetInsertPoint(done);
  ir.CreateRet(index);
  return scan;
}

// Builds work values of one call.
class WorkBuilder {
public:
  WorkBuilder(llvm::CallBase &call, llvm::Instruction *at) : call(call), ir(at) {
    ir.SetCurrentDebugLocation(call.getDebugLoc());
  }

  llvm::Value *build(Work work) {
    switch (work) {
    case Work::Size2: return integer(2);
    case Work::Size1: return integer(1);
    case Work::Product: return ir.CreateMul(integer(0), integer(1));
    case Work::Product12: return ir.CreateMul(integer(1), integer(2));
    case Work::Result: return plusOne(ir.CreateZExtOrTrunc(&call, ir.getInt64Ty()));
    case Work::Positive: return positiveResult();
    case Work::Found: return found(lengthIfNull());
    case Work::FoundIn: return found(integer(2));
    case Work::Search: return ir.CreateAdd(found(lengthIfNull()), length(1));
    case Work::String0: return plusOne(length(0));
    case Work::String1: return plusOne(length(1));
    case Work::BothStrings: return ir.CreateAdd(length(0), plusOne(length(1)));
    case Work::Mismatch: return mismatch();
    case Work::MismatchNul: return plusOne(scan(0, 1, ir.getInt64(-1), true));
    case Work::MismatchNulN: return plusOne(scan(0, 1, integer(2), true));
    case Work::None: break;
    }
    return nullptr;
  }

private:
  llvm::Value *integer(unsigned i) {
    return ir.CreateZExtOrTrunc(call.getArgOperand(i), ir.getInt64Ty());
  }
  llvm::Value *pointer(llvm::Value *value) {
    return ir.CreatePointerCast(value, bytePointer(ir.getContext()));
  }
  llvm::Value *plusOne(llvm::Value *value) { return ir.CreateAdd(value, ir.getInt64(1)); }
  llvm::Value *scan(unsigned a, unsigned b, llvm::Value *limit, bool stopAtNul) {
    return ir.CreateCall(scanFunction(*call.getModule()),
                         {pointer(call.getArgOperand(a)),
                          pointer(call.getArgOperand(b)),
                          limit,
                          ir.getInt1(stopAtNul)});
  }
  llvm::Value *length(unsigned i) { return scan(i, i, ir.getInt64(-1), true); }
  llvm::Value *resultIsNull() {
    return ir.CreateICmpEQ(ir.CreatePtrToInt(&call, ir.getInt64Ty()), ir.getInt64(0));
  }
  // strlen(a0), but only when nothing was found: what lies behind a hit need not be terminated.
  llvm::Value *lengthIfNull() {
    return scan(0, 0, ir.CreateSelect(resultIsNull(), ir.getInt64(-1), ir.getInt64(0)), true);
  }
  llvm::Value *found(llvm::Value *otherwise) {
    auto *i64 = ir.getInt64Ty();
    auto *offset =
        ir.CreateSub(ir.CreatePtrToInt(&call, i64), ir.CreatePtrToInt(call.getArgOperand(0), i64));
    return plusOne(ir.CreateSelect(resultIsNull(), otherwise, offset));
  }
  // Equal memory needs no second look, and most is equal.
  llvm::Value *mismatch() {
    auto *equal = ir.CreateICmpEQ(&call, llvm::ConstantInt::get(call.getType(), 0));
    auto *limit = ir.CreateSelect(equal, ir.getInt64(0), integer(2));
    auto *prefix = plusOne(scan(0, 1, limit, false));
    return ir.CreateSelect(equal, integer(2), prefix);
  }
  llvm::Value *positiveResult() {
    auto *result = ir.CreateSExtOrTrunc(&call, ir.getInt64Ty());
    auto *negative = ir.CreateICmpSLT(result, ir.getInt64(0));
    return plusOne(ir.CreateSelect(negative, ir.getInt64(0), result));
  }

  llvm::CallBase &call;
  llvm::IRBuilder<> ir;
};

Work workOfCall(const llvm::CallBase &call) {
  if (llvm::isa<llvm::AnyMemIntrinsic>(call))
    return Work::Size2;
  const llvm::Function *callee = call.getCalledFunction();
  if (!callee || callee->isIntrinsic() || !callee->isDeclaration())
    return Work::None;
  Work work = workOf(callee->getName());
  if (work == Work::None || call.arg_size() < argumentsNeeded(work))
    return Work::None;
  bool pointerResult = work == Work::Found || work == Work::FoundIn || work == Work::Search;
  if (pointerResult && !call.getType()->isPointerTy())
    return Work::None;
  bool integerResult = work == Work::Result || work == Work::Positive || work == Work::Mismatch;
  if (integerResult && !call.getType()->isIntegerTy())
    return Work::None;
  return work;
}

// Bounded work so small that the bound is as good: it belongs to the weight of the block, which
// costs no counter.
constexpr uint64_t kSmallWork = 1024;

bool isBounded(Work work) {
  return work == Work::Size2 || work == Work::Mismatch || work == Work::MismatchNulN ||
         work == Work::FoundIn;
}

} // namespace

uint64_t smallLibraryWork(const llvm::CallBase &call) {
  Work work = workOfCall(call);
  if (!isBounded(work))
    return 0;
  const auto *size = llvm::dyn_cast<llvm::ConstantInt>(call.getArgOperand(2));
  return size && size->getValue().ule(kSmallWork) ? size->getZExtValue() : 0;
}

bool hasLibraryWork(const llvm::CallBase &call) {
  if (smallLibraryWork(call))
    return false;
  Work work = workOfCall(call);
  return work != Work::None && !(needsResult(work) && !llvm::isa<llvm::CallInst>(call));
}

llvm::StringRef libraryName(const llvm::CallBase &call) {
  if (llvm::isa<llvm::AnyMemCpyInst>(call))
    return "memcpy";
  if (llvm::isa<llvm::AnyMemMoveInst>(call))
    return "memmove";
  if (llvm::isa<llvm::AnyMemSetInst>(call))
    return "memset";
  return call.getCalledFunction()->getName();
}

std::pair<llvm::Value *, llvm::Instruction *> emitLibraryWork(llvm::CallBase &call) {
  Work work = workOfCall(call);
  // A musttail call must be followed by its return: such a result cannot be used in between.
  auto *plain = llvm::dyn_cast<llvm::CallInst>(&call);
  if (needsResult(work) && (!plain || plain->isMustTailCall()))
    return {nullptr, nullptr};
  llvm::Instruction *at = needsResult(work) ? call.getNextNode() : &call;
  return {WorkBuilder(call, at).build(work), at};
}

} // namespace perfidy
