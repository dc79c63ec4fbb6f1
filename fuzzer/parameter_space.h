// The space of named parameters (runtime/parameters.h): vectors of values, how they are drawn and
// changed on the scale of each kind, and how they are written behind an input.
//
// Pure but for the generator passed in; no allocation, no state of its own.
#pragma once

#include "fuzzer/random.h"
#include "runtime/parameters.h"

namespace perfidy {

/// Values by position in the list of declared parameters. What is not set is drawn by the harness.
struct ParameterVector {
  uint64_t set = 0; ///< bit per parameter
  double value[PERFIDY_MOST_PARAMETERS] = {};

  bool has(uint32_t index) const { return set >> index & 1; }
  void put(uint32_t index, double number) {
    set |= uint64_t(1) << index;
    value[index] = number;
  }
  bool operator==(const ParameterVector &other) const;
};

/// The declared parameters; a view that is valid as long as the process.
struct ParameterSpace {
  const perfidy_parameter *parameters = nullptr;
  uint32_t count = 0;

  static ParameterSpace current() {
    ParameterSpace space;
    space.count = perfidy_parameters(&space.parameters);
    return space;
  }
  bool isScale(uint32_t index) const;
  bool isEnum(uint32_t index) const;
};

/// State and value of a running hash.
inline uint64_t mixed(uint64_t state, uint64_t value) {
  state = (state ^ value) * 0xff51afd7ed558ccdu;
  return state ^ (state >> 32);
}

/// Smallest magnitude of a log-scaled parameter other than 0.
double smallestMagnitude(const perfidy_parameter &parameter);

/// Uniform on the parameter's own scale (linear, or logarithmic for LOG and SCALE).
double drawValue(const perfidy_parameter &parameter, Random &random);

/// The `number`th of the values where programs break: the ends, 0, 1, the smallest magnitude, the
/// neighbours of the ends, the middle; for an enumeration each value. False when there are fewer.
bool cornerValue(const perfidy_parameter &parameter, unsigned number, double &value);

/// A value near the old one (half of the time), a corner, or a fresh one; in the range, never NaN.
double changeValue(const perfidy_parameter &parameter, double old, Random &random);

/// Where a value lies on the parameter's scale, for counting: each corner has a bin of its own, the
/// rest is divided into eighths. Below kBins.
constexpr unsigned kBins = 80;
unsigned binOf(const perfidy_parameter &parameter, double value);

/// Writes the vector behind `body` bytes of `data`, which has room for `most`; returns the whole
/// length, or 0 when it does not fit. Scales and others alike; `dimension` (may be null) names the
/// scale that is to be the size.
size_t writeVector(const ParameterSpace &space,
                   const ParameterVector &vector,
                   const char *dimension,
                   uint8_t *data,
                   size_t body,
                   size_t most);

} // namespace perfidy
