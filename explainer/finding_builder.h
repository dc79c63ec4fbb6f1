// From one slow class to one finding: its fast contrast, the gap, the blame, the tree (used by
// explain.cc and outlier.cc only).
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
  std::string sizeUnit = "bytes"; ///< or the scale that is the size, "samples"
};

/// The finding of one class against its best contrast: of the classes that are cheaper by at least
/// the minimal ratio and grow more slowly, the one whose executed blocks are most alike. None when
/// the class is not slow: no such contrast, or no superlinear growth and no large constant factor.
std::optional<Finding>
buildFinding(const Explanation &in, size_t slow, const ExplainOptions &options);

/// No input of equal size is fast: growth itself is the finding. The ratio is against linear growth
/// from the smallest size.
std::optional<Finding>
superlinearFinding(const Explanation &in, size_t slow, const ExplainOptions &options);

/// A class with too few complete runs because its runs pass the cost budget: explained from the
/// partial counts of the smallest censored one. The ratio is a lower bound, against the cheapest
/// input at least as large.
std::optional<Finding> timeoutFinding(const Explanation &in, size_t slow);

/// Fills what every kind of finding has: blame, pattern, fingerprint. `fast` may be null.
void fillFinding(const Explanation &in,
                 const Side &slowSide,
                 const RunClass *fast,
                 Finding &finding);

/// Name of the cluster that a class belongs to.
std::string nameOf(const Explanation &in, size_t runClass);

/// Likeness of the executed blocks of two runs, 0 to 1 (Jaccard 1901).
double blockLikeness(const Run &a, const Run &b);

/// Identity of a finding: its guilty function, its kind of region and its file, so that it survives
/// moved lines and another link order. `fallback` stands for a missing region.
std::string fingerprintOf(const RegionFinding *region, const std::string &fallback);

/// "as n^2.0".
std::string growthWords(const Curve &curve);

/// "; responsible is the loop at a.c:12 in f.", or "." when nothing is blamed.
std::string responsibleWords(const Finding &finding);

/// Where a run was stopped behind its budget is chance. Scaled back to the budget and rounded to
/// two digits, its counts say the same each time. `counted` is the cost of its counts.
Run scaledToBudget(const Run &stopped, double counted);

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
