// Patterns of findings as inputs: rendered at any size, written as a stand-alone generator.
//
// The hosted counterpart of fuzzer/pattern.h: parts of any length, and counters in the pumps
// ("[1]: a", "[2]: b"...), which keys and labels need. Owned by tools. Never runs anything.
#pragma once

#include "explainer/findings.h"
#include "fuzzer/pattern.h"
#include "tools/target.h"

#include <cstdint>
#include <optional>
#include <string>

namespace perfidy {

/// The pattern with each pump repeated `times` times; counters count the repetitions from 0.
std::string expandPattern(const PatternText &pattern, uint64_t times);

/// Largest number of repetitions whose input has at most `size` bytes, at least 1.
uint64_t repetitionsWithin(const PatternText &pattern, uint64_t size);

/// An input of exactly `size` bytes: as many repetitions as fit, then the beginning of another one
/// of the first pump. A size smaller than the fixed parts cuts the end off.
std::string renderPatternText(const PatternText &pattern, uint64_t size);

/// The same pattern as the search holds it; none when it has counters or a part is too long.
std::optional<Pattern> searchPattern(const PatternText &pattern);
PatternText patternTextOf(const Pattern &pattern);

/// Labels a run with the parts of its pattern and its counters.
void labelPatternText(const PatternText &pattern, Labels &labels);

/// Bytes over all parts and counters: the simpler of two equally good patterns weighs less.
size_t patternWeight(const PatternText &pattern);

/// A Python 3 program that writes the pattern: `gen.py TIMES`, or `gen.py --size BYTES` for the
/// largest input of at most that size. Writes the bytes of expandPattern(). `about` becomes its
/// first comment (one line).
std::string pythonGenerator(const PatternText &pattern, const std::string &about);

} // namespace perfidy
