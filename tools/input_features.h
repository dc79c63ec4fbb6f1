// Numeric features of an input's bytes, by which findings are explained before any code is named.
// All are free of scale: shares, ratios, or counts per byte.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace perfidy {

/// (name, value) in a fixed order; names are what rules print, e.g. "share of punctuation bytes".
std::vector<std::pair<std::string, double>> inputFeatures(const std::string &bytes);

} // namespace perfidy
