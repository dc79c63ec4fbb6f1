// The diagnosis of one training run: which fault is likely, how sure that is, what speaks for it.
#pragma once

#include "tools/diagnosis_model.h"

namespace perfidy {

struct Candidate {
  std::string verdict; ///< of kVerdicts
  double share = 0;    ///< of the forest's votes
};

struct Diagnosis {
  std::string program, file;
  std::vector<Candidate> candidates; ///< all verdicts, most likely first
  double probability = 0;            ///< that the first is right: calibrated on programs held out
  int judgedLike = 0;                ///< runs of programs held out that it is calibrated on
  bool abstains = false;
  std::vector<std::string> evidence; ///< at most three sentences
  std::string next;                  ///< what would tell the second candidate from the first
  /// Early warning by the longest window that the run has passed; -1: too short.
  double warning = -1;
  int warningWindow = 0;
};

struct DiagnosisOptions {
  double threshold = 0.6; ///< abstains below this probability
};

/// One for each of `runs`. With a model that has a reference, `clean` are known-good runs of the
/// same program and `corpus` is what the model was trained on.
std::vector<Diagnosis> diagnose(const DiagnosisModel &model,
                                const std::vector<TrainingRun> &runs,
                                const std::vector<TrainingRun> &clean,
                                const std::vector<TrainingRun> &corpus,
                                const DiagnosisOptions &options);

/// A sentence on one column of one run: "smallest gradient norm of a layer fell to 3e-12 in epoch
/// 4; clean runs keep it above 0.001".
std::string
observation(const std::string &column, const TrainingRun &run, double cleanLow, double cleanHigh);

/// Readable name of a series; the name itself when it is not one of ours.
std::string seriesWords(const std::string &series);

/// What a verdict means, in a few words.
std::string verdictWords(const std::string &verdict);

void writeDiagnosis(const Diagnosis &diagnosis, const DiagnosisModel &model, std::ostream &out);

} // namespace perfidy
