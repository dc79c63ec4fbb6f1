// perfidy diff: what changed between two builds over the same inputs.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace perfidy {

struct DiffCommand {
  std::string before, after;       ///< two traces, or two instrumented programs
  std::vector<std::string> inputs; ///< for programs: files and directories
  std::string json;                ///< file to write, or empty
  double minRatio = 1.05;          ///< a total or an input dearer by less is no finding
  uint64_t budget = 500'000'000;   ///< cost at which a run of a program is stopped
  size_t rows = 10;
};

/// Compares and prints. Exit code: 1 when the new one costs more by `minRatio` in total or on some
/// input, else 0.
int commandDiff(const DiffCommand &command);

} // namespace perfidy
