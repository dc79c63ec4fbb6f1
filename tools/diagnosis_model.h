// The model behind 'perfidy diagnose': forests over a corpus of labelled training runs, how well
// they did on programs held out whole, and what is usual for each quantity.
#pragma once

#include "tools/training_study.h"

namespace perfidy {

/// What a run may be: the four classes of fault typing, any other fault, no fault that shows.
inline const std::vector<std::string> kVerdicts{"hyper", "loss", "act", "init", "other", "none"};

/// Forest over named columns.
struct NamedForest {
  std::vector<std::string> columns;
  Forest forest;
};

/// Warns after `window` epochs.
struct EarlyModel {
  int window = 0;
  NamedForest forest;
  double accuracy = -1;    ///< balanced, on programs held out
  double falseAlarms = -1; ///< share of clean runs of programs held out
};

struct DiagnosisModel {
  bool reference = false; ///< has columns relative to clean runs of the same program
  NamedForest typing;
  std::vector<double> medians; ///< per verdict and column: verdict * columns + column; NaN: none
  std::vector<double> cleanLow, cleanHigh; ///< per column: 5 and 95 % of the clean runs
  /// A top score of at least `score` was right in `right` of the runs of programs held out
  /// (isotonic).
  struct Step {
    double score = 0, right = 0;
    int runs = 0; ///< with at least this score
  };
  std::vector<Step> calibration;
  double heldOut = -1; ///< balanced accuracy over kVerdicts, programs held out
  int programs = 0, traces = 0;
  std::vector<EarlyModel> early;
};

/// Labels by kVerdicts; -1 for a run without fault tag, and for operators that do not show: they
/// are neither clean nor faulty.
std::vector<int> verdictLabels(const std::vector<TrainingRun> &runs);

/// Columns for typing; with `reference` those relative to clean runs as well.
Table diagnosisTable(const std::vector<TrainingRun> &runs, bool reference);
/// Columns for early warning.
Table earlyTable(const std::vector<TrainingRun> &runs, int window);

/// Trains on a corpus. Throws Error when it has fewer than two programs or classes.
DiagnosisModel trainDiagnosis(const std::vector<TrainingRun> &corpus, bool reference);

/// The table with the columns of a model in its order; what it lacks is NaN.
Table aligned(const Table &table, const std::vector<std::string> &columns);

/// As CBOR (RFC 8949). Loading throws Error for other files.
void saveModel(const DiagnosisModel &model, const std::string &path);
DiagnosisModel loadModel(const std::string &path);

} // namespace perfidy
