#include "passes/flow_graph.h"
#include "runtime/abi.h"

#include <algorithm>
#include <numeric>

namespace perfidy {

constexpr size_t kLongestCompared = 32;

void FlowGraph::add(unsigned block, unsigned successor, unsigned from, unsigned to, uint64_t cost) {
  FlowEdge edge = {block, successor, from, to, cost};
  edge.forced = successor == PERFIDY_NONE && forced[block];
  edges.push_back(edge);
}

void FlowGraph::addBlock(unsigned block, uint64_t cost) {
  add(block, PERFIDY_NONE, inNode(block), outNode(block), cost);
}

void FlowGraph::addEdge(unsigned from, unsigned to, uint64_t cost) {
  add(from, to, outNode(from), inNode(to), cost);
}

// Kruskal with union by path halving; dearest first.
void FlowGraph::chooseTree() {
  std::vector<unsigned> byCost(edges.size()), leader(1 + 2 * forced.size());
  std::iota(byCost.begin(), byCost.end(), 0);
  std::iota(leader.begin(), leader.end(), 0);
  std::stable_sort(byCost.begin(), byCost.end(), [&](unsigned a, unsigned b) {
    return edges[a].cost > edges[b].cost;
  });
  auto find = [&](unsigned node) {
    while (leader[node] != node)
      node = leader[node] = leader[leader[node]];
    return node;
  };
  for (unsigned e : byCost) {
    unsigned from = find(edges[e].from), to = find(edges[e].to);
    if (edges[e].forced || from == to)
      continue;
    leader[from] = to;
    edges[e].inTree = true;
  }
}

// Breadth first from the root. What the root does not reach (a loop without an exit) gets a root of
// its own, where the activation that never ends is missing from the balance.
void FlowGraph::orderNodes() {
  unsigned nodes = 1 + 2 * forced.size();
  at.assign(nodes, {});
  for (unsigned e = 0; e < edges.size(); ++e)
    if (edges[e].from != edges[e].to) {
      at[edges[e].from].push_back(e);
      at[edges[e].to].push_back(e);
    }
  parent.assign(nodes, PERFIDY_NONE);
  std::vector<bool> seen(nodes, false);
  for (unsigned start = 0; start < nodes; ++start) {
    if (seen[start])
      continue;
    seen[start] = true;
    size_t next = order.size();
    order.push_back(start);
    for (; next < order.size(); ++next)
      for (unsigned e : at[order[next]]) {
        unsigned other = edges[e].from == order[next] ? edges[e].to : edges[e].from;
        if (!edges[e].inTree || seen[other])
          continue;
        seen[other] = true;
        parent[other] = e;
        order.push_back(other);
      }
  }
}

// Blocks are wanted; a tree edge needs all other edges at its far node.
void FlowGraph::markNeeded() {
  for (FlowEdge &edge : edges)
    edge.needed = edge.successor == PERFIDY_NONE;
  for (unsigned node : order)
    if (parent[node] != PERFIDY_NONE && edges[parent[node]].needed)
      for (unsigned e : at[node])
        edges[e].needed = true;
}

void FlowGraph::numberCounters() {
  for (FlowEdge &edge : edges)
    if (!edge.inTree && edge.needed) {
      edge.value = chords.size();
      meaning.push_back({{edge.value, 1}});
      valueOf[meaning.back()] = edge.value;
      chords.push_back(edge);
    }
}

// Adds a multiple of one sum of counters to another, both sorted by counter.
static void accumulate(FlowGraph::Sum &sum, const FlowGraph::Sum &other, int times) {
  FlowGraph::Sum merged;
  size_t i = 0, j = 0;
  while (i < sum.size() || j < other.size()) {
    bool left = j == other.size() || (i < sum.size() && sum[i].first <= other[j].first);
    bool right = i == sum.size() || (j < other.size() && other[j].first <= sum[i].first);
    int factor = (left ? sum[i].second : 0) + (right ? times * other[j].second : 0);
    unsigned counter = left ? sum[i].first : other[j].first;
    i += left;
    j += right;
    if (factor)
      merged.push_back({counter, factor});
  }
  sum = std::move(merged);
}

// The value of the tree edge between a node and its parent: what balances the node.
void FlowGraph::express(unsigned node) {
  FlowEdge &edge = edges[parent[node]];
  if (!edge.needed)
    return;
  bool enters = edge.to == node;
  std::vector<unsigned> terms;
  Sum whole;
  for (unsigned e : at[node]) {
    const FlowEdge &other = edges[e];
    if (e == parent[node] || other.zero)
      continue;
    bool opposite = (other.to == node) != enters;
    terms.push_back(other.value | (opposite ? 0 : PERFIDY_TERM_MINUS));
    accumulate(whole, meaning[other.value], opposite ? 1 : -1);
  }
  if (whole.empty()) {
    edge.zero = true; // no flow can balance it but none
    return;
  }
  auto [known, isNew] = valueOf.insert({whole, meaning.size()});
  edge.value = known->second;
  if (!isNew)
    return;
  // A long sum is taken for a counter of its own: comparing it would cost more than it can save.
  if (whole.size() > kLongestCompared)
    whole = {{edge.value, 1}};
  meaning.push_back(std::move(whole));
  terms.back() |= PERFIDY_TERM_LAST;
  coded.insert(coded.end(), terms.begin(), terms.end());
}

void FlowGraph::solve() {
  chooseTree();
  orderNodes();
  markNeeded();
  numberCounters();
  for (size_t i = order.size(); i-- > 0;)
    if (parent[order[i]] != PERFIDY_NONE)
      express(order[i]);
  values.assign(forced.size(), PERFIDY_NONE);
  for (const FlowEdge &edge : edges)
    if (edge.successor == PERFIDY_NONE && !edge.zero)
      values[edge.block] = edge.value;
}

} // namespace perfidy
