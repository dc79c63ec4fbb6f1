#include "tools/input_variants.h"
#include "tools/candidates.h"
#include "tools/pattern_text.h"

#include <algorithm>
#include <set>

namespace perfidy {

std::vector<std::string> equalSizeVariants(const std::string &bytes, size_t most) {
  std::vector<std::string> made;
  std::set<std::string> seen = {bytes};
  auto add = [&](const std::string &variant) {
    if (made.size() < most && seen.insert(variant).second)
      made.push_back(variant);
  };
  std::string ordered = bytes, reversed(bytes.rbegin(), bytes.rend());
  std::sort(ordered.begin(), ordered.end());
  add(ordered);
  add(reversed);
  for (char fill : {'\0', 'a', ' ', '\xff'})
    add(std::string(bytes.size(), fill));
  constexpr size_t kPlaces = 32; ///< windows of one length
  for (size_t window = std::max<size_t>(1, bytes.size() / 8); window > 0; window /= 2) {
    const size_t step = std::max(window, bytes.size() / kPlaces);
    for (size_t at = 0; at + window <= bytes.size(); at += step)
      for (char fill : {'\0', '\xff', 'a', '\x40', ' '}) {
        std::string variant = bytes;
        std::fill_n(variant.begin() + static_cast<std::ptrdiff_t>(at), window, fill);
        add(variant);
      }
  }
  return made;
}

std::vector<PatternText> lookAlikes(const PatternText &pattern) {
  std::vector<PatternText> made;
  if (std::optional<Pattern> simple = searchPattern(pattern))
    for (const Pattern &contrast : contrastPatterns(*simple))
      if (!contrast.sequence.on() && contrast.pump.length > 0)
        made.push_back(patternTextOf(contrast));
  auto add = [&](const PatternText &contrast) {
    if (!contrast.pump.empty())
      made.push_back(contrast);
  };
  auto dropCounters = [](PatternText text, bool second) {
    std::erase_if(text.counters, [&](const auto &counter) { return counter.second == second; });
    return text;
  };
  for (const char *separator : {" ", "\n", "x "}) {
    PatternText separated = pattern;
    separated.pump += separator;
    add(separated);
  }
  PatternText bare = pattern;
  bare.prefix = bare.suffix = "";
  add(bare);
  for (bool second : {false, true}) {
    PatternText harmless = dropCounters(pattern, second);
    std::string &pump = second ? harmless.pump2 : harmless.pump;
    if (pump.empty())
      continue;
    pump.assign(pump.size(), 'x');
    add(harmless);
    if (harmless.counters.size() < pattern.counters.size())
      add(dropCounters(pattern, second)); // the same key, label or number each time
    PatternText without = dropCounters(pattern, second);
    (second ? without.pump2 : without.pump) = second ? "" : "x";
    add(without);
  }
  return made;
}

} // namespace perfidy
