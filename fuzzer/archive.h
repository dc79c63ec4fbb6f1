// Archive of the search: per region and quantity the pattern that drives it furthest, and per size
// octave the dearest and the cheapest plain input. Memory only; rebuilt from the corpus on restart.
//
// Fixed memory from one anonymous mapping, so that the target's heap is not disturbed.
#pragma once

#include "fuzzer/feedback.h"
#include "fuzzer/pattern.h"
#include "fuzzer/random.h"

namespace perfidy {

/// The best pattern for one quantity of one region at the search size.
struct Cell {
  uint64_t key = 0; ///< 0 = free
  uint64_t value = 0;
  uint64_t cost = 0;
  uint32_t picked = 0; ///< how often it was a parent since it last improved
  Pattern pattern;
};

/// A plain input of an exact size with its cost.
struct Input {
  uint64_t cost = 0;
  size_t length = 0; ///< 0 = none yet
  uint8_t *bytes = nullptr;
};

class Archive {
public:
  static constexpr size_t kCells = 1u << 12;
  static constexpr unsigned kOctaves = 14; ///< sizes 1 .. 8192

  /// Maps its memory; false when there is none.
  bool start(size_t largestInput);

  /// Offers a pattern that was run at the search size; returns how many cells it won by at least an
  /// eighth (a tie or small gain replaces the pattern but counts as no progress).
  unsigned offerPattern(const Pattern &pattern, const perfidy_observation &seen, Random &random);

  /// Offers a plain input whose length is a power of two; true when it is dearer than the kept one.
  /// Ties are accepted (drift across plateaus) but return false.
  bool offerInput(const perfidy_observation &seen);

  /// A parent pattern: tournament by how far its region exceeds one execution per input byte, less
  /// the more often it was tried in vain. Null while empty.
  Cell *pick(Random &random, size_t searchSize);

  /// Any kept pattern, for crossing. Null while empty.
  const Cell *any(Random &random) const;

  const Input &dearest(unsigned octave) const { return dear[octave]; }
  size_t patterns() const { return used; }

private:
  Cell *slot(uint64_t key);

  Cell *cells = nullptr;
  uint32_t *filled = nullptr; ///< indexes of used cells, in order of filling
  size_t used = 0;
  Input dear[kOctaves];
};

} // namespace perfidy
