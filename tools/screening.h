// Screening: many patterns at a few sizes in one go, and simplification of the steep ones.
#pragma once

#include "tools/candidates.h"

#include <deque>

namespace perfidy {

class Screening {
public:
  /// Rendered inputs and traces go to directory/screen (removed again). `size` in bytes; runs over
  /// the budget are censored and count as failed.
  Screening(std::string target, std::string directory, size_t size, uint64_t budget);

  /// Runs every pattern at half the size and at the size (those over the budget there at an eighth
  /// of both). The traces stay alive with this object.
  std::vector<Screened> run(const std::vector<Pattern> &patterns);

  /// Trace of the last call of run().
  const Trace &lastTrace() const { return traces.back(); }

  /// Removes from each pattern what its cost does not need: parts, halves, single bytes, as long as
  /// at least four fifths of the cost at the screening size remain (delta debugging: Zeller and
  /// Hildebrandt 2002, with cost as the test). Same order as given.
  std::vector<Pattern> simplify(std::vector<Pattern> patterns);

private:
  /// Patterns that passed the budget at the screening size: an eighth of it tells their growth.
  void screenSmaller(const std::vector<size_t> &chosen, std::vector<Screened> &screened);
  std::vector<uint64_t> costs(const std::vector<Pattern> &patterns);
  Trace traceAt(const std::vector<Pattern> &patterns,
                const std::vector<size_t> &sizes,
                std::vector<size_t> &runOf);

  std::string target, directory;
  size_t size;
  uint64_t budget;
  std::deque<Trace> traces; ///< a deque: runs are pointed into
};

} // namespace perfidy
