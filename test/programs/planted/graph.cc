// A build graph: byte i is target i. A letter depends on the next target and on one a few places
// further; "." is a source without dependencies. Walks it from the first target.
//
// SEED "ab."
// PLANTED BUG_MEMO kind=recursion_without_memo function=stepsFrom exponent=exponential
// PLANTED BUG_QUEUED kind=list_as_set function=isQueued exponent=2
// PLANTED BUG_COPY kind=copy_by_value function=visit exponent=2
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace {

struct Target {
  std::vector<uint32_t> needs;
};
using Graph = std::vector<Target>;

Graph readGraph(const uint8_t *data, size_t size) {
  Graph graph(size);
  for (size_t i = 0; i < size; ++i) {
    if (data[i] < 'a' || data[i] > 'z')
      continue;
    for (size_t further : {size_t(1), size_t(1) + (data[i] - 'a') % 4})
      if (i + further < size)
        graph[i].needs.push_back(static_cast<uint32_t>(i + further));
  }
  return graph;
}

class Walk {
public:
  explicit Walk(const Graph &graph) : graph_(graph), known_(graph.size()), queued_(graph.size()) {}

  // The number of build steps below a target, modulo 2^32: shared ones count each time.
  uint32_t stepsFrom(uint32_t target) { // GUILTY_MEMO
#ifndef BUG_MEMO
    if (known_[target] != 0)
      return known_[target];
#endif
    uint32_t steps = 1;
    for (uint32_t need : graph_[target].needs)
      steps += stepsFrom(need); // GUILTY_MEMO
    known_[target] = steps;
    return steps;
  }

  // Breadth first.
  size_t reachable() {
    size_t edges = 0;
    enqueue(0);
    for (size_t at = 0; at < queue_.size(); ++at)
      edges += visit(queue_[at]);
    return edges;
  }

private:
  bool isQueued(uint32_t target) const {
#ifdef BUG_QUEUED
    return std::find(queue_.begin(), queue_.end(), target) != queue_.end(); // GUILTY_QUEUED
#else
    return queued_[target];
#endif
  }

  void enqueue(uint32_t target) {
    if (isQueued(target)) // GUILTY_QUEUED
      return;
    queued_[target] = true;
    queue_.push_back(target);
  }

  size_t visit(uint32_t target) {
#ifdef BUG_COPY
    Graph graph = graph_; // GUILTY_COPY
#else
    const Graph &graph = graph_;
#endif
    for (uint32_t need : graph[target].needs)
      enqueue(need);
    return graph[target].needs.size();
  }

  const Graph &graph_;
  std::vector<uint32_t> known_, queue_;
  std::vector<bool> queued_;
};

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size == 0)
    return 0;
  Graph graph = readGraph(data, size);
  Walk walk(graph);
  return walk.reachable() + walk.stepsFrom(0) == size_t(-1);
}
