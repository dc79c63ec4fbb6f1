// The flow graph of flow.h without LLVM: maximum spanning tree, and block counts as sums.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

namespace perfidy {

/// An edge of the program's flow graph, or a block seen as an edge (successor PERFIDY_NONE).
struct FlowEdge {
  unsigned block, successor;
  unsigned from, to; ///< nodes; 0 is the root
  uint64_t cost;     ///< of a counter here
  bool inTree = false, needed = false, forced = false;
  bool zero = false;    ///< never runs
  unsigned value = ~0u; ///< once solved
};

class FlowGraph {
public:
  explicit FlowGraph(unsigned blocks)
      : openStarts(blocks, false), openEnds(blocks, false), forced(blocks, false) {}

  /// The block is entered from outside. Call before adding blocks and edges, as the next two.
  void openStart(unsigned block) { openStarts[block] = true; }
  /// What leaves the block need not be what entered it.
  void openEnd(unsigned block) { openEnds[block] = true; }
  bool hasOpenEnd(unsigned block) const { return openEnds[block]; }
  /// The block gets a counter of its own, and what enters it need not be known.
  void countBlock(unsigned block) { openStarts[block] = forced[block] = true; }

  void addBlock(unsigned block, uint64_t cost);
  void addEdge(unsigned from, unsigned to, uint64_t cost);

  /// Chooses the tree (ties: by order of adding, so the result depends on the input alone) and
  /// expresses each block by counters. After it:
  void solve();
  /// the counted edges by index of their counters;
  const std::vector<FlowEdge> &counted() const { return chords; }
  /// per block its value;
  const std::vector<unsigned> &blockValues() const { return values; }
  /// sums of values, coded as in runtime/abi.h;
  const std::vector<unsigned> &terms() const { return coded; }
  unsigned valueCount() const { return meaning.size(); }

  /// A sum of counters with factors, sorted by counter.
  using Sum = std::vector<std::pair<unsigned, int>>;

private:
  unsigned inNode(unsigned block) const { return openStarts[block] ? 0 : 1 + 2 * block; }
  unsigned outNode(unsigned block) const { return openEnds[block] ? 0 : 2 + 2 * block; }
  void add(unsigned block, unsigned successor, unsigned from, unsigned to, uint64_t cost);
  void chooseTree();
  void orderNodes();
  void markNeeded();
  void numberCounters();
  void express(unsigned node);

  std::vector<bool> openStarts, openEnds, forced;
  std::vector<FlowEdge> edges;
  std::vector<std::vector<unsigned>> at; ///< edges by node, without loops at the root
  std::vector<unsigned> order;           ///< nodes from the root outwards
  std::vector<unsigned> parent;          ///< tree edge towards the root, by node
  std::vector<FlowEdge> chords;
  std::vector<unsigned> values, coded;
  std::vector<Sum> meaning;        ///< by value: what it is in counters
  std::map<Sum, unsigned> valueOf; ///< so that equal counts are one value
};

} // namespace perfidy
