// Patterns as lines of text: how the search hands what it found to the tools and to its next
// process. One pattern a line, without allocation.
//
//   pattern 1 <prefix> <pump> <middle> <pump2> <suffix> <share> <form> <order> <order2> <fit> <at>
//   <at2> <stride>
//
// Parts are hexadecimal, "-" when empty; the rest decimal.
#pragma once

#include "fuzzer/pattern.h"

namespace perfidy {

/// Longest line, with its line end and a terminating zero.
constexpr size_t kPatternLine = Pattern::kParts * (2 * Part::kCapacity + 1) + 96;

/// Writes the line (with line end and terminating zero) into a buffer of kPatternLine bytes;
/// returns its length without the zero.
size_t writePatternLine(const Pattern &pattern, char *out);

/// Reads a line; false (pattern undefined) when it is not a valid one of this version.
bool readPatternLine(const char *line, size_t length, Pattern &pattern);

} // namespace perfidy
