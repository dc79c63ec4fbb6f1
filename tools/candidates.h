// From a fuzzed corpus to the classes worth laddering: patterns recovered from the corpus, screened
// at two sizes, those that drive some region furthest, and cheap look-alikes as contrast.
#pragma once

#include "fuzzer/pattern.h"
#include "runtime/trace.h"

#include <string>
#include <vector>

namespace perfidy {

/// Distinct patterns of the given inputs, most promising first (dearest per byte, and the drivers
/// of each region), at most `most`. `runs[i]` is the traced run of bytes[i].
std::vector<Pattern> corpusPatterns(const Trace &trace,
                                    const std::vector<size_t> &runs,
                                    const std::vector<std::string> &bytes,
                                    size_t most);

/// Patterns that the search has kept in its file (fuzzer/search_files.h), best first, at most
/// `most`. A missing file has none.
std::vector<Pattern> searchPatterns(const std::string &path, size_t most);

/// All of them in order, each once: what the search keeps is in its corpus as well.
std::vector<Pattern> distinctPatterns(const std::vector<std::vector<Pattern>> &lists);

/// Cheap look-alikes of a slow pattern: the same bytes in another order, single pump bytes made
/// harmless, prefix or suffix dropped. One of them usually takes the fast side of the same code.
std::vector<Pattern> contrastPatterns(const Pattern &slow);

/// Patterns every target should be compared with: single letters, blanks, line ends, zero bytes.
std::vector<Pattern> plainPatterns();

/// A screened pattern: its runs at half the screening size and at the size itself.
struct Screened {
  Pattern pattern;
  const Run *half = nullptr, *full = nullptr; ///< null when the run failed
  /// log2 of the cost ratio between the two sizes.
  double exponent() const;
};

/// Chooses which screened patterns become classes: drivers of superlinear regions, the dearest, and
/// a spread of ordinary ones; at most `most`. Returns indexes, ascending.
std::vector<size_t>
chooseClasses(const Trace &trace, const std::vector<Screened> &screened, size_t most);

} // namespace perfidy
