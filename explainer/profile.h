// Cost of one run by region: exact self costs, and costs with callees included.
//
// Self cost is exact: the sum over functions is the cost of the run. What a callee costs is charged
// to its call sites in proportion to their counts (as gprof does: Graham, Kessler, McKusick 1982),
// with recursion treated as one unit.
#pragma once

#include "explainer/call_graph.h"

namespace perfidy {

/// All values in cost units of Trace, as doubles (exact up to 2^53).
struct Profile {
  std::vector<double> entries;   ///< per function
  std::vector<double> self;      ///< per function
  std::vector<double> inclusive; ///< per function (of its whole component when recursive)
  std::vector<double> edgeCost;  ///< per CallGraph edge: cost of the callee charged to the site
  double total = 0;
};

Profile profileRun(const Trace &trace, const CallGraph &graph, const Run &run);

/// Counts and cost of one loop in a run.
struct LoopProfile {
  double count = 0;     ///< executions of the header
  double entries = 0;   ///< executions of the preheader; 0 when unknown
  double inclusive = 0; ///< cost spent inside, nested loops and callees included
  double perEntry() const { return entries > 0 ? count / entries : 0; }
};

LoopProfile profileLoop(const Trace &trace,
                        const CallGraph &graph,
                        const Profile &profile,
                        const Run &run,
                        uint32_t function,
                        uint32_t loop);

/// True if `inner` is `outer` or nested in it.
bool loopContains(const Function &function, uint32_t outer, uint32_t inner);

} // namespace perfidy
