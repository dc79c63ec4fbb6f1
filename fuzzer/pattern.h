// Patterns: prefix + pump*k + middle + pump2*k + suffix, the shape of nearly every known
// algorithmic-complexity input of a parser.
//
// Plain data without allocation: used in the target's process (mutators) and by the tools (ladder).
// Middle and pump2 are empty in simple patterns.
#pragma once

#include "fuzzer/sequence.h"

namespace perfidy {

/// A short byte string of fixed capacity.
struct Part {
  static constexpr size_t kCapacity = 96;
  uint8_t length = 0;
  uint8_t bytes[kCapacity] = {};

  /// Replaces the content; what does not fit is cut. Returns false if it was cut.
  bool assign(const uint8_t *from, size_t count);
  /// Inserts at a position (clamped); what does not fit is cut.
  void insert(size_t at, const uint8_t *from, size_t count);
  /// Removes up to `count` bytes from a position.
  void erase(size_t at, size_t count);
  bool equals(const Part &other) const;
};

struct Pattern {
  static constexpr int kParts = 5;
  Part prefix, pump, middle, pump2, suffix;
  Sequence sequence; ///< what changes from repetition to repetition, if anything
  uint8_t share =
      0; ///< 256ths of the repeated bytes for the first pump; 0 = equally many repetitions

  Part &part(int index);
  const Part &part(int index) const;
  /// Something is repeated.
  bool valid() const { return pump.length > 0 || (sequence.on() && sequence.at == 0); }
  /// Bytes over all parts: the simpler of two equally good patterns has fewer.
  size_t weight() const;
  bool equals(const Pattern &other) const;
};

/// Writes exactly `size` bytes: both pumps are repeated equally often (or by their share), the
/// first one fills up what is left (its last repetition may be cut). A size smaller than the fixed
/// parts gives a cut-off input; an invalid pattern one filled with blanks.
void renderPattern(const Pattern &pattern, uint8_t *out, size_t size);

/// Finds the pattern of given bytes: the longest stretch that repeats with a period of at most
/// Part::kCapacity (smallest period on near ties), and a second one in what follows or precedes. Of
/// two stretches that repeat differently often, the pump of the one with more repetitions holds
/// several periods, so that equal counts reproduce the bytes approximately.
/// False if no stretch repeats at least four times and covers half of the bytes, or the rest does
/// not fit a Part.
bool recoverPattern(const uint8_t *data, size_t size, Pattern &pattern);

} // namespace perfidy
