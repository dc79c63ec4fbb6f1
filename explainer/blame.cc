#include "explainer/blame.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <functional>

namespace perfidy {
namespace {

constexpr double kFullyRepeated = 0.5;  ///< growth of entries from which on they fully multiply
constexpr double kSmallestShare = 0.05; ///< of the gap

using Measure = std::function<std::pair<double, double>(const Run &, const Profile &)>;

// (executions, entries) over the runs of a side -> per entry at the top, and its growth.
PerEntry measureSide(const Side &side, const Measure &measure) {
  PerEntry result;
  std::vector<SizeCost> points, entryPoints;
  for (size_t i = 0; i < side.runs.size(); ++i) {
    auto [count, entries] = measure(*side.runs[i], side.profiles[i]);
    if (entries <= 0)
      continue;
    points.push_back({double(side.runs[i]->size), count / entries});
    entryPoints.push_back({double(side.runs[i]->size), entries});
    if (i + 1 == side.runs.size()) {
      result.entries = entries;
      result.value = count / entries;
    }
  }
  result.exponent = points.size() > 1 ? growthExponent(points) : 0;
  result.entriesExponent = points.size() > 1 ? growthExponent(entryPoints) : 0;
  return result;
}

double inclusiveShare(const Comparison &in, double slow, double fast) {
  return std::clamp((slow - fast) / in.gap(), 0.0, 1.0);
}

void score(Candidate &candidate) {
  double excess = candidate.slow.amplification() - candidate.fast.amplification();
  candidate.score = excess < kGrowthGap || candidate.share < kSmallestShare
                        ? 0
                        : candidate.share * std::min(excess, 1.0);
}

// Work of one library call site per execution.
void measureLibraryCall(const Comparison &in, Candidate &candidate) {
  const Function &caller = in.trace.functions[candidate.function];
  uint32_t work = caller.firstWork + caller.calls[candidate.site].work;
  Measure measure = [&](const Run &run, const Profile &) {
    return std::make_pair(double(countOf(run.work, work)) / double(kWorkBytesPerInstruction),
                          countAt(in, run, candidate.function, candidate.site));
  };
  candidate.metric = "work per call";
  candidate.slow = measureSide(in.slow, measure);
  candidate.fast = measureSide(in.fast, measure);
  candidate.share = inclusiveShare(in,
                                   candidate.slow.entries * candidate.slow.value,
                                   candidate.fast.entries * candidate.fast.value);
}

// Entries of a recursive component per entry from outside.
void measureRecursion(const Comparison &in, Candidate &candidate) {
  uint32_t component = in.graph.component[candidate.function];
  Measure measure = [&](const Run &run, const Profile &profile) {
    double entries = 0, inside = 0;
    for (uint32_t member : in.graph.members[component]) {
      entries += profile.entries[member];
      for (uint32_t e : in.graph.in[member])
        if (in.graph.component[in.graph.edges[e].caller] == component)
          inside += countAt(in, run, in.graph.edges[e].caller, in.graph.edges[e].site);
    }
    return std::make_pair(entries, entries > 0 ? std::max(1.0, entries - inside) : 0);
  };
  candidate.kind = RegionKind::Recursion;
  candidate.metric = "calls";
  candidate.slow = measureSide(in.slow, measure);
  candidate.fast = measureSide(in.fast, measure);
  double fast =
      in.fast.profiles.empty() ? 0 : in.fast.profiles.back().inclusive[candidate.function];
  candidate.share = inclusiveShare(in, in.slowTop().inclusive[candidate.function], fast);
}

void addLoops(const Comparison &in, uint32_t id, std::vector<Candidate> &out) {
  const Function &function = in.trace.functions[id];
  for (uint32_t loop = 0; loop < function.loops.size(); ++loop) {
    uint32_t header = function.firstBlock + function.loops[loop].header;
    if (countOf(in.slow.runs.back()->blocks, header) < kManyEntries)
      continue;
    Candidate candidate;
    candidate.function = id;
    candidate.loop = loop;
    measureLoop(in, candidate);
    score(candidate);
    if (candidate.score <= 0)
      continue;
    if (function.readsOnly && !function.walks)
      promoteReader(in, candidate, out);
    if (!isStandardLibrary(function) && onlyRepeated(candidate)) // copies are their user's idea
      addRepeater(in, candidate, out);
    out.push_back(std::move(candidate));
  }
}

void addLibraryCalls(const Comparison &in, uint32_t id, std::vector<Candidate> &out) {
  const Function &function = in.trace.functions[id];
  for (uint32_t site = 0; site < function.calls.size(); ++site) {
    if (function.calls[site].work == kNone)
      continue;
    Candidate candidate = aroundSite(in, id, site);
    measureLibraryCall(in, candidate);
    score(candidate);
    if (candidate.score <= 0)
      continue;
    candidate.because = fmt::format("calls {} on growing data", function.calls[site].callee);
    if (function.readsOnly && candidate.loop == kNone)
      promoteReader(in, candidate, out);
    out.push_back(std::move(candidate));
  }
}

void addRecursion(const Comparison &in, uint32_t id, std::vector<Candidate> &out) {
  if (!in.graph.recursive(id))
    return;
  // One member stands for the component: the one with the largest self cost.
  for (uint32_t member : in.graph.members[in.graph.component[id]])
    if (in.slowTop().self[member] > in.slowTop().self[id] ||
        (in.slowTop().self[member] == in.slowTop().self[id] && member < id))
      return;
  Candidate candidate;
  candidate.function = id;
  measureRecursion(in, candidate);
  score(candidate);
  if (candidate.score > 0)
    out.push_back(std::move(candidate));
}

} // namespace

double Comparison::gap() const { return std::max(1.0, slowTop().total - fastTotal()); }

double PerEntry::amplification() const {
  double alone = std::max(0.0, exponent - 1);
  if (entries < kManyEntries)
    return alone;
  double repeated = std::clamp(entriesExponent / kFullyRepeated, 0.0, 1.0);
  return repeated * exponent + (1 - repeated) * alone;
}

void measureLoop(const Comparison &in, Candidate &candidate) {
  auto at = [&](const Run &run, const Profile &profile) {
    return profileLoop(in.trace, in.graph, profile, run, candidate.function, candidate.loop);
  };
  Measure measure = [&](const Run &run, const Profile &profile) {
    LoopProfile loop = at(run, profile);
    return std::make_pair(loop.count, loop.entries);
  };
  candidate.slow = measureSide(in.slow, measure);
  candidate.fast = measureSide(in.fast, measure);
  double slow = at(*in.slow.runs.back(), in.slowTop()).inclusive;
  double fast =
      in.fast.runs.empty() ? 0 : at(*in.fast.runs.back(), in.fast.profiles.back()).inclusive;
  candidate.share = inclusiveShare(in, slow, fast);
}

std::vector<FunctionShare> selfShares(const Comparison &in) {
  std::vector<FunctionShare> shares;
  for (uint32_t id = 0; id < in.trace.functions.size(); ++id) {
    double difference = in.slowTop().self[id] - in.fastSelf(id);
    if (difference == 0)
      continue;
    const Function &function = in.trace.functions[id];
    shares.push_back({function.display, function.file, function.line, difference / in.gap()});
  }
  std::stable_sort(
      shares.begin(), shares.end(), [](const auto &a, const auto &b) { return a.share > b.share; });
  return shares;
}

std::vector<Candidate> growingRegions(const Comparison &in) {
  std::vector<Candidate> candidates;
  for (uint32_t id = 0; id < in.trace.functions.size(); ++id) {
    if (in.slowTop().inclusive[id] < kSmallestShare * in.gap())
      continue;
    addLoops(in, id, candidates);
    addLibraryCalls(in, id, candidates);
    addRecursion(in, id, candidates);
  }
  return candidates;
}

std::vector<Candidate> largerRegions(const Comparison &in) {
  std::vector<Candidate> candidates;
  for (uint32_t id = 0; id < in.trace.functions.size(); ++id) {
    const Function &function = in.trace.functions[id];
    if (in.slowTop().inclusive[id] < kSmallestShare * in.gap())
      continue;
    for (uint32_t loop = 0; loop < function.loops.size(); ++loop) {
      Candidate candidate;
      candidate.function = id;
      candidate.loop = loop;
      measureLoop(in, candidate);
      double ratio = candidate.slow.value / std::max(candidate.fast.value, 1.0);
      // A loop entered once that walks the input says nothing; its body may. One that takes many
      // more steps than there is input does more than walk.
      constexpr double kMoreThanInput = 8;
      bool walksInput = candidate.slow.entriesExponent < kGrowthGap &&
                        candidate.slow.exponent > 0.5 &&
                        candidate.slow.value < kMoreThanInput * double(in.slow.runs.back()->size);
      if (ratio < 1.5 || candidate.share < kSmallestShare || walksInput)
        continue;
      candidate.score = candidate.share * std::min(1.0, std::log2(ratio) / 4);
      candidates.push_back(std::move(candidate));
    }
    Candidate whole;
    whole.kind = RegionKind::Function;
    whole.function = id;
    whole.metric = "cost per call";
    Measure measure = [&](const Run &, const Profile &profile) {
      return std::make_pair(profile.self[id], profile.entries[id]);
    };
    whole.slow = measureSide(in.slow, measure);
    whole.fast = measureSide(in.fast, measure);
    whole.share = inclusiveShare(in, in.slowTop().self[id], in.fastSelf(id));
    whole.score = whole.share / 2;
    if (whole.share >= kSmallestShare)
      candidates.push_back(std::move(whole));
  }
  return candidates;
}

} // namespace perfidy
