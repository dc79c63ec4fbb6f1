// Suite A: Prim's minimum spanning tree of the component of node 0, looking for the next node by
// a scan over all nodes.
// Input: edges of 5 bytes: two ends of 16 bits, high byte first, and a weight. There are as many
// nodes as edges; ends are taken modulo their number. A rest of up to 4 bytes is ignored.
// CLASS connected function=minimumSpanningTree,nearest growth=1.7..2.3
//   many nodes in the component of node 0
// WORST a star around node 0 whose weights fall with the number of the node: all nodes are
//   reached, and each scan replaces its candidate at each node left.
#include <cstddef>
#include <cstdint>
#include <vector>

namespace {

struct Edge {
  size_t to;
  uint32_t weight;
  int next; // in the list of its node, -1 = end
};

constexpr uint32_t kFar = 256;

struct Graph {
  std::vector<int> first; // per node: first edge
  std::vector<Edge> edges;
};

Graph read(const uint8_t *data, size_t size) {
  const size_t nodes = size / 5;
  Graph graph{std::vector<int>(nodes, -1), {}};
  graph.edges.reserve(2 * nodes);
  for (size_t i = 0; i < nodes; ++i, data += 5) {
    size_t from = (size_t(data[0]) << 8 | data[1]) % nodes;
    size_t to = (size_t(data[2]) << 8 | data[3]) % nodes;
    uint32_t weight = data[4];
    graph.edges.push_back(Edge{to, weight, graph.first[from]});
    graph.first[from] = static_cast<int>(2 * i);
    graph.edges.push_back(Edge{from, weight, graph.first[to]});
    graph.first[to] = static_cast<int>(2 * i + 1);
  }
  return graph;
}

size_t nearest(const std::vector<uint32_t> &distance, const std::vector<uint8_t> &done) {
  size_t best = distance.size();
  uint32_t least = kFar;
  for (size_t node = 0; node < distance.size(); ++node)
    if (!done[node] && distance[node] < least) {
      least = distance[node];
      best = node;
    }
  return best;
}

uint64_t minimumSpanningTree(const Graph &graph) {
  size_t nodes = graph.first.size();
  std::vector<uint32_t> distance(nodes, kFar);
  std::vector<uint8_t> done(nodes, 0);
  uint64_t total = 0;
  for (size_t node = 0; node < nodes; node = nearest(distance, done)) {
    done[node] = 1;
    total += node ? distance[node] : 0;
    for (int i = graph.first[node]; i >= 0; i = graph.edges[static_cast<size_t>(i)].next) {
      const Edge &edge = graph.edges[static_cast<size_t>(i)];
      if (!done[edge.to] && edge.weight < distance[edge.to])
        distance[edge.to] = edge.weight;
    }
  }
  return total;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size < 5)
    return 0;
  return minimumSpanningTree(read(data, size)) == ~0ull;
}
