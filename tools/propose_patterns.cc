#include "tools/propose_patterns.h"
#include "tools/pattern_text.h"
#include "tools/periods.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>
#include <set>
#include <tuple>
#include <unordered_map>

namespace perfidy {
namespace {

constexpr size_t kLargestAnalysed = 1 << 20; ///< bytes; of larger inputs the beginning is looked at

// What counts as one symbol when repetition is looked for.
enum class Abstraction { Bytes, Numbers, Words };

// A sequence of symbols with the place of each in the bytes.
struct Tokens {
  std::vector<uint32_t> symbols;
  std::vector<size_t> begin; ///< one more than symbols: the last is the end
};

constexpr uint32_t kVariable = 256; ///< a run of digits, or a word

Tokens tokenize(const std::string &bytes, Abstraction abstraction) {
  auto member = [&](char c) {
    auto byte = static_cast<unsigned char>(c);
    return abstraction == Abstraction::Numbers ? std::isdigit(byte) != 0
                                               : std::isalnum(byte) != 0 || c == '_';
  };
  Tokens tokens;
  for (size_t at = 0; at < bytes.size();) {
    tokens.begin.push_back(at);
    if (abstraction == Abstraction::Bytes || !member(bytes[at])) {
      tokens.symbols.push_back(static_cast<unsigned char>(bytes[at++]));
      continue;
    }
    tokens.symbols.push_back(kVariable);
    while (at < bytes.size() && member(bytes[at]))
      ++at;
  }
  tokens.begin.push_back(bytes.size());
  return tokens;
}

// A repetitive part of the input: where it is and what one repetition looks like.
struct Segment {
  size_t begin = 0, end = 0; ///< bytes
  size_t count = 0;
  std::string unit;
  std::vector<PatternCounter> counters; ///< offsets in the unit
};

// The values of one place of the unit over its repetitions.
using Values = std::vector<std::string>;

std::string commonPrefix(const Values &values) {
  std::string prefix = values.front();
  for (const std::string &value : values)
    while (value.compare(0, prefix.size(), prefix) != 0)
      prefix.pop_back();
  while (!prefix.empty() && std::isdigit(static_cast<unsigned char>(prefix.back())))
    prefix.pop_back();
  return prefix;
}

bool allDigits(const std::string &text) {
  return !text.empty() && text.size() <= 15 &&
         std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isdigit(c); });
}

// A changing place becomes literal text and a counter: of the same start and step when the values
// count up, else of the same width, so that they stay distinct.
void addVariable(const Values &values, Segment &segment) {
  if (std::all_of(
          values.begin(), values.end(), [&](const auto &v) { return v == values.front(); })) {
    segment.unit += values.front();
    return;
  }
  const std::string prefix = commonPrefix(values);
  segment.unit += prefix;
  PatternCounter counter;
  counter.offset = segment.unit.size();
  std::vector<uint64_t> numbers;
  for (const std::string &value : values)
    if (allDigits(value.substr(prefix.size())))
      numbers.push_back(std::stoull(value.substr(prefix.size())));
  if (numbers.size() == values.size()) {
    size_t steady = 0;
    for (size_t i = 2; i < numbers.size(); ++i)
      steady += numbers[i] - numbers[i - 1] == numbers[1] - numbers[0];
    const bool counts = numbers[1] > numbers[0] && steady * 5 >= (numbers.size() - 2) * 4;
    counter.start = numbers[0];
    counter.step = counts ? numbers[1] - numbers[0] : 1;
    if (values.front().size() > prefix.size() + 1 && values.front()[prefix.size()] == '0')
      counter.width = static_cast<uint32_t>(values.front().size() - prefix.size());
  } else {
    const size_t width = std::clamp<size_t>(values.front().size() - prefix.size(), 1, 9);
    counter.start = static_cast<uint64_t>(std::pow(10, double(width - 1)));
  }
  segment.counters.push_back(counter);
}

Segment segmentOf(const std::string &bytes, const Tokens &tokens, const Stretch &stretch) {
  Segment segment;
  segment.count = stretch.count();
  segment.begin = tokens.begin[stretch.begin];
  segment.end = tokens.begin[stretch.begin + segment.count * stretch.period];
  for (size_t place = 0; place < stretch.period; ++place) {
    Values values;
    for (size_t i = 0; i < segment.count; ++i) {
      const size_t token = stretch.begin + i * stretch.period + place;
      values.push_back(
          bytes.substr(tokens.begin[token], tokens.begin[token + 1] - tokens.begin[token]));
    }
    addVariable(values, segment);
  }
  return segment;
}

std::vector<Segment> segmentsOf(const std::string &bytes, Abstraction abstraction) {
  const Tokens tokens = tokenize(bytes, abstraction);
  std::vector<Segment> segments;
  for (const Stretch &stretch : repeatedStretches(tokens.symbols))
    segments.push_back(segmentOf(bytes, tokens, stretch));
  return segments;
}

// Several repetitions of a segment as one pump; counters are dealt out over them.
void appendRepetitions(const Segment &segment, size_t times, bool second, PatternText &out) {
  std::string &pump = second ? out.pump2 : out.pump;
  for (size_t i = 0; i < times; ++i) {
    for (PatternCounter counter : segment.counters) {
      counter.second = second;
      counter.offset += pump.size();
      counter.start += counter.step * i;
      counter.step *= times;
      out.counters.push_back(counter);
    }
    pump += segment.unit;
  }
}

