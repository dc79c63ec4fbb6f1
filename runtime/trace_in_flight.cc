#include "runtime/trace_in_flight.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

namespace perfidy {
namespace {

/// A call site by which a function is entered: (function, index of the block there).
struct Caller {
  size_t function;
  uint32_t block;
};

using Callers = std::vector<std::vector<Caller>>;

Callers directCallers(const Trace &trace) {
  std::unordered_map<std::string, std::vector<size_t>> byName;
  for (size_t i = 0; i < trace.functions.size(); ++i)
    byName[trace.functions[i].name].push_back(i);
  Callers callers(trace.functions.size());
  for (size_t i = 0; i < trace.functions.size(); ++i)
    for (const CallSite &call : trace.functions[i].calls)
      if (auto found = byName.find(call.callee);
          found != byName.end() && call.kind == CallKind::Direct)
        for (size_t callee : found->second)
          callers[callee].push_back({i, call.block});
  return callers;
}

class InFlight {
public:
  InFlight(const Trace &trace, const Callers &callers, Run &run)
      : trace(trace), callers(callers), run(run) {
    for (const auto &[index, count] : run.blocks)
      executed[index] = count > 0;
  }

  void complete() {
    size_t id = 0;
    for (const auto &[index, count] : SparseCounts(run.blocks)) {
      while (id + 1 < trace.functions.size() && trace.functions[id + 1].firstBlock <= index)
        ++id;
      surroundings(id, index - trace.functions[id].firstBlock);
    }
    while (!entered.empty()) {
      const size_t function = entered.back();
      entered.pop_back();
      callOf(function);
    }
    std::sort(run.blocks.begin(), run.blocks.end());
  }

private:
  // False if the block is known to have been executed.
  bool add(size_t function, uint32_t block) {
    bool &known = executed[trace.functions[function].firstBlock + block];
    if (known)
      return false;
    known = true;
    run.blocks.emplace_back(trace.functions[function].firstBlock + block, 1);
    return true;
  }

  // What must have been executed before this block.
  void surroundings(size_t id, uint32_t block) {
    const Function &function = trace.functions[id];
    for (uint32_t loop = function.blocks[block].loop; loop != kNone;
         loop = function.loops[loop].parent) {
      add(id, function.loops[loop].header);
      if (function.loops[loop].preheader != kNone)
        add(id, function.loops[loop].preheader);
    }
    add(id, 0);
    if (seen.insert(id).second)
      entered.push_back(id);
  }

  void callOf(size_t id) {
    const std::vector<Caller> &sites = callers[id];
    if (sites.size() != 1 || sites[0].function == id)
      return;
    if (add(sites[0].function, sites[0].block))
      surroundings(sites[0].function, sites[0].block);
  }

  const Trace &trace;
  const Callers &callers;
  Run &run;
  std::unordered_map<uint32_t, bool> executed; ///< by global block index
  std::unordered_set<size_t> seen;             ///< functions whose callers are looked at
  std::vector<size_t> entered;
};

} // namespace

void completeInFlight(Trace &trace) {
  const bool any = std::any_of(trace.runs.begin(), trace.runs.end(), [](const Run &run) {
    return run.status != RunStatus::Complete;
  });
  if (!any)
    return;
  const Callers callers = directCallers(trace);
  for (Run &run : trace.runs)
    if (run.status != RunStatus::Complete)
      InFlight(trace, callers, run).complete();
}

} // namespace perfidy
