// What do patterns cost? Runs proposals at growing sizes, keeps the promising ones, and strips the
// best of what its cost does not need. Decides by counts alone, so it is reproducible.
#pragma once

#include "explainer/findings.h"
#include "tools/input_trial.h"

#include <string>
#include <vector>

namespace perfidy {

/// One rung of a pattern: an input of whole repetitions.
struct PatternRun {
  uint64_t times = 0, size = 0, cost = 0;
  bool failed = false;   ///< the target crashed or hung
  bool censored = false; ///< cost is the budget: a lower bound
};

/// A pattern with its rungs, ascending by size.
struct TriedPattern {
  PatternText pattern;
  std::vector<PatternRun> runs;
  CostProfile profile; ///< of the last rung, also when it was censored

  /// Growth exponent between the last two rungs that complete; 1 with fewer.
  double exponent() const;
  /// Cost expected at a size, by that exponent from the last rung.
  double promise(double size) const;
};

class PatternTrial {
public:
  /// Inputs and traces go to `directory` (removed again). Runs over the budget are censored.
  PatternTrial(std::string target, std::string directory, uint64_t budget);

  /// Runs the patterns at doubling sizes from 8 bytes to `largest`; each stops when its next rung
  /// is expected to pass the budget, and those that fall far behind are dropped. Same order as
  /// given; dropped ones keep what they ran.
  std::vector<TriedPattern> climb(const std::vector<PatternText> &patterns, size_t largest);

  /// Removes from a pattern what its cost does not need: parts, halves, bytes, counters, as long as
  /// four fifths of the cost at `size` remain (Zeller and Hildebrandt 2002, with cost as the test).
  PatternText simplify(PatternText pattern, size_t size);

  /// Each pattern at its size: whole repetitions within it.
  std::vector<PatternRun> run(const std::vector<const PatternText *> &patterns,
                              const std::vector<size_t> &sizes,
                              std::vector<CostProfile> *profiles = nullptr);

  size_t executions() const { return executed; }

private:
  std::string target, directory;
  uint64_t budget;
  size_t executed = 0;
};

} // namespace perfidy
