#include "tools/candidates.h"
#include "fuzzer/pattern_line.h"
#include "tools/pattern_bytes.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <set>

namespace perfidy {
namespace {

// Per region the value that a run drives it to: header count and iterations per entry of loops,
// entries of functions. Key: block index of the header or entry, times two, plus the kind.
std::map<uint64_t, double> regionValues(const Trace &trace, const Run &run) {
  std::map<uint64_t, double> values;
  for (const Function &function : trace.functions) {
    uint64_t entries = countOf(run.blocks, function.firstBlock);
    if (entries == 0)
      continue;
    values[uint64_t(function.firstBlock) * 2] = double(entries);
    for (const Loop &loop : function.loops) {
      uint32_t header = function.firstBlock + loop.header;
      double count = double(countOf(run.blocks, header));
      if (count == 0)
        continue;
      double &total = values[uint64_t(header) * 2];
      total = std::max(total, count);
      if (loop.preheader == kNone)
        continue;
      double loopEntries = double(countOf(run.blocks, function.firstBlock + loop.preheader));
      if (loopEntries > 8)
        values[uint64_t(header) * 2 + 1] = count / loopEntries;
    }
  }
  return values;
}

std::string key(const Pattern &pattern) {
  char line[kPatternLine];
  return {line, writePatternLine(pattern, line)};
}

void setPart(Part &part, const std::string &text) {
  part.assign(reinterpret_cast<const uint8_t *>(text.data()), text.size());
}

// Order of indexes: first each region's best driver, best excess first, then the rest by cost.
std::vector<size_t>
byPromise(const Trace &trace, const std::vector<const Run *> &runs, double leastExcess) {
  std::map<uint64_t, std::pair<double, size_t>> drivers;
  for (size_t i = 0; i < runs.size(); ++i) {
    if (!runs[i] || runs[i]->size == 0)
      continue;
    for (const auto &[region, value] : regionValues(trace, *runs[i])) {
      double excess = value / double(runs[i]->size);
      auto [at, fresh] = drivers.try_emplace(region, excess, i);
      if (!fresh && excess > at->second.first)
        at->second = {excess, i};
    }
  }
  std::map<size_t, double> best;
  for (const auto &[region, driver] : drivers)
    if (driver.first >= leastExcess)
      best[driver.second] = std::max(best[driver.second], driver.first);
  std::vector<size_t> order;
  for (const auto &[index, excess] : best)
    order.push_back(index);
  std::stable_sort(
      order.begin(), order.end(), [&](size_t a, size_t b) { return best[a] > best[b]; });
  return order;
}

std::vector<size_t> byCost(const std::vector<const Run *> &runs) {
  std::vector<size_t> order;
  for (size_t i = 0; i < runs.size(); ++i)
    if (runs[i] && runs[i]->size > 0)
      order.push_back(i);
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    return double(runs[a]->cost) * double(runs[b]->size) >
           double(runs[b]->cost) * double(runs[a]->size);
  });
  return order;
}

} // namespace

std::vector<Pattern> distinctPatterns(const std::vector<std::vector<Pattern>> &lists) {
  std::vector<Pattern> patterns;
  std::set<std::string> seen;
  for (const std::vector<Pattern> &list : lists)
    for (const Pattern &pattern : list)
      if (seen.insert(key(pattern)).second)
        patterns.push_back(pattern);
  return patterns;
}

std::vector<Pattern> searchPatterns(const std::string &path, size_t most) {
  std::vector<Pattern> patterns;
  std::ifstream file(path);
  std::string line;
  Pattern pattern;
  while (patterns.size() < most && std::getline(file, line))
    if (readPatternLine(line.data(), line.size(), pattern))
      patterns.push_back(pattern);
  return patterns;
}

std::vector<Pattern> corpusPatterns(const Trace &trace,
                                    const std::vector<size_t> &runs,
                                    const std::vector<std::string> &bytes,
                                    size_t most) {
  std::vector<Pattern> all;
  std::vector<const Run *> runOf;
  for (size_t i = 0; i < bytes.size(); ++i) {
    if (runs[i] >= trace.runs.size())
      continue;
    std::optional<Pattern> pattern = patternOf(bytes[i]);
    if (!pattern)
      continue;
    all.push_back(*pattern);
    runOf.push_back(&trace.runs[runs[i]]);
  }
  std::vector<size_t> order = byPromise(trace, runOf, 0.25);
  for (size_t index : byCost(runOf))
    order.push_back(index);
  std::vector<Pattern> chosen;
  std::set<std::string> seen;
  for (size_t index : order)
    if (chosen.size() < most && seen.insert(key(all[index])).second)
      chosen.push_back(all[index]);
  return chosen;
}

