// Traces of training runs as rows of a table: what the diagnosis of training programs learns from.
//
// A series becomes six numbers over a window of epochs: mean, std, min, max, last, and the slope of
// a least-squares line. The first part of a series' name is its set (see
// test/programs/training/observe.h): base, act, step, free, curv, edge, check.
#pragma once

#include "explainer/table.h"
#include "runtime/trace.h"

#include <map>

namespace perfidy {

/// One training run.
struct TrainingRun {
  std::string program, family, fault, operation, file;
  bool killed = false; ///< the operator shows in the program's scores
  bool clean = false;  ///< known to be without fault
  bool died = false;   ///< a value overflowed
  double seed = -1;
  std::map<std::string, Series> series;
};

/// The runs of trace files and of all *.trace and *.trace.gz in folders, in order of file names.
/// Runs without series are left out. Throws Error when nothing is left.
std::vector<TrainingRun> readTrainingRuns(const std::vector<std::string> &paths);

/// How values are made comparable between programs.
enum class Scaling {
  None,
  ToStart,       ///< minus (of logarithms: divided by) the run's own value in epoch 0
  CleanReference ///< (x - median) / (1.4826 MAD + 0.1 sigma) of the program's clean runs
};

struct FeatureOptions {
  std::vector<std::string> sets{"base"};
  Scaling scaling = Scaling::None;
  int window = 0; ///< epochs 0 .. window - 1 only; 0: all
};

/// Columns "series, summary" (input: true). Label -1, group: program, in order of first appearance.
/// With CleanReference only programs with at least two clean runs get values, others NaN
/// throughout; a clean run is not in its own reference.
Table featureTable(const std::vector<TrainingRun> &runs, const FeatureOptions &options);

/// The numbers of the sets on a scale that suits them: logarithm of what is positive and has a
/// unit, signed logarithm of curvature, others as they are. Not finite: NaN.
double onScale(const std::string &series, double value);

} // namespace perfidy
