#include "passes/flow.h"
#include "passes/calls.h"
#include "passes/flow_graph.h"
#include "passes/llvm_compat.h"
#include "runtime/abi.h"

#include "llvm/Analysis/BlockFrequencyInfo.h"
#include "llvm/Analysis/BranchProbabilityInfo.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

#include <set>

namespace perfidy {
namespace {

// A counter on an edge that needs a block of its own also costs a jump, more often than not.
constexpr uint64_t kPlainCost = 4, kSplitCost = 7;

bool isReturningTwice(const llvm::CallBase &call) {
  return call.hasFnAttr(llvm::Attribute::ReturnsTwice);
}

bool isCountable(const llvm::BasicBlock &from, const llvm::BasicBlock &to) {
  const llvm::Instruction *end = from.getTerminator();
  if (to.isEHPad())
    return to.getUniquePredecessor() != nullptr;
  return llvm::isa<llvm::BranchInst>(end) || llvm::isa<llvm::SwitchInst>(end) ||
         llvm::isa<llvm::InvokeInst>(end);
}

bool needsSplit(const llvm::BasicBlock &from, const llvm::BasicBlock &to) {
  return !from.getUniqueSuccessor() && !to.getUniquePredecessor();
}

// Builds the flow graph of one function.
class Builder {
public:
  Builder(llvm::Function &function,
          const FunctionRegions &regions,
          llvm::LoopInfo &loops,
          const Returning &returning)
      : regions(regions), returning(returning), probabilities(function, loops),
        frequencies(function, probabilities, loops), graph(regions.order.size()) {
    for (unsigned i = 0; i < regions.order.size(); ++i)
      index[regions.order[i]] = i;
  }

  FlowPlan build() {
    FlowPlan plan;
    graph.openStart(0);
    for (unsigned i = 0; i < regions.order.size(); ++i)
      detach(i, plan);
    for (unsigned i = 0; i < regions.order.size(); ++i) {
      uint64_t frequency = frequencies.getBlockFreq(regions.order[i]).getFrequency();
      graph.addBlock(i, scaled(frequency, kPlainCost));
      addEdges(i);
    }
    graph.solve();
    for (const FlowEdge &edge : graph.counted())
      plan.counters.push_back(pointOf(edge));
    plan.blockValues = graph.blockValues();
    plan.terms = graph.terms();
    plan.valueCount = graph.valueCount();
    return plan;
  }

private:
  // An only edge is as good as its block, whose start is the better place: behind a call that
  // returns at once, a counter would keep it from being a tail call.
  CountingPoint pointOf(const FlowEdge &edge) const {
    llvm::BasicBlock *block = regions.order[edge.block];
    bool whole = edge.successor == PERFIDY_NONE ||
                 (block->getUniqueSuccessor() && !graph.hasOpenEnd(edge.block));
    return {block, whole ? nullptr : regions.order[edge.successor]};
  }

  static uint64_t scaled(uint64_t frequency, uint64_t cost) {
    return frequency > UINT64_MAX / 8 ? UINT64_MAX : frequency * cost;
  }

  // Decides where flow need not balance.
  void detach(unsigned i, FlowPlan &plan) {
    llvm::BasicBlock *block = regions.order[i];
    if (llvm::succ_empty(block)) {
      graph.openEnd(i);
      return;
    }
    for (const llvm::Instruction &instruction : *block) {
      const auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
      if (call && returning.mayLeave(*call)) {
        graph.openEnd(i);
        plan.splits = true;
      }
    }
    for (const llvm::BasicBlock *successor : llvm::successors(block))
      if (!isCountable(*block, *successor)) {
        graph.openEnd(i);
        graph.countBlock(index.lookup(successor));
      }
  }

  void addEdges(unsigned i) {
    llvm::BasicBlock *block = regions.order[i];
    std::set<unsigned> done; // a switch may lead to one block over several cases
    for (llvm::BasicBlock *successor : llvm::successors(block)) {
      unsigned to = index.lookup(successor);
      if (!isCountable(*block, *successor) || !done.insert(to).second)
        continue;
      llvm::BranchProbability taken = probabilities.getEdgeProbability(block, successor);
      uint64_t frequency = (frequencies.getBlockFreq(block) * taken).getFrequency();
      graph.addEdge(
          i, to, scaled(frequency, needsSplit(*block, *successor) ? kSplitCost : kPlainCost));
    }
  }

  const FunctionRegions &regions;
  const Returning &returning;
  llvm::BranchProbabilityInfo probabilities;
  llvm::BlockFrequencyInfo frequencies;
  llvm::DenseMap<const llvm::BasicBlock *, unsigned> index;
  FlowGraph graph;
};

} // namespace

FlowPlan planPerBlock(const FunctionRegions &regions) {
  FlowPlan plan;
  plan.perBlock = true;
  for (unsigned i = 0; i < regions.order.size(); ++i) {
    plan.counters.push_back({regions.order[i], nullptr});
    plan.blockValues.push_back(i);
  }
  plan.valueCount = plan.counters.size();
  return plan;
}

FlowPlan planFlow(llvm::Function &function,
                  const FunctionRegions &regions,
                  llvm::LoopInfo &loops,
                  const Returning &returning) {
  if (anyCall(function, isReturningTwice) || anyCall(function, isCoroutineMark))
    return planPerBlock(regions);
  return Builder(function, regions, loops, returning).build();
}

} // namespace perfidy
