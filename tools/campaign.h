// A fuzzing campaign: runs the target's own libFuzzer with our search inside, restarts it after
// crashes and censored runs, and shows progress. The corpus directory is the only state.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace perfidy {

struct CampaignOptions {
  int seconds = 60;  ///< wall clock; 0 = until `runs` are done
  uint64_t runs = 0; ///< executions; 0 = until the time is up. Reproducible together with `seed`
  uint32_t seed = 1;
  size_t maxLength = 512;               ///< bytes: long enough for a pump to show, and fast
  uint64_t budget = 50'000'000;         ///< cost at which a run is stopped
  std::vector<std::string> engineFlags; ///< passed to libFuzzer as they are
  /// Where the search keeps its patterns (search_files.h), and stats.json; empty = nowhere.
  std::string patternsPath, statsPath;
  /// Runs over the budget do not shorten the inputs: their size is not what makes them dear.
  bool keepLength = false;
  bool engineLines = false; ///< print the engine's status lines, with our fields at the end
  bool quiet = false;       ///< no progress
};

struct CampaignReport {
  uint64_t executions = 0;
  int crashes = 0, censored = 0, hangs = 0;
  size_t maxLength = 0;     ///< at the end: lowered when runs kept passing the budget
  std::string firstFailure; ///< last lines of the target's output at the first crash
};

/// Fuzzes into corpusDirectory (created; found inputs are added), starting from the seeds as well.
/// Inputs that crash, hang or pass the budget go to artifactDirectory. Throws Error when the target
/// has no engine.
CampaignReport runCampaign(const std::string &target,
                           const std::string &corpusDirectory,
                           const std::vector<std::string> &seeds,
                           const std::string &artifactDirectory,
                           const CampaignOptions &options);

} // namespace perfidy
