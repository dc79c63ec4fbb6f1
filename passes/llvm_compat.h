// The only place that knows LLVM versions and moved headers. One source serves LLVM 14 to 22.
#pragma once

#include "llvm/Config/llvm-config.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Transforms/Scalar/SROA.h"
#if LLVM_VERSION_MAJOR >= 16
#include "llvm/TargetParser/Triple.h"
#else
#include "llvm/ADT/Triple.h"
#endif
#if LLVM_VERSION_MAJOR >= 22
#include "llvm/Plugins/PassPlugin.h"
#else
#include "llvm/Passes/PassPlugin.h"
#endif

namespace perfidy {

/// SROA as the early optimiser runs it (its constructor takes an option from LLVM 16 on).
inline llvm::SROAPass makeSroa() {
#if LLVM_VERSION_MAJOR >= 16
  return llvm::SROAPass(llvm::SROAOptions::ModifyCFG);
#else
  return llvm::SROAPass();
#endif
}

/// The generic pointer type (typed pointers are the default in LLVM 14).
inline llvm::PointerType *bytePointer(llvm::LLVMContext &context) {
#if LLVM_VERSION_MAJOR >= 17
  return llvm::PointerType::get(context, 0);
#else
  return llvm::Type::getInt8PtrTy(context);
#endif
}

/// Drops what a function or call promises about memory (readnone, readonly...).
template <typename Holder> void forgetMemoryEffects(Holder &holder) {
  using llvm::Attribute;
#if LLVM_VERSION_MAJOR >= 16
  constexpr Attribute::AttrKind kKinds[] = {Attribute::Memory, Attribute::Speculatable};
#else
  constexpr Attribute::AttrKind kKinds[] = {Attribute::ReadNone,
                                            Attribute::ReadOnly,
                                            Attribute::WriteOnly,
                                            Attribute::ArgMemOnly,
                                            Attribute::InaccessibleMemOnly,
                                            Attribute::InaccessibleMemOrArgMemOnly,
                                            Attribute::Speculatable};
#endif
  for (Attribute::AttrKind kind : kKinds)
    holder.removeFnAttr(kind);
}

/// Says of a call that it reads and writes nothing but what its arguments point to.
inline void touchesOnlyArguments(llvm::CallBase &call) {
#if LLVM_VERSION_MAJOR >= 16
  call.setMemoryEffects(llvm::MemoryEffects::argMemOnly());
#else
  call.setOnlyAccessesArgMemory();
#endif
}

/// What the module is compiled for.
inline llvm::Triple tripleOf(const llvm::Module &module) {
#if LLVM_VERSION_MAJOR >= 21
  return module.getTargetTriple();
#else
  return llvm::Triple(module.getTargetTriple());
#endif
}

/// True for a call that marks a coroutine not split yet.
inline bool isCoroutineMark(const llvm::CallBase &call) {
  const llvm::Function *callee = call.getCalledFunction();
  if (!callee)
    return false;
  switch (callee->getIntrinsicID()) {
  case llvm::Intrinsic::coro_id:
  case llvm::Intrinsic::coro_id_retcon:
  case llvm::Intrinsic::coro_id_retcon_once:
  case llvm::Intrinsic::coro_id_async: return true;
  default: return false;
  }
}

/// Where instructions may first be inserted in a block: after PHIs, landing pads and, in the entry
/// block, after the leading allocas (so that they stay static).
inline llvm::BasicBlock::iterator counterPoint(llvm::BasicBlock &block) {
  auto at = block.getFirstInsertionPt();
  if (block.isEntryBlock())
    while (at != block.end() && llvm::isa<llvm::AllocaInst>(*at))
      ++at;
  return at;
}

} // namespace perfidy
