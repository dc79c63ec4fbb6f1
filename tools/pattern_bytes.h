// Patterns of the search as the hosted tools handle them: as strings and as labels of runs.
#pragma once

#include "fuzzer/pattern.h"
#include "tools/target.h"

#include <optional>
#include <string>

namespace perfidy {

/// The pattern as an input of exactly `size` bytes.
std::string renderedInput(const Pattern &pattern, size_t size);

/// The pattern of an input's bytes, if it has one.
std::optional<Pattern> patternOf(const std::string &bytes);

/// Bytes of one part.
std::string partBytes(const Part &part);

/// What changes from repetition to repetition, in words: "decimal numbers, ascending". The sequence
/// must be on.
std::string sequenceText(const Sequence &sequence);

/// Labels a run with the parts of its pattern ("prefix", "pump"...).
void labelPattern(const Pattern &pattern, Labels &labels);

/// describeInput() plus the pattern of the bytes, if they have one.
Labels describeWithPattern(const std::string &path, const std::string &bytes);

} // namespace perfidy
