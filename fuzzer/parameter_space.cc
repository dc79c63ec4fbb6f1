#include "fuzzer/parameter_space.h"
#include "runtime/perfidy.h"

#include <string.h>

namespace perfidy {
namespace {

constexpr unsigned kEighths = 8;

bool isInteger(const perfidy_parameter &parameter) {
  return parameter.kind != PERFIDY_KIND_LOG && parameter.kind != PERFIDY_KIND_REAL;
}

bool isLogarithmic(const perfidy_parameter &parameter) {
  return parameter.kind == PERFIDY_KIND_LOG || parameter.kind == PERFIDY_KIND_SCALE;
}

/// log2, linear within an octave: close enough for a scale, exactly invertible, and without libm,
/// which C programs are not linked with. Positive normal numbers only.
double log2Scale(double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  double fraction = double(bits & ((uint64_t(1) << 52) - 1)) * 0x1p-52;
  return double(int64_t(bits >> 52 & 0x7ff) - 1023) + fraction;
}

double exp2Scale(double place) {
  int64_t octave = static_cast<int64_t>(place);
  octave -= double(octave) > place;
  uint64_t bits =
      uint64_t(octave + 1023) << 52 | static_cast<uint64_t>((place - double(octave)) * 0x1p52);
  double value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

double clamp(const perfidy_parameter &parameter, double value) {
  value =
      value >= parameter.low ? (value > parameter.high ? parameter.high : value) : parameter.low;
  return isInteger(parameter) ? double(int64_t(value < 0 ? value - 0.5 : value + 0.5)) : value;
}

double unit(Random &random) { return double(random.next() >> 11) * 0x1p-53; }

/// Place on the scale, 0 to 1.
double placeOf(const perfidy_parameter &parameter, double value) {
  double low = parameter.low, high = parameter.high;
  if (isLogarithmic(parameter)) {
    low = log2Scale(smallestMagnitude(parameter));
    high = log2Scale(high);
    value = log2Scale(value > 0 ? value : smallestMagnitude(parameter));
  }
  double place = high > low ? (value - low) / (high - low) : 0;
  return place < 0 ? 0 : place > 1 ? 1 : place;
}

double atPlace(const perfidy_parameter &parameter, double place) {
  place = place < 0 ? 0 : place > 1 ? 1 : place;
  if (!isLogarithmic(parameter))
    return clamp(parameter, parameter.low + place * (parameter.high - parameter.low));
  double low = log2Scale(smallestMagnitude(parameter)), high = log2Scale(parameter.high);
  return clamp(parameter, exp2Scale(low + place * (high - low)));
}

} // namespace

bool ParameterVector::operator==(const ParameterVector &other) const {
  if (set != other.set)
    return false;
  for (uint32_t i = 0; i < PERFIDY_MOST_PARAMETERS; ++i)
    if (has(i) && value[i] != other.value[i])
      return false;
  return true;
}

bool ParameterSpace::isScale(uint32_t index) const {
  return parameters[index].kind == PERFIDY_KIND_SCALE;
}

bool ParameterSpace::isEnum(uint32_t index) const {
  return parameters[index].kind == PERFIDY_KIND_ENUM;
}

double smallestMagnitude(const perfidy_parameter &parameter) {
  if (parameter.low > 0)
    return parameter.low;
  if (isInteger(parameter))
    return parameter.high < 1 ? parameter.high : 1;
  return parameter.high * 1e-18;
}

double drawValue(const perfidy_parameter &parameter, Random &random) {
  // Both ends of an integer range are as likely as what is between.
  if (isInteger(parameter) && !isLogarithmic(parameter))
    return parameter.low +
           double(random.below(static_cast<size_t>(parameter.high - parameter.low) + 1));
  return atPlace(parameter, unit(random));
}

bool cornerValue(const perfidy_parameter &parameter, unsigned number, double &value) {
  if (parameter.kind == PERFIDY_KIND_ENUM) {
    value = number;
    return value <= parameter.high;
  }
  const bool integer = isInteger(parameter);
  const double tiny = integer ? 1 : (parameter.high - parameter.low) * 1e-9;
  const double wanted[] = {parameter.low,
                           parameter.high,
                           0,
                           1,
                           isLogarithmic(parameter) ? smallestMagnitude(parameter)
                                                    : parameter.low + tiny,
                           integer ? 2 : 0.5,
                           parameter.high - tiny,
                           atPlace(parameter, 0.5),
                           atPlace(parameter, 0.25),
                           atPlace(parameter, 0.75),
                           -1};
  constexpr unsigned kWanted = sizeof wanted / sizeof *wanted;
  // Distinct ones within the range, in this order.
  for (unsigned i = 0, distinct = 0; i < kWanted; ++i) {
    bool fits = wanted[i] >= parameter.low && wanted[i] <= parameter.high;
    for (unsigned j = 0; j < i; ++j)
      fits &= wanted[j] != wanted[i];
    if (fits && distinct++ == number) {
      value = wanted[i];
      return true;
    }
  }
  return false;
}

double changeValue(const perfidy_parameter &parameter, double old, Random &random) {
  if (parameter.kind == PERFIDY_KIND_ENUM) {
    // Another value.
    size_t others = static_cast<size_t>(parameter.high);
    return others ? double((static_cast<size_t>(old) + 1 + random.below(others)) % (others + 1))
                  : old;
  }
  double corner = 0;
  switch (random.below(8)) {
  case 0:
  case 1: return cornerValue(parameter, unsigned(random.below(11)), corner) ? corner : old;
  case 2:
  case 3: return drawValue(parameter, random);
  case 4: return clamp(parameter, random.oneIn(2) ? old * 2 : old / 2);
  case 5:
    if (isInteger(parameter))
      return clamp(parameter, random.oneIn(2) ? old + 1 : old - 1);
    [[fallthrough]];
  default:
    // A step whose width is itself drawn over some orders of magnitude.
    return atPlace(parameter,
                   placeOf(parameter, old) + (unit(random) - 0.5) * exp2Scale(-7 * unit(random)));
  }
}

unsigned binOf(const perfidy_parameter &parameter, double value) {
  if (parameter.kind == PERFIDY_KIND_ENUM)
    return static_cast<unsigned>(value) % kBins;
  double corner = 0;
  for (unsigned i = 0; cornerValue(parameter, i, corner); ++i)
    if (corner == value)
      return kEighths + i;
  unsigned eighth = static_cast<unsigned>(placeOf(parameter, value) * kEighths);
  return eighth < kEighths ? eighth : kEighths - 1;
}

namespace {

/// Text behind a body, or nothing at all.
struct Text {
  uint8_t *data;
  size_t length, most;
  bool fits = true;
  void put(const char *bytes, size_t count) {
    fits &= count <= most - length;
    if (!fits)
      return;
    memcpy(data + length, bytes, count);
    length += count;
  }
  void put(const char *text) { put(text, strlen(text)); }
};

} // namespace

size_t writeVector(const ParameterSpace &space,
                   const ParameterVector &vector,
                   const char *dimension,
                   uint8_t *data,
                   size_t body,
                   size_t most) {
  Text text{data, body, most};
  text.put(body ? "\n" PERFIDY_VECTOR_MARK : PERFIDY_VECTOR_MARK);
  for (uint32_t i = 0; i < space.count; ++i) {
    if (!vector.has(i))
      continue;
    const perfidy_parameter &parameter = space.parameters[i];
    text.put(parameter.name);
    text.put("=");
    char number[32];
    if (space.isEnum(i))
      text.put(parameter.values[static_cast<uint32_t>(vector.value[i])]);
    else
      text.put(number, perfidy_write_number(vector.value[i], number));
    text.put("\n");
  }
  if (dimension) {
    text.put(PERFIDY_DIMENSION_KEY "=");
    text.put(dimension);
    text.put("\n");
  }
  return text.fits ? text.length : 0;
}

} // namespace perfidy
