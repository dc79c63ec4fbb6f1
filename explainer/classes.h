// Classes: runs that belong together and differ in size. Trace in, labelled groups out.
//
// A run belongs to the class named by its tag "class" (put there by a ladder or a filter); runs
// without one are grouped by path key. Owned by the explainer; knows nothing of where traces come
// from.
#pragma once

#include "explainer/cluster.h"
#include "explainer/cost_function.h"
#include "explainer/findings.h"
#include "runtime/trace.h"

#include <optional>

namespace perfidy {

/// One class. Run indexes point into Trace::runs; at most one run per size: the dearest (equal
/// costs: the first), as differing costs at one size inside a class are noise of the grouping.
struct RunClass {
  std::string id;
  std::string outcome; ///< tag "outcome" of its runs; classes of different ones are never
                       ///< compared
  std::map<uint64_t, size_t> runs; ///< size -> run
  std::optional<PatternText> pattern;
  CostCurve curve; ///< complete runs only
  CostFunction function;
  bool censored = false; ///< its next larger size passed the cost budget
};

/// Groups, fits and sorts (by id) the classes of a trace. Classes with a tag "class" may have any
/// number of sizes; path-key groups with fewer than four sizes are left out. Runs tagged "outcome"
/// with different values are never in one class.
std::vector<RunClass> collectClasses(const Trace &trace);

/// Largest size present in both curves; 0 if none.
uint64_t topCommonSize(const CostCurve &a, const CostCurve &b);

/// The curve of a class as reports show it.
Curve curveOf(const Trace &trace, const RunClass &runClass, const std::string &cluster);

} // namespace perfidy
