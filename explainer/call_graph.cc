#include "explainer/call_graph.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

namespace perfidy {
namespace {

constexpr size_t kRunsForResolution = 200;

using NameIndex = std::map<std::string, std::vector<uint32_t>>;

NameIndex indexNames(const Trace &trace) {
  NameIndex names;
  for (uint32_t i = 0; i < trace.functions.size(); ++i)
    names[trace.functions[i].name].push_back(i);
  return names;
}

// Functions of one name: static ones of several files (the caller's own file wins), or differently
// compiled copies of an inline function (all of them may be meant).
std::vector<uint32_t> resolveName(const Trace &trace,
                                  const NameIndex &names,
                                  const Function &caller,
                                  const std::string &callee) {
  auto found = names.find(callee);
  if (found == names.end())
    return {};
  std::vector<uint32_t> same;
  for (uint32_t id : found->second)
    if (trace.functions[id].file == caller.file)
      same.push_back(id);
  return same.empty() ? found->second : same;
}

struct Site {
  uint32_t caller, site;
  uint64_t count(const Trace &trace, const Run &run) const {
    return siteCount(trace, run, caller, site);
  }
};

class Builder {
public:
  explicit Builder(const Trace &trace) : trace(trace), names(indexNames(trace)) {
    size_t step = std::max<size_t>(1, trace.runs.size() / kRunsForResolution);
    for (size_t i = 0; i < trace.runs.size(); i += step)
      runs.push_back(&trace.runs[i]);
  }

  CallGraph build() {
    directSites.resize(trace.functions.size());
    directCallees.resize(trace.functions.size());
    passedSites.resize(trace.functions.size());
    collectSites();
    for (uint32_t id = 0; id < trace.functions.size(); ++id)
      unexplainedEntries.push_back(unexplained(id));
    for (uint32_t id = 0; id < trace.functions.size(); ++id)
      firstEntryUnknown.push_back(!unexplainedEntries[id].empty() && !directlyEntered(id));
    for (uint32_t callee = 0; callee < trace.functions.size(); ++callee)
      resolveIndirect(callee);
    std::sort(graph.edges.begin(), graph.edges.end(), [](const CallEdge &a, const CallEdge &b) {
      return std::tie(a.caller, a.site, a.callee) < std::tie(b.caller, b.site, b.callee);
    });
    graph.out.resize(trace.functions.size());
    graph.in.resize(trace.functions.size());
    for (uint32_t e = 0; e < graph.edges.size(); ++e) {
      graph.out[graph.edges[e].caller].push_back(e);
      graph.in[graph.edges[e].callee].push_back(e);
    }
    findComponents();
    return std::move(graph);
  }

private:
  void collectSites() {
    for (uint32_t id = 0; id < trace.functions.size(); ++id) {
      const Function &caller = trace.functions[id];
      for (uint32_t s = 0; s < caller.calls.size(); ++s) {
        const CallSite &call = caller.calls[s];
        if (call.kind == CallKind::Indirect) {
          indirect.push_back({id, s});
          continue;
        }
        for (uint32_t callee : resolveName(trace, names, caller, call.callee)) {
          if (call.kind == CallKind::Passed) {
            passedSites[callee].push_back({id, s});
          } else {
            directSites[callee].push_back({id, s});
            directCallees[id].push_back(callee);
            graph.edges.push_back({id, s, callee});
          }
        }
      }
    }
  }

  // Entries of a function per run that no direct call explains.
  std::vector<double> unexplained(uint32_t callee) const {
    std::vector<double> left;
    bool any = false;
    for (const Run *run : runs) {
      double entries = double(countOf(run->blocks, trace.functions[callee].firstBlock));
      for (const Site &site : directSites[callee])
        entries -= double(site.count(trace, *run));
      left.push_back(std::max(entries, 0.0));
      any |= entries > 0;
    }
    return any ? left : std::vector<double>();
  }

  // How badly a site explains the entries: infinite if it ran less often in some run.
  double misfit(const Site &site, const std::vector<double> &entries, bool mustCover) const {
    double sum = 0;
    for (size_t r = 0; r < runs.size(); ++r) {
      double count = double(site.count(trace, *runs[r]));
      if (mustCover && count < entries[r])
        return std::numeric_limits<double>::infinity();
      sum += std::fabs(std::log1p(count) - std::log1p(entries[r]));
    }
    return sum;
  }

  // Called from outside: by an engine, or by the C library.
  bool isRoot(uint32_t id) const {
    return trace.functions[id].harness || trace.functions[id].name == "main";
  }

  // True if in every run direct calls explain some of the entries, the first one included.
  bool directlyEntered(uint32_t callee) const {
    for (size_t r = 0; r < runs.size(); ++r) {
      double all = double(countOf(runs[r]->blocks, trace.functions[callee].firstBlock));
      if (all > 0 && unexplainedEntries[callee][r] >= all)
        return false;
    }
    return true;
  }

