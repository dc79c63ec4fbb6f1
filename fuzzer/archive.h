// Archive of the search: per region and quantity the pattern and the plain input that drive it
// furthest, and per size the dearest and the cheapest plain input. Memory only; what is worth
// keeping goes to files (search_files.h) and is read back on restart.
//
// Fixed memory from anonymous mappings, so that the target's heap is not disturbed.
#pragma once

#include "fuzzer/feedback.h"
#include "fuzzer/pattern.h"
#include "fuzzer/random.h"

namespace perfidy {

/// A plain input of an exact size. `value` is what it is kept for.
struct Input {
  uint64_t value = 0, cost = 0;
  size_t length = 0; ///< 0 = none yet
  uint8_t *bytes = nullptr;
};

/// The best pattern for one quantity of one region at the search size, and the best plain input.
struct Cell {
  uint64_t key = 0; ///< 0 = free
  uint64_t value = 0;
  /// After a small gain halfCost is still that of the pattern before.
  uint64_t cost = 0,
           halfCost = 0; ///< of the pattern at the search size and at half of it; 0 = unknown
  uint32_t picked = 0;   ///< how often it was a parent since it last improved
  Pattern pattern;       ///< not valid while only plain inputs have reached the region
  Input plain;
};

/// What a run at one of the search's sizes changed.
struct Offered {
  bool dearer = false;  ///< the dearest plain input of its size is beaten
  bool cheaper = false; ///< the cheapest is
  unsigned regions = 0; ///< cells whose plain input was beaten by at least an eighth
};

/// Zeroed memory from the system, for ever; null when there is none.
void *mapMemory(size_t bytes);

class Archive {
public:
  static constexpr size_t kCells = 1u << 12;
  static constexpr unsigned kLevels = 12;  ///< sizes: the search size, halved level by level
  static constexpr size_t kSmallest = 8;   ///< bytes of the smallest level
  static constexpr size_t kLargest = 8192; ///< bytes of the largest search size
  static constexpr unsigned kNoLevel = ~0u;

  /// Maps its memory; false when there is none.
  bool start(size_t searchSize);

  /// Merging of patterns whose cost functions agree when parents are picked; on by default.
  bool clustering = true;

  /// Offers a pattern that was run at the search size; returns how many cells it won by at least an
  /// eighth (a tie or small gain replaces the pattern but counts as no progress).
  unsigned offerPattern(const Pattern &pattern, const perfidy_observation &seen, Random &random);

  /// Notes what a pattern costs at half the search size: with it its cost function is known.
  void noteHalf(const Pattern &pattern, uint64_t cost);

  /// Offers a plain input whose length is that of a level. Ties replace (drift across plateaus) but
  /// do not count.
  Offered offerInput(const perfidy_observation &seen);

  /// A parent pattern: tournament by how far its region exceeds one execution per input byte and by
  /// its growth, less the more often it or its class was tried in vain. Null while empty.
  Cell *pick(Random &random);

  /// Any kept pattern, for crossing. Null while empty.
  const Cell *any(Random &random) const;

  /// A plain input of the search size kept for some region, by the same merits. Null while empty.
  const Input *pickPlain(Random &random);

  /// Level of a size; kNoLevel when it is none.
  unsigned levelOf(size_t length) const;
  size_t sizeOf(unsigned level) const { return searchSize >> level; }
  unsigned levels() const { return levelCount; }
  const Input &dearest(unsigned level) const { return dear[level]; }
  const Input &cheapest(unsigned level) const { return cheap[level]; }

  /// Used cells, in order of filling.
  size_t size() const { return used; }
  const Cell &cell(size_t index) const { return cells[filled[index]]; }

  /// Half octaves of a cell's value above one unit per input byte: what is linear gets 0 to 8.
  int excess(const Cell &cell) const;
  /// Eighths of the exponent between half and full search size; 8 (linear) when not known.
  static int growth(const Cell &cell);
  /// Number of distinct cost functions among the kept patterns.
  unsigned classes() const;

private:
  static constexpr unsigned kSignatures = 1024;

  Cell *slot(uint64_t key);
  static unsigned signature(const Cell &cell);
  int merit(const Cell &cell) const;
  unsigned offerRegions(const perfidy_observation &seen);

  Cell *cells = nullptr;
  uint8_t *plainBytes = nullptr; ///< searchSize bytes per cell
  uint32_t *filled = nullptr;    ///< indexes of used cells, in order of filling
  size_t used = 0, searchSize = 0;
  unsigned levelCount = 0;
  Input dear[kLevels], cheap[kLevels];
  uint32_t tried[kSignatures] = {}; ///< picks per class
};

} // namespace perfidy
