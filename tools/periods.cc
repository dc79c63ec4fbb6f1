#include "tools/periods.h"

#include <algorithm>
#include <map>
#include <unordered_map>

namespace perfidy {
namespace {

constexpr size_t kMostPeriods = 48;
constexpr size_t kGrams[] = {1, 3, 8}; ///< lengths of the runs whose recurrence proposes periods

// Distances between equal runs of symbols, the most frequent ones, ascending.
std::vector<size_t>
proposedPeriods(const std::vector<uint32_t> &symbols, size_t begin, size_t end, size_t longest) {
  std::map<size_t, size_t> times; // distance -> how often
  for (size_t gram : kGrams) {
    std::unordered_map<uint64_t, size_t> last;
    for (size_t i = begin; i + gram <= end; ++i) {
      uint64_t key = 0xcbf29ce484222325u;
      for (size_t j = i; j < i + gram; ++j)
        key = (key ^ (symbols[j] + 1)) * 0x100000001b3u;
      auto [at, fresh] = last.try_emplace(key, i);
      if (!fresh && i - at->second <= longest)
        ++times[i - at->second];
      at->second = i;
    }
  }
  std::vector<std::pair<size_t, size_t>> ranked;
  for (const auto &[distance, count] : times)
    ranked.emplace_back(count, distance);
  std::sort(ranked.begin(), ranked.end(), [](const auto &a, const auto &b) {
    return a.first != b.first ? a.first > b.first : a.second < b.second;
  });
  std::vector<size_t> periods;
  for (size_t i = 0; i < ranked.size() && i < kMostPeriods; ++i)
    periods.push_back(ranked[i].second);
  std::sort(periods.begin(), periods.end());
  return periods;
}

class Finder {
public:
  Finder(const std::vector<uint32_t> &symbols, const PeriodOptions &options)
      : symbols(symbols), options(options) {}

  std::vector<Stretch> run() {
    // Largest unexplored gaps first, so that the limit keeps what covers most.
    gaps.emplace_back(0, symbols.size());
    while (!gaps.empty() && found.size() < options.mostStretches) {
      auto widest = std::max_element(gaps.begin(), gaps.end(), [](const auto &a, const auto &b) {
        return a.second - a.first < b.second - b.first;
      });
      auto [begin, end] = *widest;
      gaps.erase(widest);
      split(begin, end);
    }
    std::sort(
        found.begin(), found.end(), [](const auto &a, const auto &b) { return a.begin < b.begin; });
    return found;
  }

private:
  void split(size_t begin, size_t end) {
    Stretch best = bestStretch(begin, end);
    if (best.period == 0)
      return;
    found.push_back(best);
    gaps.emplace_back(begin, best.begin);
    // A cut-off last repetition may as well be the first one of what follows.
    gaps.emplace_back(best.begin + best.count() * best.period, end);
  }

  Stretch bestStretch(size_t begin, size_t end) const {
    Stretch best;
    for (size_t period : proposedPeriods(symbols, begin, end, options.longestPeriod)) {
      Stretch stretch = longestStretch(symbols.data(), begin, end, period);
      if (stretch.length < std::max(options.shortest, options.fewestRepetitions * period))
        continue;
      // A longer period must cover clearly more: multiples of the true one cover as much.
      if (stretch.length > best.length + best.length / 16 + (best.period ? period : 0))
        best = stretch;
    }
    return best;
  }

  const std::vector<uint32_t> &symbols;
  const PeriodOptions &options;
  std::vector<std::pair<size_t, size_t>> gaps;
  std::vector<Stretch> found;
};

} // namespace

std::vector<Stretch> repeatedStretches(const std::vector<uint32_t> &symbols,
                                       const PeriodOptions &options) {
  return Finder(symbols, options).run();
}

} // namespace perfidy