// The same elements in a harmless order, the same element each time, no element at all.
static std::vector<Sequence> contrastSequences(const Sequence &slow) {
  std::vector<Sequence> made;
  for (uint8_t order : {Sequence::kShuffled, Sequence::kAscending, Sequence::kDescending}) {
    made.push_back(slow);
    made.back().order = made.back().order2 = order;
  }
  made.push_back(slow);
  made.back().stride = 0;
  made.back().fit = Sequence::kWrap;
  if (slow.form == Sequence::kColliding) {
    made.push_back(slow);
    made.back().form = Sequence::kLetters;
    made.back().stride = 1;
  }
  made.push_back(Sequence());
  return made;
}

std::vector<Pattern> contrastPatterns(const Pattern &slow) {
  std::vector<Pattern> made;
  auto add = [&](const Pattern &pattern) {
    if (pattern.valid() && !pattern.equals(slow))
      made.push_back(pattern);
  };
  const std::string pump = partBytes(slow.pump);
  if (pump.size() > 1 && slow.pump2.length == 0) {
    Pattern reordered = slow;
    setPart(reordered.pump, pump.substr(0, 1));
    setPart(reordered.pump2, pump.substr(1));
    add(reordered);
  }
  if (slow.pump2.length > 0) {
    Pattern swapped = slow;
    std::swap(swapped.pump, swapped.pump2);
    add(swapped);
    Pattern joined = slow;
    joined.pump.insert(joined.pump.length, slow.pump2.bytes, slow.pump2.length);
    joined.pump2.length = 0;
    add(joined);
  }
  for (size_t i = 0; i < pump.size() && i < 6; ++i) {
    Pattern harmless = slow;
    harmless.pump.bytes[i] = 'x';
    add(harmless);
  }
  if (slow.sequence.on())
    for (const Sequence &sequence : contrastSequences(slow.sequence)) {
      Pattern other = slow;
      other.sequence = sequence;
      add(other);
    }
  Pattern once = slow;
  once.prefix.insert(once.prefix.length, slow.pump.bytes, slow.pump.length);
  setPart(once.pump, "x");
  once.pump2.length = 0;
  add(once);
  for (Part Pattern::*part : {&Pattern::prefix, &Pattern::suffix}) {
    Pattern without = slow;
    (without.*part).length = 0;
    add(without);
  }
  return made;
}

std::vector<Pattern> plainPatterns() {
  std::vector<Pattern> plain;
  for (const char *pump : {"a", " ", "\n", "a ", "ab cd\n", "1", "."}) {
    Pattern pattern;
    setPart(pattern.pump, pump);
    plain.push_back(pattern);
  }
  Pattern zero;
  zero.pump.length = 1;
  plain.push_back(zero);
  for (uint8_t form : {Sequence::kByte, Sequence::kWord16Little, Sequence::kDecimal}) {
    Pattern array;
    array.sequence.form = form;
    array.sequence.order = Sequence::kShuffled;
    array.sequence.fit = Sequence::kScale;
    if (form == Sequence::kDecimal)
      setPart(array.pump, " ");
    plain.push_back(array);
  }
  return plain;
}

double Screened::exponent() const {
  if (!half || !full || half->cost == 0)
    return 0;
  return std::log2(double(full->cost) / double(half->cost));
}

std::vector<size_t>
chooseClasses(const Trace &trace, const std::vector<Screened> &screened, size_t most) {
  std::vector<const Run *> runs;
  for (const Screened &one : screened)
    runs.push_back(one.full);
  std::set<size_t> chosen;
  auto take = [&](const std::vector<size_t> &order, size_t limit) {
    for (size_t index : order)
      if (chosen.size() < limit)
        chosen.insert(index);
  };
  take(byPromise(trace, runs, 2), most / 2);
  std::vector<size_t> dear = byCost(runs);
  std::vector<size_t> ordinary, steep;
  for (size_t index : dear)
    (screened[index].exponent() > 1.25 ? steep : ordinary).push_back(index);
  take(steep, most * 5 / 8);
  take(dear, most * 3 / 4);
  // A spread over the costs of the rest, the cheapest included.
  std::vector<size_t> spread;
  size_t steps = std::max<size_t>(1, most / 4);
  for (size_t i = 0; i < steps && !ordinary.empty(); ++i)
    spread.push_back(ordinary[ordinary.size() - 1 - i * (ordinary.size() - 1) / steps]);
  take(spread, most);
  return {chosen.begin(), chosen.end()};
}

} // namespace perfidy
