// Planted: a wildcard matcher that tries both choices at each '*' without remembering failures. The
// input is the pattern; the text is fixed by its length.
// EXPECT finding function=matches kind=recursion mark=GUILTY slow=exponential runs=30000
#include <cstddef>
#include <cstdint>

namespace {

struct Position {
  const uint8_t *pattern, *patternEnd;
  size_t text;
};

bool matches(Position at, size_t *steps) { // GUILTY
  ++*steps;
  if (at.pattern == at.patternEnd)
    return at.text == 0;
  uint8_t symbol = *at.pattern;
  Position next{at.pattern + 1, at.patternEnd, at.text};
  if (symbol == '*') {
    if (matches(next, steps))
      return true;
    if (at.text == 0)
      return false;
    next.text = at.text - 1;
    return matches(next, steps);
  }
  if (at.text == 0)
    return false;
  next.text = at.text - 1;
  return symbol == 'a' && matches(next, steps);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  size_t steps = 0;
  matches({data, data + size, size * 2}, &steps);
  return steps == 0;
}
