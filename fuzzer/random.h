// Small reproducible generator of the in-process search (SplitMix64, Steele et al. 2014).
#pragma once

#include <stddef.h>
#include <stdint.h>

namespace perfidy {

class Random {
public:
  explicit Random(uint64_t seed) : state(seed) {}
  uint64_t next() {
    uint64_t z = (state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  /// Uniform in [0, bound); 0 for bound 0.
  size_t below(size_t bound) { return bound ? static_cast<size_t>(next() % bound) : 0; }
  bool oneIn(size_t n) { return below(n) == 0; }

private:
  uint64_t state;
};

} // namespace perfidy
