// The evaluation of the diagnosis over a corpus: every split beside every other, what the gap
// between them comes from, and the verdicts on four published claims, in the words fixed before the
// corpus was made.
//
// The claims are those of "Evaluation-Strategy Gap in Fault Diagnosis of Deep Learning Programs"
// (arXiv 2606.26492). Its text beyond the abstract was not available: features, labels and the four
// classes are ours.
#pragma once

#include "tools/training_splits.h"
#include "tools/training_tasks.h"

#include <iosfwd>
#include <nlohmann/json.hpp>

namespace perfidy {

/// The features and forest that diagnosis uses, chosen on the development half of the programs.
struct DiagnosisChoice {
  std::vector<std::string> sets{"base", "act", "step", "free", "curv", "edge", "check"};
  std::vector<std::string> earlySets{"free", "edge"};
  ForestOptions forest{.trees = 300, .minLeaf = 1};
  /// Early warning: instability is rare, so leaves are wide and a quarter of the votes is an alarm.
  ForestOptions earlyForest{.trees = 120, .minLeaf = 10};
  double alarm = 0.25;
};

/// Programs on which nothing was chosen: every second one of the list of 38, and all unknown ones.
bool isScoringProgram(const std::string &program);

struct EvaluationOptions {
  bool quick = false;       ///< fewer trees and only what the summary needs
  bool development = false; ///< score on the development half instead
};

/// All results as one document: corpus, typing (a row for each model, set and scaling; a column for
/// each split), structure, triage, mismatch, early, coverage, scored, verdicts.
nlohmann::ordered_json evaluateCorpus(const std::vector<TrainingRun> &runs,
                                      const EvaluationOptions &options);

void writeStudyText(const nlohmann::ordered_json &study, std::ostream &out);
/// One page without scripts.
void writeStudyHtml(const nlohmann::ordered_json &study, std::ostream &out);

} // namespace perfidy
