#include "passes/regions.h"
#include "passes/library_work.h"
#include "runtime/abi.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/IntrinsicInst.h"

#include <algorithm>

namespace perfidy {
namespace {

using BlockIndex = llvm::DenseMap<const llvm::BasicBlock *, unsigned>;
using LoopIndex = llvm::DenseMap<const llvm::Loop *, unsigned>;

// Where an instruction stands in its function: inlined code, where it was called from. Null for
// compiler-made code without a place.
const llvm::DILocation *placeOf(const llvm::DebugLoc &where) {
  const llvm::DILocation *place = where.get();
  while (place && place->getInlinedAt())
    place = place->getInlinedAt();
  return place && place->getLine() ? place : nullptr;
}

unsigned lineIn(const llvm::Instruction &instruction) {
  const llvm::DILocation *place = placeOf(instruction.getDebugLoc());
  return place ? place->getLine() : 0;
}

unsigned columnIn(const llvm::Instruction &instruction) {
  const llvm::DILocation *place = placeOf(instruction.getDebugLoc());
  return place ? place->getColumn() : 0;
}

void widen(unsigned &first, unsigned &last, unsigned line) {
  if (line == 0)
    return;
  first = first == 0 ? line : std::min(first, line);
  last = std::max(last, line);
}

void collectSource(llvm::Function &function, FunctionRegions &regions) {
  const llvm::DISubprogram *subprogram = function.getSubprogram();
  if (!subprogram) {
    regions.file = function.getParent()->getSourceFileName();
    return;
  }
  regions.file = subprogram->getFilename().str();
  regions.directory = subprogram->getDirectory().str();
  regions.line = regions.endLine = subprogram->getLine();
}

void collectBlocks(const llvm::LoopInfo &info,
                   const LoopIndex &loopIndex,
                   FunctionRegions &regions) {
  for (llvm::BasicBlock *block : regions.order) {
    BlockRegion region;
    for (const llvm::Instruction &instruction : *block)
      if (!llvm::isa<llvm::PHINode>(instruction) && !llvm::isa<llvm::DbgInfoIntrinsic>(instruction))
        widen(region.line, region.endLine, lineIn(instruction));
    const llvm::Loop *loop = info.getLoopFor(block);
    region.loop = loop ? loopIndex.lookup(loop) : PERFIDY_NONE;
    region.cost = blockCost(*block);
    regions.endLine = std::max(regions.endLine, region.endLine);
    regions.blocks.push_back(region);
  }
}

void collectLoops(const std::vector<llvm::Loop *> &loops,
                  const BlockIndex &blockIndex,
                  const LoopIndex &loopIndex,
                  FunctionRegions &regions) {
  for (llvm::Loop *loop : loops) {
    LoopRegion region;
    region.header = blockIndex.lookup(loop->getHeader());
    const llvm::BasicBlock *preheader = loop->getLoopPreheader();
    region.preheader = preheader ? blockIndex.lookup(preheader) : PERFIDY_NONE;
    const llvm::Loop *parent = loop->getParentLoop();
    region.parent = parent ? loopIndex.lookup(parent) : PERFIDY_NONE;
    region.depth = loop->getLoopDepth();
    llvm::Loop::LocRange range = loop->getLocRange();
    if (const llvm::DILocation *start = placeOf(range.getStart())) {
      region.line = start->getLine();
      region.column = start->getColumn();
    }
    if (const llvm::DILocation *end = placeOf(range.getEnd()))
      if (range.getEnd() != range.getStart())
        region.endLine = end->getLine();
    for (const llvm::BasicBlock *block : loop->blocks()) {
      const BlockRegion &inside = regions.blocks[blockIndex.lookup(block)];
      if (region.line == 0)
        region.line = inside.line;
      region.endLine = std::max(region.endLine, inside.endLine);
    }
    regions.loops.push_back(region);
  }
}

// A function's address among the arguments: the callee may call it back on our behalf.
void collectPassed(llvm::CallBase &call, unsigned block, FunctionRegions &regions) {
  for (llvm::Value *argument : call.args()) {
    auto *passed = llvm::dyn_cast<llvm::Function>(argument->stripPointerCasts());
    if (!passed || passed->isIntrinsic())
      continue;
    CallRegion region;
    region.callee = passed->getName().str();
    region.block = block;
    region.line = lineIn(call);
    region.column = columnIn(call);
    region.kind = PERFIDY_CALL_PASSED;
    region.work = PERFIDY_NONE;
    regions.calls.push_back(region);
  }
}

void collectCall(llvm::CallBase &call, unsigned block, FunctionRegions &regions) {
  bool library = hasLibraryWork(call);
  if (call.isInlineAsm() || (llvm::isa<llvm::IntrinsicInst>(call) && !library))
    return;
  CallRegion region;
  region.block = block;
  region.line = lineIn(call);
  region.column = columnIn(call);
  region.work = PERFIDY_NONE;
  auto *callee = llvm::dyn_cast<llvm::Function>(call.getCalledOperand()->stripPointerCasts());
  if (library) {
    region.kind = PERFIDY_CALL_LIBRARY;
    region.callee = libraryName(call).str();
    region.work = regions.workCount++;
    region.workCall = &call;
  } else if (callee) {
    region.kind = PERFIDY_CALL_DIRECT;
    region.callee = callee->getName().str();
  } else {
    region.kind = PERFIDY_CALL_INDIRECT;
  }
  regions.calls.push_back(region);
  collectPassed(call, block, regions);
}

bool isLocalStorage(const llvm::Value *pointer) {
  const llvm::Value *object = llvm::getUnderlyingObject(pointer);
  if (llvm::isa<llvm::AllocaInst>(object))
    return true;
  const auto *argument = llvm::dyn_cast<llvm::Argument>(object);
  return argument && argument->hasStructRetAttr();
}

bool writesOutside(const llvm::Instruction &instruction) {
  if (const auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
    return store->isVolatile() || !isLocalStorage(store->getPointerOperand());
  if (const auto *memory = llvm::dyn_cast<llvm::AnyMemIntrinsic>(&instruction))
    return !isLocalStorage(memory->getDest());
  return llvm::isa<llvm::AtomicRMWInst>(instruction) ||
         llvm::isa<llvm::AtomicCmpXchgInst>(instruction) ||
         (llvm::isa<llvm::LoadInst>(instruction) && instruction.isVolatile());
}

// `this` of a method. Other pointer arguments are data that the caller hands over for this call.
bool isObjectPointer(const llvm::Value *value) {
  const auto *argument = llvm::dyn_cast<llvm::Argument>(value);
  if (!argument || argument->getArgNo() > 1) // a return slot may come first
    return false;
  const llvm::DISubprogram *subprogram = argument->getParent()->getSubprogram();
  const bool first =
      argument->getArgNo() == 0 || argument->getParent()->getArg(0)->hasStructRetAttr();
  const auto types = subprogram && subprogram->getType() ? subprogram->getType()->getTypeArray()
                                                         : llvm::DITypeRefArray();
  return first && types.size() > 1 && types[1] && types[1]->isArtificial();
}

// Whether a pointer comes from memory: loaded, a global variable, or the answer of a call that was
// given such a pointer or a part of an argument (vec[i] on a member).
bool comesFromMemory(const llvm::Value *pointer, bool throughCalls = true) {
  llvm::SmallVector<const llvm::Value *, 4> objects;
  llvm::getUnderlyingObjects(pointer, objects);
  for (const llvm::Value *object : objects) {
    if (llvm::isa<llvm::LoadInst>(object))
      return true;
    if (const auto *variable = llvm::dyn_cast<llvm::GlobalVariable>(object))
      if (!variable->isConstant())
        return true;
    const auto *call = llvm::dyn_cast<llvm::CallBase>(object);
    for (unsigned i = 0; call && throughCalls && i < call->arg_size(); ++i) {
      const llvm::Value *given = call->getArgOperand(i);
      if (!given->getType()->isPointerTy())
        continue;
      const llvm::Value *base = llvm::getUnderlyingObject(given);
      if (isObjectPointer(base) || (llvm::isa<llvm::Argument>(base) && base != given) ||
          comesFromMemory(given, false))
        return true;
    }
  }
  return false;
}

// Reads in a loop, or has somebody read, what a pointer from memory leads to.
bool followsPointer(const llvm::Instruction &instruction, bool inLoop) {
  if (const auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
    return inLoop && comesFromMemory(load->getPointerOperand());
  const auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
  if (!call || llvm::isa<llvm::IntrinsicInst>(call))
    return false;
  return llvm::any_of(call->args(), [&](const llvm::Value *argument) {
    return argument->getType()->isPointerTy() && !llvm::isa<llvm::Function>(argument) &&
           comesFromMemory(argument);
  });
}

uint64_t mix(uint64_t state, uint64_t value) {
  state = (state ^ value) * 0x9e3779b97f4a7c15u;
  return state ^ (state >> 29);
}

} // namespace

uint64_t FunctionRegions::hash() const {
  uint64_t state = mix(blocks.size(), loops.size());
  for (const BlockRegion &block : blocks) {
    state = mix(state, (uint64_t(block.line) << 32) | block.endLine);
    state = mix(state, (uint64_t(block.loop) << 32) | block.cost.instructions);
  }
  for (const CallRegion &call : calls)
    state = mix(mix(state, (uint64_t(call.block) << 32) | call.kind), call.callee.size());
  return state;
}

FunctionRegions collectRegions(llvm::Function &function, llvm::LoopInfo &info) {
  FunctionRegions regions;
  BlockIndex blockIndex;
  LoopIndex loopIndex;
  collectSource(function, regions);
  for (llvm::BasicBlock &block : function) {
    blockIndex[&block] = regions.order.size();
    regions.order.push_back(&block);
  }
  std::vector<llvm::Loop *> loops;
  for (llvm::Loop *loop : info.getLoopsInPreorder()) {
    loopIndex[loop] = loops.size();
    loops.push_back(loop);
  }
  collectBlocks(info, loopIndex, regions);
  collectLoops(loops, blockIndex, loopIndex, regions);
  for (llvm::BasicBlock *block : regions.order)
    for (llvm::Instruction &instruction : *block) {
      regions.writes |= writesOutside(instruction);
      regions.follows |= followsPointer(instruction, info.getLoopFor(block) != nullptr);
      if (auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction))
        collectCall(*call, blockIndex.lookup(block), regions);
    }
  return regions;
}

} // namespace perfidy
