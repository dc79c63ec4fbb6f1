// Inputs beside a given one: what else of its size could have been run? Pure; owned by tools.
#pragma once

#include "explainer/findings.h"

#include <string>
#include <vector>

namespace perfidy {

/// Inputs of the same size that differ from the given one in a window (overwritten by zeros, ones,
/// blanks, letters) or in the order of all bytes. Windows from an eighth of the input down to one
/// byte, every byte of small inputs. At most `most`, without repeats; deterministic.
std::vector<std::string> equalSizeVariants(const std::string &bytes, size_t most);

/// Cheap look-alikes of a pattern: contrastPatterns() where its parts are short enough for the
/// search; with separators between the repetitions, with every pump made harmless in turn, without
/// the parts around it.
std::vector<PatternText> lookAlikes(const PatternText &pattern);

} // namespace perfidy