  // Functions that can be reached without entering `avoided`: over direct calls, from those whose
  // first caller is unknown.
  std::vector<bool> reachableWithout(uint32_t avoided) const {
    std::vector<bool> reached(trace.functions.size());
    std::vector<uint32_t> work;
    auto reach = [&](uint32_t id) {
      if (id == avoided || reached[id])
        return;
      reached[id] = true;
      work.push_back(id);
    };
    for (uint32_t id = 0; id < trace.functions.size(); ++id)
      if (firstEntryUnknown[id])
        reach(id);
    while (!work.empty()) {
      uint32_t id = work.back();
      work.pop_back();
      for (uint32_t callee : directCallees[id])
        reach(callee);
    }
    return reached;
  }

  void resolveIndirect(uint32_t callee) {
    const std::vector<double> &entries = unexplainedEntries[callee];
    if (entries.empty() || isRoot(callee))
      return;
    // What runs only after a function was entered cannot be what entered it first: without this
    // rule a callback would seem to be called by its own callees, and to be recursive.
    std::vector<bool> eligible;
    if (firstEntryUnknown[callee])
      eligible = reachableWithout(callee);
    // A passed function may be called many times per passing (qsort's comparison).
    for (bool passed : {true, false}) {
      const std::vector<Site> &sites = passed ? passedSites[callee] : indirect;
      const Site *best = nullptr;
      double bestMisfit = std::numeric_limits<double>::infinity();
      for (const Site &site : sites) {
        if (!eligible.empty() && !eligible[site.caller])
          continue;
        double value = misfit(site, entries, !passed);
        if (value < bestMisfit) {
          bestMisfit = value;
          best = &site;
        }
      }
      if (best) {
        graph.edges.push_back({best->caller, best->site, callee});
        return;
      }
    }
  }

  // Tarjan 1972, iterative; components come out callees first.
  void findComponents() {
    size_t count = trace.functions.size();
    graph.component.assign(count, kNone);
    std::vector<uint32_t> order(count, kNone), low(count, 0), stack;
    std::vector<std::pair<uint32_t, size_t>> work;
    uint32_t next = 0;
    for (uint32_t root = 0; root < count; ++root) {
      if (order[root] != kNone)
        continue;
      work.emplace_back(root, 0);
      while (!work.empty()) {
        auto &[node, edge] = work.back();
        if (edge == 0) {
          order[node] = low[node] = next++;
          stack.push_back(node);
        }
        bool descended = false;
        while (edge < graph.out[node].size()) {
          uint32_t to = graph.edges[graph.out[node][edge++]].callee;
          if (order[to] == kNone) {
            work.emplace_back(to, 0);
            descended = true;
            break;
          }
          if (graph.component[to] == kNone)
            low[node] = std::min(low[node], order[to]);
        }
        if (!descended)
          closeNode(order, low, stack, work);
      }
    }
  }

  void closeNode(const std::vector<uint32_t> &order,
                 std::vector<uint32_t> &low,
                 std::vector<uint32_t> &stack,
                 std::vector<std::pair<uint32_t, size_t>> &work) {
    uint32_t node = work.back().first;
    work.pop_back();
    if (!work.empty())
      low[work.back().first] = std::min(low[work.back().first], low[node]);
    if (low[node] != order[node])
      return;
    graph.members.emplace_back();
    uint32_t member;
    do {
      member = stack.back();
      stack.pop_back();
      graph.component[member] = static_cast<uint32_t>(graph.members.size() - 1);
      graph.members.back().push_back(member);
    } while (member != node);
    std::sort(graph.members.back().begin(), graph.members.back().end());
  }

  const Trace &trace;
  NameIndex names;
  std::vector<const Run *> runs;
  std::vector<std::vector<Site>> directSites, passedSites; ///< per callee
  std::vector<std::vector<uint32_t>> directCallees;        ///< per caller
  std::vector<std::vector<double>> unexplainedEntries; ///< per callee; empty when all are explained
  std::vector<bool> firstEntryUnknown;                 ///< per callee
  std::vector<Site> indirect;
  CallGraph graph;
};

} // namespace

bool CallGraph::recursive(uint32_t function) const {
  if (members[component[function]].size() > 1)
    return true;
  return std::any_of(out[function].begin(), out[function].end(), [&](uint32_t e) {
    return edges[e].callee == function;
  });
}

uint64_t siteCount(const Trace &trace, const Run &run, uint32_t caller, uint32_t site) {
  const Function &function = trace.functions[caller];
  return countOf(run.blocks, function.firstBlock + function.calls[site].block);
}

CallGraph buildCallGraph(const Trace &trace) { return Builder(trace).build(); }

} // namespace perfidy
