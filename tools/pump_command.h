// perfidy pump: from one slow input to the pattern behind it, a generator and a growth table.
#pragma once

#include "tools/slow_input.h"

#include <iosfwd>

namespace perfidy {

struct PumpCommand {
  std::string target, input;
  std::string output = "pump.py"; ///< the generator
  SlowInputOptions options;
  size_t largest = 1 << 18; ///< bytes of the largest row of the table
  bool quiet = false;
};

/// What `perfidy pump` found out; `rows` holds the pattern at growing sizes, those past the input's
/// size being its verification.
struct PumpResult {
  SlowInput input;
  TriedPattern rows;
  bool grows = false; ///< cost grows faster than linearly
};

/// Recovers the pattern and measures it up to `largest` bytes or the cost budget.
PumpResult recoverPump(const PumpCommand &command);

/// The growth table in Markdown, with the pattern and the exponent, ready for a bug report.
void writeGrowthTable(const PumpResult &result, const std::string &target, std::ostream &out);

/// Writes the generator and prints the table. Exit code: 1 when cost grows faster than linearly, 0
/// when no pattern stands for the input or it grows as it should. Throws TargetCrashed when the
/// target does not survive the input.
int commandPump(const PumpCommand &command);

} // namespace perfidy
