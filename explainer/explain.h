// Trace in, findings out: classes, cost functions, clusters, amplifiers, tree, validation.
//
// A pure function of the trace: the same bytes every time. Owned by the explainer.
#pragma once

#include "explainer/findings.h"
#include "runtime/trace.h"

#include <string>
#include <vector>

namespace perfidy {

struct ExplainOptions {
  double minRatio = 2;       ///< smaller gaps are no finding
  double constantRatio = 20; ///< a gap that does not grow with size must be at least this large
  double typicalRatio = 8;   ///< and exceed the median class of its size by this factor
  double superlinear = 1.25; ///< a growing gap needs a slow side that grows at least this fast
  size_t mostFindings = 20;
  std::string focus; ///< class that tells its cause and whose cause alone is reported; empty: all
};

/// One trace from several of the same build; throws Error when builds differ or there is none.
Trace mergeTraces(std::vector<Trace> traces);

/// Explains the classes of a trace. `target` is the name shown in reports.
Findings explain(const Trace &trace, const std::string &target, const ExplainOptions &options = {});

} // namespace perfidy
