// Sequences: what changes from one repetition of a pump to the next. Numbers that grow, distinct or
// colliding keys, and the orders (sorted, organ pipe, killers of a pivot) that arrays are given in.
//
// Plain data without allocation; everything is a pure function of (sequence, position, count).
#pragma once

#include <stddef.h>
#include <stdint.h>

namespace perfidy {

struct Sequence {
  /// How an element is written.
  enum Form : uint8_t {
    kNone,
    kDecimal,
    kLetters,   ///< base 26, lower case
    kHex,       ///< without leading zeros, lower case
    kRun,       ///< the byte before the element, as often again as the value says
    kColliding, ///< keys of equal length and equal polynomial hash (multiplier: stride)
    kByte,
    kWord16Little,
    kWord16Big,
    kWord32Little,
    kWord32Big,
    kForms
  };
  /// Order of the ranks 0 .. n-1.
  enum Order : uint8_t {
    kAscending,
    kDescending,
    kOrganPipe,    ///< up, then down
    kValley,       ///< down, then up
    kZigZag,       ///< lowest, highest, second lowest, second highest...
    kBitReversed,  ///< worst for merging: neighbours come from both halves at every level
    kMedianKiller, ///< quicksort with median of three (Musser 1997)
    kMiddleKiller, ///< quicksort with the middle element as pivot
    kShuffled,     ///< a fixed pseudo-random order
    kOrders
  };
  /// How ranks become values of a fixed width.
  enum Fit : uint8_t { kWrap, kScale, kSaturate, kFits };

  static constexpr uint8_t kNowhere = 255;

  uint8_t form = kNone;
  uint8_t order = kAscending, order2 = kAscending; ///< in the first and the second pump
  uint8_t fit = kWrap;
  uint8_t at = 0, at2 = kNowhere; ///< where in pump and pump2 the element stands
  uint16_t stride = 1;            ///< value = rank * stride; multiplier of kColliding

  bool on() const { return form != kNone; }
  bool equals(const Sequence &other) const;
};

/// Fills `ranks` with the order of `count` elements. At most kMostRanks.
constexpr size_t kMostRanks = 1u << 14;
void orderRanks(uint8_t order, uint32_t *ranks, size_t count);

/// Writes the element of a rank out of `count`; at most `room` bytes are written. `before` is the
/// byte in front of it (for kRun). Returns the length of the whole element, written or not.
size_t writeElement(const Sequence &sequence,
                    uint64_t rank,
                    uint64_t count,
                    uint8_t before,
                    uint8_t *out,
                    size_t room);

} // namespace perfidy
