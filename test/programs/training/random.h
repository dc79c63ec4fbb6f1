// Random numbers that are the same everywhere, which those of <random> are not.
#pragma once

#include "explainer/random.h"

#include <cmath>

namespace perfidy {

/// The draws that training needs.
class Random {
public:
  explicit Random(uint64_t seed) : drawing_(seed * 0x9e3779b97f4a7c15u + 0x1234567u) {}

  uint64_t next() { return drawing_.next(); }
  /// In [0, 1).
  double uniform() { return static_cast<double>(next() >> 11) * 0x1p-53; }
  double uniform(double low, double high) { return low + (high - low) * uniform(); }
  int below(int bound) { return static_cast<int>(drawing_.below(static_cast<size_t>(bound))); }
  /// Standard normal (Box and Muller, one of the two).
  double normal() {
    const double radius = std::sqrt(-2 * std::log(1 - uniform()));
    return radius * std::cos(2 * 3.14159265358979323846 * uniform());
  }
  template <typename V> void shuffle(std::vector<V> &values) { drawing_.shuffle(values); }

private:
  Drawing drawing_;
};

} // namespace perfidy
