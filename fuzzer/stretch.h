// Stretches that repeat with a given period. Shared by the recovery of patterns in the target's
// process (bytes) and in the tools (any symbols).
#pragma once

#include <stddef.h>

namespace perfidy {

/// symbols[i] == symbols[i + period] for all i in [begin, begin + length - period).
struct Stretch {
  size_t begin = 0, length = 0, period = 0;
  size_t count() const { return length / period; }
};

/// The longest one of a period within [begin, end); the first of equally long ones, empty when
/// nothing repeats.
template <typename Symbol>
Stretch longestStretch(const Symbol *symbols, size_t begin, size_t end, size_t period) {
  Stretch best;
  size_t from = begin;
  for (size_t i = begin; i + period <= end; ++i) {
    if (i + period < end && symbols[i] == symbols[i + period])
      continue;
    size_t length = i + period - from;
    if (i > from && length > best.length)
      best = {from, length, period};
    from = i + 1;
  }
  return best;
}

} // namespace perfidy
