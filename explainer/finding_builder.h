// From one slow class to one finding: its fast contrast, the gap, the blame, the tree (used by
// explain.cc only).
#pragma once

#include "explainer/amplifiers.h"
#include "explainer/explain.h"

#include <optional>

namespace perfidy {

/// Everything learned from one trace before findings are drawn from it.
struct Explanation {
  const Trace &trace;
  CallGraph graph;
  std::vector<RunClass> classes;
  Clustering clustering;
};

/// The finding of one class against its best contrast: of the classes that are cheaper by at least
/// the minimal ratio and grow more slowly, the one whose executed blocks are most alike. None when
/// the class is not slow: no such contrast, or no superlinear growth and no large constant factor.
std::optional<Finding>
buildFinding(const Explanation &in, size_t slow, const ExplainOptions &options);

/// "A" for the cheapest cluster, and so on.
std::string clusterName(int label);

/// Worst first: growing before constant gaps, then by exponent (fifths) and ratio, then by id.
bool findingOrder(const Finding &a, const Finding &b);

/// A finding with all classes that have the same cause.
struct Cause {
  Finding finding; ///< told by the clearest class
  std::vector<size_t> slowClasses;
};

/// Learns what tells the classes of a cause from the classes that are slow for no cause
/// (`fastClasses`), first over inputs, then over internals, and attaches the better believable tree
/// with its validation.
void attachTree(const Explanation &in, const std::vector<size_t> &fastClasses, Cause &cause);

} // namespace perfidy
