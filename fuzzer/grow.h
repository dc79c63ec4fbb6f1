// The grower: builds a dear array element by element from a small one that is already the dearest
// of its size. Adversaries of sorts and trees are made that way on paper: add the largest element,
// put it where the pivot is taken, exchange what the partition will exchange back. Which steps
// those are is learned: a step that paid is tried first at the next size.
#pragma once

#include "fuzzer/archive.h"

namespace perfidy {

class Grower {
public:
  /// Writes the next input to try; returns its length, 0 when there is nothing to grow from or
  /// `most` is reached. `data` has room for `most` bytes.
  size_t propose(const Archive &archive, uint8_t *data, size_t most, Random &random);

  /// Tells what the last proposal cost. True when it completed a step.
  bool learn(const perfidy_observation &seen, const Archive &archive);

private:
  /// Where an element goes or which one is meant, so that it can be said at any size.
  enum Anchor : uint8_t {
    kFirst,
    kSecond,
    kMiddle,
    kBeforeMiddle,
    kBeforeLast,
    kLast,
    kQuarter,
    kAnchors
  };
  enum Value : uint8_t { kAboveAll, kBelowAll, kHighest, kLowest, kNeighbour, kValues };
  /// One way to make an array longer by one element.
  struct Step {
    uint8_t value = 0, place = 0, swaps = 0;
    uint8_t from[2] = {}, to[2] = {};
    bool inserted = false; ///< shift the rest instead of moving the displaced element to the end
  };
  static constexpr size_t kKnown = 6;  ///< steps that paid, latest first
  static constexpr size_t kTries = 48; ///< proposals per element

  void restart(const Archive &archive, Random &random);
  Step randomStep(Random &random) const;
  static size_t position(uint8_t anchor, size_t count);
  void apply(const Step &step, uint32_t *elements, size_t count) const;
  void remember(const Step &step);
  size_t write(const uint32_t *elements, size_t count, uint8_t *data) const;

  size_t width = 1, header = 0;
  bool big = false;
  uint8_t head[8] = {};
  size_t count = 0; ///< elements of the array that grows; 0 = none
  size_t tries = 0;
  uint64_t bestCost = 0;
  Step last, best, known[kKnown];
  size_t knownSteps = 0;
  uint32_t elements[Archive::kLargest], trial[Archive::kLargest];
};

} // namespace perfidy
