// perfidy triage: given slow inputs, why is each of them slow? No fuzzing.
//
//   out/findings.json, report.html, report.sarif    one finding per cause
//   out/pairs             the minimal witness of each, with a fast input of equal size
//   out/generators/ID.py  writes the pattern at any size
//   out/ladder-NN         the inputs that were run to explain an input
#pragma once

#include "explainer/explain.h"
#include "tools/slow_input.h"

#include <string>
#include <vector>

namespace perfidy {

struct TriageCommand {
  std::string target;
  std::vector<std::string> inputs;  ///< slow inputs: files and directories
  std::vector<std::string> against; ///< ordinary inputs to compare with: files and directories
  std::string out = "perfidy-triage";
  SlowInputOptions options;
  ExplainOptions explain;
  bool quiet = false;
};

/// Runs each input once (bounded by the budget), puts those that spend their cost alike together,
/// and explains the dearest of each group: by the pattern behind it, laddered beside look-alikes
/// and the ordinary inputs; without a pattern by its own beginnings; without growth by variants of
/// its size. Inputs with one cause (function, kind of region, growth) become one finding, which
/// names them in `inputs`. Writes all files. Throws TargetCrashed when no input could be run.
Findings runTriage(const TriageCommand &command);

/// runTriage() and the terminal report. Exit code 1 when a cause was found, 0 when none of the
/// inputs is slow.
int commandTriage(const TriageCommand &command);

} // namespace perfidy