PatternText single(const std::string &bytes, const Segment &segment) {
  PatternText made;
  made.prefix = bytes.substr(0, segment.begin);
  appendRepetitions(segment, 1, false, made);
  made.suffix = bytes.substr(segment.end);
  return made;
}

// Small whole numbers in about the proportion of the two counts.
std::pair<size_t, size_t> proportion(size_t first, size_t second) {
  std::pair<size_t, size_t> best = {1, 1};
  double bestError = 1e9;
  for (size_t smaller = 1; smaller <= 3; ++smaller) {
    const size_t least = std::min(first, second), most = std::max(first, second);
    const double exact = double(most) / double(least) * double(smaller);
    const double error = std::fabs(exact - std::round(exact)) / exact + 0.02 * double(smaller);
    if (error >= bestError)
      continue;
    bestError = error;
    const auto larger = static_cast<size_t>(std::lround(exact));
    best = first < second ? std::pair(smaller, larger) : std::pair(larger, smaller);
  }
  return best;
}

PatternText paired(const std::string &bytes, const Segment &first, const Segment &second) {
  PatternText made;
  auto [times, times2] = proportion(first.count, second.count);
  made.prefix = bytes.substr(0, first.begin);
  appendRepetitions(first, times, false, made);
  made.middle = bytes.substr(first.end, second.begin - first.end);
  appendRepetitions(second, times2, true, made);
  made.suffix = bytes.substr(second.end);
  return made;
}

class Proposals {
public:
  explicit Proposals(const std::string &bytes) : bytes(bytes) {}

  std::vector<PatternText> run() {
    for (Abstraction abstraction : {Abstraction::Bytes, Abstraction::Numbers, Abstraction::Words})
      addSegments(segmentsOf(bytes, abstraction));
    addSubstrings();
    addChunks();
    return std::move(made);
  }

private:
  void add(PatternText pattern) {
    const size_t unit = pattern.pump.size() + pattern.pump2.size();
    if (unit == 0 || (pattern.pump.empty() && pattern.counters.empty()))
      return;
    std::string key;
    for (const std::string *part :
         {&pattern.prefix, &pattern.pump, &pattern.middle, &pattern.pump2, &pattern.suffix})
      key += std::to_string(part->size()) + ":" + *part;
    for (const PatternCounter &counter : pattern.counters)
      key += std::to_string(counter.offset) + "," + std::to_string(counter.start) + ";";
    if (seen.insert(key).second)
      made.push_back(std::move(pattern));
  }

  void addSegments(const std::vector<Segment> &segments) {
    for (size_t i = 0; i < segments.size(); ++i)
      for (size_t j = i + 1; j < segments.size(); ++j)
        add(paired(bytes, segments[i], segments[j]));
    for (const Segment &segment : segments)
      add(single(bytes, segment));
  }

  // The most frequent substring of each length, in what surrounds its occurrences.
  void addSubstrings() {
    constexpr size_t kLengths[] = {1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 24, 32, 48, 64};
    constexpr size_t kMostAround = 64, kBest = 2, kFewest = 4;
    for (size_t length : kLengths) {
      std::unordered_map<std::string, std::pair<size_t, size_t>> counts; // count, first place
      for (size_t at = 0; at + length <= bytes.size() && at < (1 << 16); ++at)
        ++counts.try_emplace(bytes.substr(at, length), 0, at).first->second.first;
      std::vector<std::tuple<size_t, size_t, std::string>> ranked;
      for (const auto &[text, seen] : counts)
        if (seen.first >= kFewest)
          ranked.emplace_back(bytes.size() - seen.first, seen.second, text);
      std::sort(ranked.begin(), ranked.end());
      for (size_t i = 0; i < ranked.size() && i < kBest; ++i) {
        const auto &[rank, first, text] = ranked[i];
        const size_t last = bytes.rfind(text) + length;
        PatternText pattern;
        pattern.pump = text;
        add(pattern);
        pattern.prefix = bytes.substr(0, std::min(first, kMostAround));
        pattern.suffix =
            bytes.substr(std::max(last, bytes.size() - std::min(bytes.size(), kMostAround)));
        add(pattern);
      }
    }
  }

  // Chunks that are halves, quarters, eighths of the whole, in place.
  void addChunks() {
    for (size_t parts = 1; parts <= 8 && parts <= bytes.size(); parts *= 2)
      for (size_t i = 0; i < parts; ++i) {
        const size_t from = bytes.size() * i / parts, to = bytes.size() * (i + 1) / parts;
        PatternText pattern;
        pattern.prefix = bytes.substr(0, from);
        pattern.pump = bytes.substr(from, to - from);
        pattern.suffix = bytes.substr(to);
        add(pattern);
      }
  }

  const std::string &bytes;
  std::vector<PatternText> made;
  std::set<std::string> seen;
};

} // namespace

std::vector<PatternText> proposePatterns(const std::string &bytes) {
  const std::string looked = bytes.substr(0, kLargestAnalysed);
  return looked.empty() ? std::vector<PatternText>() : Proposals(looked).run();
}

} // namespace perfidy
