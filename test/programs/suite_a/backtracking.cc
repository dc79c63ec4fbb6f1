// Suite A: a wildcard matcher that forgets where it failed ('*' any run, '?' any byte).
// Input: the pattern up to the first line end (at most 4 bytes and 2 stars, anything else is
// refused), then the text.
// CLASS backtracking function=matches,matchesStar growth=1.7..2.3
//   two stars, and an end that never fits
// WORST both stars first, letters that match, and a last one that does not: every pair of
//   positions is tried, and each attempt goes as deep as the pattern allows.
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace {

struct Span {
  const uint8_t *at, *end;
};

bool matches(Span pattern, Span text);

bool matchesStar(Span pattern, Span text) {
  for (; text.at <= text.end; ++text.at)
    if (matches(pattern, text))
      return true;
  return false;
}

bool matches(Span pattern, Span text) {
  for (; pattern.at < pattern.end; ++pattern.at, ++text.at) {
    if (*pattern.at == '*')
      return matchesStar(Span{pattern.at + 1, pattern.end}, text);
    if (text.at == text.end || (*pattern.at != '?' && *pattern.at != *text.at))
      return false;
  }
  return text.at == text.end;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const auto *line = static_cast<const uint8_t *>(std::memchr(data, '\n', size));
  if (!line || line - data > 4)
    return 0;
  int stars = 0;
  for (const uint8_t *at = data; at < line; ++at)
    stars += *at == '*';
  // Kept: a compiler may delete a search whose outcome nobody asks for, and with it what other
  // fuzzers are to find.
  static volatile bool matched;
  if (stars <= 2)
    matched = matches(Span{data, line}, Span{line + 1, data + size});
  return 0;
}
