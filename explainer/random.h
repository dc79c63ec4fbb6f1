// Random numbers that are the same on every platform, which those of <random> are not.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace perfidy {

/// SplitMix64 (Steele, Lea, Flood 2014).
class Drawing {
public:
  explicit Drawing(uint64_t seed) : state_(seed) {}

  uint64_t next() {
    state_ += 0x9e3779b97f4a7c15u;
    uint64_t mixed = state_;
    mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9u;
    mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111ebu;
    return mixed ^ (mixed >> 31);
  }
  /// 0 .. bound - 1. The bias of the remainder is below bound / 2^64.
  size_t below(size_t bound) { return static_cast<size_t>(next() % bound); }
  /// Fisher and Yates, from the end.
  template <typename T> void shuffle(std::vector<T> &values) {
    for (size_t i = values.size(); i > 1; --i)
      std::swap(values[i - 1], values[below(i)]);
  }

private:
  uint64_t state_;
};

} // namespace perfidy
