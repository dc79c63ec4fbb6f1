// A corpus of training traces: clean runs and faulty ones of many programs, one compressed trace
// file per program.
#pragma once

#include "test/programs/training/faults.h"

namespace perfidy {

struct CorpusOptions {
  std::vector<std::string> programs; ///< names; empty: all
  uint64_t seed = 1;
  int clean = 16, repeats = 5; ///< runs without fault, and of each fault, per program
  int jobs = 1;                ///< processes
};

/// Writes NAME.trace.gz for each program that has none yet. Tags of a run: program, family, fault
/// (class, or "none"), operator, killed; parameters: seed, score. The i-th run of every fault has
/// the seed of the i-th clean one. The bytes depend on the options but not on jobs. Returns the
/// number of runs written.
int writeCorpus(const std::string &folder, const CorpusOptions &options);

/// Records one run: tags, series, final score. Returns the validation score (the worst for a run
/// that died).
double recordRun(const Program &program,
                 const std::string &group,
                 const std::string &fault,
                 uint64_t seed,
                 const std::string &trace,
                 bool live);

} // namespace perfidy
