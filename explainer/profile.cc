#include "explainer/profile.h"

#include <algorithm>

namespace perfidy {
namespace {

void addSelfCosts(const Trace &trace, const Run &run, Profile &profile) {
  size_t id = 0;
  for (const auto &[index, count] : run.blocks) {
    while (id + 1 < trace.functions.size() && trace.functions[id + 1].firstBlock <= index)
      ++id;
    const Function &function = trace.functions[id];
    profile.self[id] += double(count) * function.blocks[index - function.firstBlock].instructions;
    if (index == function.firstBlock)
      profile.entries[id] = double(count);
  }
  id = 0;
  for (const auto &[index, bytes] : run.work) {
    while (id + 1 < trace.functions.size() && trace.functions[id + 1].firstWork <= index)
      ++id;
    profile.self[id] += double(bytes) / double(kWorkBytesPerInstruction);
  }
}

// Charges the finished inclusive cost of a component to the call sites outside it.
void chargeCallers(const Trace &trace,
                   const CallGraph &graph,
                   const Run &run,
                   uint32_t component,
                   double cost,
                   Profile &profile) {
  std::vector<std::pair<uint32_t, double>> outside;
  double calls = 0;
  for (uint32_t member : graph.members[component]) {
    if (profile.entries[member] == 0)
      continue;
    for (uint32_t e : graph.in[member]) {
      if (graph.component[graph.edges[e].caller] == component)
        continue;
      const CallEdge &edge = graph.edges[e];
      double count = double(siteCount(trace, run, edge.caller, edge.site));
      // Copies of one inline function share their sites: weigh by the copy's own entries.
      double weight = std::min(count, profile.entries[member]);
      outside.emplace_back(e, weight);
      calls += weight;
    }
  }
  for (const auto &[e, weight] : outside)
    if (calls > 0)
      profile.edgeCost[e] = cost * weight / calls;
}

} // namespace

Profile profileRun(const Trace &trace, const CallGraph &graph, const Run &run) {
  Profile profile;
  size_t count = trace.functions.size();
  profile.entries.assign(count, 0);
  profile.self.assign(count, 0);
  profile.inclusive.assign(count, 0);
  profile.edgeCost.assign(graph.edges.size(), 0);
  addSelfCosts(trace, run, profile);
  for (double self : profile.self)
    profile.total += self;
  // Callees come first, so the costs charged to a component's sites are complete when it is
  // reached.
  for (uint32_t component = 0; component < graph.members.size(); ++component) {
    double cost = 0;
    for (uint32_t member : graph.members[component]) {
      cost += profile.self[member];
      for (uint32_t e : graph.out[member])
        cost += profile.edgeCost[e];
    }
    for (uint32_t member : graph.members[component])
      if (profile.entries[member] > 0)
        profile.inclusive[member] = cost;
    if (cost > 0)
      chargeCallers(trace, graph, run, component, cost, profile);
  }
  return profile;
}

bool loopContains(const Function &function, uint32_t outer, uint32_t inner) {
  while (inner != kNone && inner != outer)
    inner = function.loops[inner].parent;
  return inner == outer;
}

LoopProfile profileLoop(const Trace &trace,
                        const CallGraph &graph,
                        const Profile &profile,
                        const Run &run,
                        uint32_t id,
                        uint32_t loop) {
  const Function &function = trace.functions[id];
  const Loop &described = function.loops[loop];
  LoopProfile result;
  result.count = double(countOf(run.blocks, function.firstBlock + described.header));
  if (result.count == 0)
    return result;
  if (described.preheader != kNone)
    result.entries = double(countOf(run.blocks, function.firstBlock + described.preheader));
  std::vector<bool> inside(function.blocks.size());
  for (uint32_t b = 0; b < function.blocks.size(); ++b)
    inside[b] = loopContains(function, loop, function.blocks[b].loop);
  auto at = std::lower_bound(run.blocks.begin(),
                             run.blocks.end(),
                             function.firstBlock,
                             [](const auto &pair, uint32_t i) { return pair.first < i; });
  for (; at != run.blocks.end() && at->first < function.firstBlock + function.blocks.size(); ++at)
    if (uint32_t b = at->first - function.firstBlock; inside[b])
      result.inclusive += double(at->second) * function.blocks[b].instructions;
  for (const CallSite &call : function.calls)
    if (inside[call.block] && call.work != kNone)
      result.inclusive += double(countOf(run.work, function.firstWork + call.work)) /
                          double(kWorkBytesPerInstruction);
  for (uint32_t e : graph.out[id])
    if (inside[function.calls[graph.edges[e].site].block])
      result.inclusive += profile.edgeCost[e];
  return result;
}

} // namespace perfidy
