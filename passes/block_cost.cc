#include "passes/block_cost.h"
#include "passes/library_work.h"

#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

#include <algorithm>

namespace perfidy {
namespace {

// As the runtime weighs counted work (PERFIDY_WORK_BYTES_PER_INSTRUCTION).
constexpr unsigned kBytesPerInstruction = 8;

struct Weight {
  unsigned opcode;
  unsigned weight;
};

// Whatever is not here weighs 1. Divisions follow the latency classes of current x86-64 and AArch64
// cores (coarsely); casts that change no bits, PHIs and static allocas cost nothing.
constexpr Weight kWeights[] = {
    {llvm::Instruction::PHI, 0},
    {llvm::Instruction::Alloca, 0},
    {llvm::Instruction::BitCast, 0},
    {llvm::Instruction::PtrToInt, 0},
    {llvm::Instruction::IntToPtr, 0},
    {llvm::Instruction::Freeze, 0},
    {llvm::Instruction::UDiv, 10},
    {llvm::Instruction::SDiv, 10},
    {llvm::Instruction::URem, 10},
    {llvm::Instruction::SRem, 10},
    {llvm::Instruction::FDiv, 6},
    {llvm::Instruction::FRem, 20},
    {llvm::Instruction::Call, 3},
    {llvm::Instruction::Invoke, 3},
};

unsigned weightOf(const llvm::Instruction &instruction) {
  if (const auto *intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction))
    return intrinsic->isAssumeLikeIntrinsic() ? 0 : 1;
  for (const Weight &entry : kWeights)
    if (entry.opcode == instruction.getOpcode())
      return entry.weight;
  return 1;
}

uint16_t saturate(unsigned value) { return static_cast<uint16_t>(std::min(value, 0xffffu)); }

} // namespace

BlockCost blockCost(const llvm::BasicBlock &block) {
  unsigned instructions = 0, memory = 0, calls = 0;
  for (const llvm::Instruction &instruction : block) {
    instructions += weightOf(instruction);
    if (const auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction))
      instructions += (smallLibraryWork(*call) + kBytesPerInstruction - 1) / kBytesPerInstruction;
    memory += instruction.mayReadOrWriteMemory() && !llvm::isa<llvm::CallBase>(instruction);
    calls += llvm::isa<llvm::CallBase>(instruction) && !llvm::isa<llvm::IntrinsicInst>(instruction);
  }
  // Even an empty block was reached by a jump.
  return {saturate(std::max(instructions, 1u)), saturate(memory), saturate(calls)};
}

} // namespace perfidy
