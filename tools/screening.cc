#include "tools/screening.h"
#include "tools/input_files.h"
#include "tools/pattern_bytes.h"
#include "tools/target.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>

namespace perfidy {
namespace {

constexpr int kMostRounds = 10;

// Simpler versions of a pattern, the boldest first.
std::vector<Pattern> simplerVersions(const Pattern &pattern) {
  std::vector<Pattern> made;
  auto add = [&](const Pattern &version) {
    if (version.valid() && version.weight() < pattern.weight())
      made.push_back(version);
  };
  Pattern bare = pattern;
  bare.prefix.length = bare.middle.length = bare.pump2.length = bare.suffix.length = 0;
  add(bare);
  if (pattern.sequence.on()) {
    Pattern still = pattern;
    still.sequence = Sequence();
    add(still);
    still.sequence = pattern.sequence;
    still.pump2.length = still.middle.length = 0;
    still.sequence.at2 = Sequence::kNowhere;
    add(still);
  }
  for (int i = 0; i < Pattern::kParts; ++i) {
    Pattern without = pattern;
    without.part(i).length = 0;
    add(without);
    size_t length = pattern.part(i).length;
    for (size_t half : {size_t(0), length / 2}) {
      Pattern halved = pattern;
      halved.part(i).erase(half, (length + 1) / 2);
      add(halved);
    }
    for (size_t at = 0; at < length && length <= 12; ++at) {
      Pattern shorter = pattern;
      shorter.part(i).erase(at, 1);
      add(shorter);
    }
  }
  return made;
}

// Null for a run that was not recorded or did not come to its end.
const Run *completeRun(const Trace &trace, size_t index) {
  if (index == kNoRun || trace.runs[index].status != RunStatus::Complete)
    return nullptr;
  return &trace.runs[index];
}

} // namespace

Screening::Screening(std::string target, std::string directory, size_t size, uint64_t budget)
    : target(std::move(target)), directory(std::move(directory)), size(size), budget(budget) {}

Trace Screening::traceAt(const std::vector<Pattern> &patterns,
                         const std::vector<size_t> &sizes,
                         std::vector<size_t> &runOf) {
  std::string folder = directory + "/screen", tracePath = directory + "/screen.trace";
  makeDirectory(folder);
  std::filesystem::remove(tracePath); // of a killed run
  std::vector<TracedInput> inputs;
  for (size_t i = 0; i < patterns.size(); ++i)
    for (size_t at : sizes) {
      inputs.push_back({fmt::format("{}/{}-{}", folder, i, at), {}});
      writeBytes(inputs.back().path, renderedInput(patterns[i], at));
    }
  TraceOptions options;
  options.budget = budget;
  TraceReport report = traceInputs(target, inputs, tracePath, options);
  runOf = report.runOf;
  Trace trace = report.runs ? readTrace(tracePath) : Trace();
  std::filesystem::remove_all(folder);
  std::filesystem::remove(tracePath);
  return trace;
}

std::vector<Screened> Screening::run(const std::vector<Pattern> &patterns) {
  std::vector<size_t> runOf;
  traces.push_back(traceAt(patterns, {size / 2, size}, runOf));
  auto at = [&](size_t index) { return completeRun(traces.back(), runOf[index]); };
  std::vector<Screened> screened;
  std::vector<size_t> tooDear;
  for (size_t i = 0; i < patterns.size(); ++i) {
    screened.push_back({patterns[i], at(2 * i), at(2 * i + 1)});
    if (runOf[2 * i + 1] != kNoRun && !screened.back().full)
      tooDear.push_back(i);
  }
  screenSmaller(tooDear, screened);
  return screened;
}

void Screening::screenSmaller(const std::vector<size_t> &chosen, std::vector<Screened> &screened) {
  constexpr size_t kSmaller = 8;
  if (chosen.empty() || size < 8 * kSmaller)
    return;
  std::vector<Pattern> patterns;
  for (size_t index : chosen)
    patterns.push_back(screened[index].pattern);
  std::vector<size_t> runOf;
  // In front, so that lastTrace() stays the trace of all.
  traces.push_front(traceAt(patterns, {size / kSmaller / 2, size / kSmaller}, runOf));
  auto at = [&](size_t index) { return completeRun(traces.front(), runOf[index]); };
  for (size_t i = 0; i < chosen.size(); ++i) {
    screened[chosen[i]].half = at(2 * i);
    screened[chosen[i]].full = at(2 * i + 1);
  }
}

std::vector<uint64_t> Screening::costs(const std::vector<Pattern> &patterns) {
  std::vector<size_t> runOf;
  Trace trace = traceAt(patterns, {size}, runOf);
  std::vector<uint64_t> costs;
  for (size_t run : runOf)
    // A stopped run's cost is the budget: a lower bound, which simpler versions must reach as well.
    costs.push_back(
        run == kNoRun || trace.runs[run].status == RunStatus::Crashed ? 0 : trace.runs[run].cost);
  return costs;
}

std::vector<Pattern> Screening::simplify(std::vector<Pattern> patterns) {
  std::vector<uint64_t> needed = costs(patterns);
  std::vector<bool> settled(patterns.size(), false);
  for (int round = 0; round < kMostRounds; ++round) {
    std::vector<Pattern> versions;
    std::vector<size_t> owner;
    for (size_t i = 0; i < patterns.size(); ++i)
      for (const Pattern &version :
           settled[i] ? std::vector<Pattern>() : simplerVersions(patterns[i])) {
        versions.push_back(version);
        owner.push_back(i);
      }
    if (versions.empty())
      break;
    std::vector<uint64_t> cost = costs(versions);
    std::vector<const Pattern *> best(patterns.size(), nullptr);
    for (size_t v = 0; v < versions.size(); ++v)
      if (cost[v] >= needed[owner[v]] / 5 * 4 &&
          (!best[owner[v]] || versions[v].weight() < best[owner[v]]->weight()))
        best[owner[v]] = &versions[v];
    for (size_t i = 0; i < patterns.size(); ++i) {
      settled[i] = !best[i];
      if (best[i])
        patterns[i] = *best[i];
    }
  }
  return patterns;
}

} // namespace perfidy
