// The part of a study that concerns harnesses which draw named parameters (perfidy.h): probing,
// choosing vectors, a ladder per scale, explaining each in the user's names.
#pragma once

#include "explainer/explain.h"
#include "tools/campaign.h"
#include "tools/parameter_vectors.h"

namespace perfidy {

/// What the target declares on a few trivial inputs; empty for a harness that draws nothing by
/// name. Files go to `directory` and are removed again.
Declared probeParameters(const std::string &target, const std::string &directory);

/// Makes room for vectors behind the inputs of a campaign, and keeps it there.
void makeRoomForVectors(CampaignOptions &options);

struct ParameterStudy {
  const std::string &target;
  const std::string &out;           ///< output directory
  const Trace &corpus;              ///< traced corpus
  const std::vector<size_t> &runOf; ///< per corpus file: its run, or kNoRun
  const std::vector<std::string> &bytes;
  std::vector<std::string> censoredPaths; ///< inputs of the search that passed the budget
  uint64_t budget = 0;                    ///< cost of one run
  ExplainOptions explain;
  bool quiet = false;
};

/// Climbs the scales and explains; ladder files go to out/ladder/SCALE, traces to out/ladder.trace
/// (the first scale) and out/ladder-SCALE.trace. Findings of further scales come after those of the
/// first; a cause that the first has told is told again only if its gap grows.
Findings studyParameters(const ParameterStudy &study);

} // namespace perfidy
