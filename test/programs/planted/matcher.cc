// A wildcard matcher. The first line of the input, at most 12 bytes, is the pattern, the rest are
// lines to match: "*" any bytes, "?" one byte. Counts the lines that match, and marks repeated
// lines.
//
// SEED "a*\nab\n"
// PLANTED BUG_BACKTRACK kind=backtracking function=matches exponent=2+
// PLANTED BUG_REPEAT kind=hash_collision function=seenBefore|hashOf exponent=2
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace {

constexpr size_t kLongestPattern = 12;

#ifdef BUG_BACKTRACK
bool matches(std::string_view pattern, std::string_view text) { // GUILTY_BACKTRACK
  if (pattern.empty())
    return text.empty();
  if (pattern[0] == '*') {
    for (size_t skip = 0; skip <= text.size(); ++skip)   // GUILTY_BACKTRACK
      if (matches(pattern.substr(1), text.substr(skip))) // GUILTY_BACKTRACK
        return true;
    return false;
  }
  return !text.empty() && (pattern[0] == '?' || pattern[0] == text[0]) &&
         matches(pattern.substr(1), text.substr(1));
}
#else
// All positions of the pattern that may be reached, as a set of bits (Thompson 1968).
uint32_t closure(std::string_view pattern, uint32_t states) {
  for (size_t i = 0; i < pattern.size(); ++i)
    if (pattern[i] == '*' && (states >> i & 1) != 0)
      states |= 2u << i;
  return states;
}

bool matches(std::string_view pattern, std::string_view text) {
  uint32_t states = closure(pattern, 1);
  for (char c : text) {
    uint32_t next = 0;
    for (size_t i = 0; i < pattern.size(); ++i) {
      uint32_t here = states >> i & 1;
      next |= pattern[i] == '*' ? here << i : 0;
      next |= pattern[i] == '?' || pattern[i] == c ? here << (i + 1) : 0;
    }
    states = closure(pattern, next);
  }
  return (states >> pattern.size() & 1) != 0;
}
#endif

class Lines {
public:
  Lines() : chains_(kChains) {}

  // Whether an equal line was there before; lines differ mostly in their later bytes.
  bool seenBefore(std::string_view line) {
    auto &chain = chains_[hashOf(line) % kChains];
    for (std::string_view known : chain) // GUILTY_REPEAT
      if (known == line)
        return true;
    chain.push_back(line);
    return false;
  }

private:
  static constexpr size_t kChains = 1024;

  static uint32_t hashOf(std::string_view line) {
    uint32_t hash = 5381;
#ifdef BUG_REPEAT
    for (size_t i = 0; i < line.size(); i += 4) // GUILTY_REPEAT
#else
    for (size_t i = 0; i < line.size(); ++i)
#endif
      hash = (hash ^ static_cast<uint8_t>(line[i])) * 2654435761u + (hash >> 15);
    return hash ^ hash >> 16;
  }

  std::vector<std::vector<std::string_view>> chains_;
};

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  std::string_view text(reinterpret_cast<const char *>(data), size), pattern;
  Lines lines;
  size_t matched = 0;
  bool first = true;
  while (!text.empty()) {
    size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    text.remove_prefix(end == text.npos ? text.size() : end + 1);
    if (first)
      pattern = line.substr(0, kLongestPattern);
    else if (!lines.seenBefore(line) && matches(pattern, line))
      ++matched;
    first = false;
  }
  return matched == size_t(-1);
}
