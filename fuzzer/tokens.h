// Tokens the target knows: from the user's dictionary, and from what the engine's own mutators
// insert (its dictionary and the operands of comparisons it has recorded).
//
// Fixed memory; in the target's process.
#pragma once

#include "fuzzer/pattern.h"
#include "fuzzer/random.h"

namespace perfidy {

class TokenPool {
public:
  static constexpr size_t kMost = 512;

  /// Reads a dictionary in the format of libFuzzer and AFL (name="value" or "value" a line, \\ \"
  /// \xNN escapes, # comments). What cannot be read is left to the engine to complain about.
  void readDictionary(const char *path);

  /// Learns the bytes in which `after` differs from `before` (common head and tail removed), if
  /// there are 2 to 32 of them. The oldest learned token gives way.
  void learnDifference(const uint8_t *before,
                       size_t beforeLength,
                       const uint8_t *after,
                       size_t afterLength);

  void add(const uint8_t *bytes, size_t length);

  /// Null while empty.
  const Part *any(Random &random) const { return used ? &tokens[random.below(used)] : nullptr; }
  size_t size() const { return used; }

private:
  void readLine(const char *line, size_t length);

  Part tokens[kMost];
  size_t used = 0, fromUser = 0, next = 0;
};

} // namespace perfidy
