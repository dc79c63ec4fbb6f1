// Whom a region is charged to when it cannot be blamed itself: readers, library code, and work that
// is merely repeated.
#include "explainer/blame.h"

#include <algorithm>
#include <fmt/format.h>
#include <optional>

namespace perfidy {

double countAt(const Comparison &in, const Run &run, uint32_t function, uint32_t site) {
  return double(siteCount(in.trace, run, function, site));
}

bool isStandardLibrary(const Function &function) {
  return function.file.find("/include/c++/") != std::string::npos;
}

Candidate aroundSite(const Comparison &in, uint32_t function, uint32_t site) {
  const Function &caller = in.trace.functions[function];
  Candidate candidate;
  candidate.function = function;
  candidate.site = site;
  candidate.loop = caller.blocks[caller.calls[site].block].loop;
  candidate.kind = candidate.loop == kNone ? RegionKind::Call : RegionKind::Loop;
  return candidate;
}

namespace {

// The edge over which a function is paid for on the slow side; null if nobody calls it. Costs are
// charged between components only, so walking up by it never goes round in a recursion.
const CallEdge *payingEdge(const Comparison &in, uint32_t function) {
  const CallEdge *best = nullptr;
  double bestCost = 0;
  for (uint32_t e : in.graph.in[function])
    if (in.slowTop().edgeCost[e] > bestCost) {
      bestCost = in.slowTop().edgeCost[e];
      best = &in.graph.edges[e];
    }
  return best;
}

// True if the caller itself repeats the call: the call site runs several times per entry.
bool repeats(const Comparison &in, const CallEdge &edge) {
  double entries = in.slowTop().entries[edge.caller];
  return countAt(in, *in.slow.runs.back(), edge.caller, edge.site) >= 2 * entries;
}

Candidate promoteTo(const Comparison &in, const CallEdge &edge, const Candidate &from) {
  Candidate promoted = aroundSite(in, edge.caller, edge.site);
  promoted.slow = from.slow;
  promoted.fast = from.fast;
  promoted.metric = "work per call";
  promoted.share = from.share;
  return promoted;
}

// The loop around the calls that lead to a candidate that runs ever more often on the slow side
// only. Loops around it in its own function say no more than the candidate itself.
std::optional<Candidate> repeaterOf(const Comparison &in, const Candidate &repeated) {
  constexpr int kMostLevels = 16;
  uint32_t function = repeated.function, loop = kNone;
  for (int level = 0; level < kMostLevels; ++level) {
    for (; loop != kNone; loop = in.trace.functions[function].loops[loop].parent) {
      Candidate candidate;
      candidate.function = function;
      candidate.loop = loop;
      measureLoop(in, candidate);
      if (candidate.slow.value >= kManyEntries * std::max(1.0, candidate.fast.value) &&
          candidate.slow.exponent - candidate.fast.exponent >= kGrowthGap)
        return candidate;
    }
    const CallEdge *edge = payingEdge(in, function);
    // The harness repeats because that is how the library is used.
    if (!edge || in.trace.functions[edge->caller].harness)
      return std::nullopt;
    function = edge->caller;
    loop = aroundSite(in, edge->caller, edge->site).loop;
  }
  return std::nullopt;
}

} // namespace

void promoteReader(const Comparison &in, const Candidate &reader, std::vector<Candidate> &out) {
  if (in.slowTop().entries[reader.function] < kManyEntries)
    return;
  const CallEdge *edge = payingEdge(in, reader.function);
  while (edge && in.trace.functions[edge->caller].readsOnly && !repeats(in, *edge) &&
         !in.trace.functions[edge->caller].harness && payingEdge(in, edge->caller))
    edge = payingEdge(in, edge->caller);
  if (!edge || edge->caller == reader.function)
    return;
  Candidate promoted = promoteTo(in, *edge, reader);
  promoted.score = reader.score * 1.05;
  promoted.because = fmt::format("asks {} again and again, which only reads",
                                 in.trace.functions[reader.function].display);
  out.push_back(std::move(promoted));
}

bool onlyRepeated(const Candidate &candidate) {
  return candidate.fast.entries >= 1 && candidate.fast.value * 2 >= candidate.slow.value &&
         candidate.slow.entries >= kManyEntries * candidate.fast.entries;
}

void addRepeater(const Comparison &in, const Candidate &repeated, std::vector<Candidate> &out) {
  std::optional<Candidate> repeater = repeaterOf(in, repeated);
  if (!repeater)
    return;
  const Function &function = in.trace.functions[repeated.function];
  repeater->score = repeated.score * 1.1;
  repeater->because =
      fmt::format("repeats the loop at line {} of {}, which costs the same on both sides",
                  function.loops[repeated.loop].line,
                  function.display);
  out.push_back(std::move(*repeater));
}

std::vector<Candidate> usersOfLibrary(const Comparison &in,
                                      const std::vector<Candidate> &candidates) {
  std::vector<Candidate> users;
  for (const Candidate &candidate : candidates) {
    if (!isStandardLibrary(in.trace.functions[candidate.function]))
      continue;
    const CallEdge *edge = payingEdge(in, candidate.function);
    const auto passesOn = [&](const Function &function) {
      return isStandardLibrary(function) || (function.readsOnly && !function.walks);
    };
    while (edge && passesOn(in.trace.functions[edge->caller]) && payingEdge(in, edge->caller))
      edge = payingEdge(in, edge->caller);
    if (!edge)
      continue;
    Candidate user = promoteTo(in, *edge, candidate);
    user.score = candidate.score * 1.1;
    user.because =
        fmt::format("calls {} of the C++ library", in.trace.functions[candidate.function].display);
    users.push_back(std::move(user));
  }
  return users;
}

} // namespace perfidy
