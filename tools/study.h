// The main job: from a target and seeds to findings and reports, all under one output directory.
//
//   out/corpus      inputs found by the search (its only state)
//   out/artifacts   inputs that crashed, hung or passed the cost budget
//   out/corpus.trace, out/ladder.trace
//   out/ladder/CLASS/SIZE   rendered inputs of the classes
//   out/pairs       equal-size input pairs of the findings
//   out/findings.json, report.html, report.sarif
#pragma once

#include "explainer/explain.h"
#include "tools/campaign.h"

namespace perfidy {

struct StudyOptions {
  std::string target;
  std::vector<std::string> corpora; ///< seeds: files and directories
  std::string out = "perfidy-out";
  CampaignOptions campaign;
  ExplainOptions explain;
  size_t largestSize = 16384; ///< top rung of the ladder, bytes
  bool fuzz = true;           ///< false: only what is in the corpora
};

/// Raised when the target crashed before anything could be learned (exit code 3).
class TargetCrashed : public Error {
public:
  using Error::Error;
};

/// Raised when the user asked to stop (exit code 130); what was gathered stays.
class Interrupted : public Error {
public:
  using Error::Error;
};

/// Searches, ladders, explains, confirms; writes everything but the terminal report.
Findings runStudy(const StudyOptions &options);

/// Writes findings.json, report.html and report.sarif into a directory.
void writeReports(const Findings &findings, const std::string &directory);

} // namespace perfidy
