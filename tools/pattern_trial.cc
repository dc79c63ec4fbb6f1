#include "tools/pattern_trial.h"
#include "tools/pattern_text.h"
#include "tools/process.h"

#include <algorithm>
#include <cmath>

namespace perfidy {
namespace {

constexpr size_t kSmallest = 8;    ///< bytes of the first rung
constexpr size_t kJudged = 256;    ///< bytes from which on patterns can fall behind
constexpr size_t kFewestKept = 12; ///< patterns that stay in the race in any case
constexpr double kBehind = 0.15;   ///< cheaper than this part of the dearest: falls behind
constexpr int kMostRounds = 48;    ///< of simplification

const std::string *partOf(const PatternText &pattern, int part) {
  const std::string *parts[] = {
      &pattern.prefix, &pattern.pump, &pattern.middle, &pattern.pump2, &pattern.suffix};
  return parts[part];
}

// Bytes [at, at + count) of a part removed; counters behind move along, those inside stay where the
// cut is.
PatternText withoutBytes(PatternText pattern, int part, size_t at, size_t count) {
  const_cast<std::string *>(partOf(pattern, part))->erase(at, count);
  for (PatternCounter &counter : pattern.counters)
    if (counter.second == (part == 3) && (part == 1 || part == 3) && counter.offset > at)
      counter.offset = std::max(at, counter.offset - std::min(count, counter.offset));
  return pattern;
}

std::vector<PatternText> simplerVersions(const PatternText &pattern) {
  std::vector<PatternText> made;
  auto add = [&](PatternText version) {
    const bool repeats = !version.pump.empty() || !version.counters.empty();
    if (repeats && patternWeight(version) < patternWeight(pattern))
      made.push_back(std::move(version));
  };
  for (size_t i = 0; i < pattern.counters.size(); ++i) {
    PatternText fixed = pattern; // a counter replaced by its first value
    const PatternCounter counter = fixed.counters[i];
    fixed.counters.erase(fixed.counters.begin() + static_cast<std::ptrdiff_t>(i));
    add(fixed);
    std::string &pump = counter.second ? fixed.pump2 : fixed.pump;
    const std::string digits = std::to_string(counter.start);
    pump.insert(std::min(counter.offset, pump.size()), digits);
    for (PatternCounter &other : fixed.counters)
      if (other.second == counter.second && other.offset > counter.offset)
        other.offset += digits.size();
    add(fixed);
  }
  constexpr size_t kBytewise = 24;
  for (int part = 0; part < 5; ++part) {
    const size_t length = partOf(pattern, part)->size();
    if (length == 0)
      continue;
    add(withoutBytes(pattern, part, 0, length));
    for (size_t pieces = 2; pieces <= 8 && pieces <= length; pieces *= 2)
      for (size_t i = 0; i < pieces; ++i) {
        const size_t from = length * i / pieces, to = length * (i + 1) / pieces;
        add(withoutBytes(pattern, part, from, to - from));
      }
    for (size_t at = 0; at < length && length <= kBytewise; ++at)
      add(withoutBytes(pattern, part, at, 1));
  }
  return made;
}

} // namespace

double TriedPattern::exponent() const {
  const PatternRun *last = nullptr, *before = nullptr;
  for (const PatternRun &run : runs)
    if (!run.failed && !run.censored && run.cost > 0 && (!last || run.size > last->size)) {
      before = last;
      last = &run;
    }
  if (!before)
    return 1;
  return std::log2(double(last->cost) / double(before->cost)) /
         std::log2(double(last->size) / double(before->size));
}

double TriedPattern::promise(double size) const {
  constexpr double kSteepest = 8;
  if (runs.empty() || runs.back().size == 0)
    return 0;
  return double(runs.back().cost) *
         std::pow(size / double(runs.back().size), std::clamp(exponent(), 0.0, kSteepest));
}

PatternTrial::PatternTrial(std::string target, std::string directory, uint64_t budget)
    : target(std::move(target)), directory(std::move(directory)), budget(budget) {}

std::vector<PatternRun> PatternTrial::run(const std::vector<const PatternText *> &patterns,
                                          const std::vector<size_t> &sizes,
                                          std::vector<CostProfile> *profiles) {
  std::vector<std::string> inputs;
  std::vector<PatternRun> runs(patterns.size());
  for (size_t i = 0; i < patterns.size(); ++i) {
    runs[i].times = repetitionsWithin(*patterns[i], sizes[i]);
    inputs.push_back(expandPattern(*patterns[i], runs[i].times));
    runs[i].size = inputs.back().size();
  }
  std::vector<InputRun> results = runInputs(target, directory, inputs, budget);
  executed += results.size();
  if (profiles)
    profiles->resize(patterns.size());
  for (size_t i = 0; i < runs.size(); ++i) {
    runs[i].failed = results[i].failed;
    runs[i].cost = results[i].cost;
    runs[i].censored = results[i].censored;
    if (profiles)
      (*profiles)[i] = std::move(results[i].profile);
  }
  return runs;
}

std::vector<TriedPattern> PatternTrial::climb(const std::vector<PatternText> &patterns,
                                              size_t largest) {
  std::vector<TriedPattern> tried;
  std::vector<size_t> smallest;
  for (const PatternText &pattern : patterns) {
    tried.push_back({pattern, {}, {}});
    smallest.push_back(expandPattern(pattern, 1).size());
  }
  std::vector<bool> out(patterns.size(), false);
  for (size_t size = kSmallest; size <= largest && !interrupted(); size *= 2) {
    std::vector<const PatternText *> some;
    std::vector<size_t> owners, sizes;
    for (size_t i = 0; i < tried.size(); ++i) {
      if (out[i] || smallest[i] > size)
        continue;
      out[i] = !tried[i].runs.empty() && tried[i].promise(double(size)) > 2 * double(budget);
      if (out[i])
        continue;
      some.push_back(&tried[i].pattern);
      owners.push_back(i);
      sizes.push_back(size);
    }
    std::vector<CostProfile> profiles;
    const std::vector<PatternRun> runs =
        some.empty() ? std::vector<PatternRun>() : run(some, sizes, &profiles);
    std::vector<uint64_t> costs;
    for (size_t i = 0; i < runs.size(); ++i) {
      out[owners[i]] = runs[i].failed || runs[i].censored;
      if (runs[i].failed)
        continue;
      TriedPattern &owner = tried[owners[i]];
      if (owner.runs.empty() || owner.runs.back().size < runs[i].size)
        owner.runs.push_back(runs[i]);
      owner.profile = profiles[i];
      costs.push_back(runs[i].cost);
    }
    std::sort(costs.rbegin(), costs.rend());
    if (size < kJudged || costs.size() <= kFewestKept)
      continue;
    const double least = std::min(double(costs[kFewestKept - 1]), kBehind * double(costs.front()));
    for (size_t i = 0; i < runs.size(); ++i)
      if (double(runs[i].cost) < least)
        out[owners[i]] = true;
  }
  return tried;
}

PatternText PatternTrial::simplify(PatternText pattern, size_t size) {
  const std::vector<PatternRun> whole = run({&pattern}, {size});
  if (whole[0].failed)
    return pattern;
  const uint64_t needed = whole[0].cost / 5 * 4;
  for (int round = 0; round < kMostRounds && !interrupted(); ++round) {
    const std::vector<PatternText> versions = simplerVersions(pattern);
    std::vector<const PatternText *> some;
    for (const PatternText &version : versions)
      some.push_back(&version);
    const std::vector<PatternRun> runs = run(some, std::vector<size_t>(some.size(), size));
    const PatternText *best = nullptr;
    for (size_t i = 0; i < runs.size(); ++i)
      if (!runs[i].failed && runs[i].size <= size && runs[i].cost >= needed &&
          (!best || patternWeight(versions[i]) < patternWeight(*best)))
        best = &versions[i];
    if (!best)
      break;
    pattern = *best;
  }
  return pattern;
}

} // namespace perfidy
