// What the search tells the tools while it runs: one page of memory shared through a file.
#pragma once

#include <stdint.h>

namespace perfidy {

/// Written by the target's process only; whoever maps the file may read it at any time. Numbers are
/// of the current process.
struct SearchStats {
  static constexpr uint64_t kMagic = 0x3273746174736670u; ///< "pfstats2"
  uint64_t magic = 0;
  uint64_t runs = 0; ///< runs of the target, corpus included
  uint64_t proposals[5] =
      {}; ///< by the engine, by patterns, by climbing, by growing, by parameters
  uint64_t successes[5] = {};         ///< of all but the engine
  uint64_t cells = 0;                 ///< quantities of regions reached at the search size
  uint64_t classes = 0;               ///< distinct cost functions among the kept patterns
  uint64_t searchSize = 0;            ///< bytes
  uint64_t dearest = 0, cheapest = 0; ///< cost at the search size
  uint64_t steepest = 0;              ///< exponent of the steepest kept pattern, in eighths
};

} // namespace perfidy
