// perfidy diagnose: what is wrong with a training run; how far such verdicts can be trusted; a
// warning while a run is still going on.
#pragma once

#include <string>
#include <vector>

namespace perfidy {

struct DiagnoseCommand {
  std::vector<std::string> traces;
  std::string train;              ///< folder of labelled traces, or a saved model
  std::vector<std::string> clean; ///< known-good runs of the same program
  std::string saveModel, json, html;
  std::string evaluate; ///< corpus to evaluate instead
  bool quick = false, development = false, watch = false;
  double threshold = 0.6;
  double patience = 30; ///< seconds without a new epoch after which watching ends
};

/// Exit code: 1 when a fault is likely or a warning was given, 0 when not.
int commandDiagnose(const DiagnoseCommand &command);

} // namespace perfidy
