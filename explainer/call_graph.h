// Who calls whom: static call sites resolved to functions, with indirect calls resolved by counts.
//
// A function entered more often than its direct call sites explain was called indirectly. Over many
// runs the counts name the site: only a site that ran at least as often in *every* run can have
// called it. Function addresses passed as arguments ("Passed" sites) are preferred, as the passing
// function decided to do the work.
#pragma once

#include "runtime/trace.h"

namespace perfidy {

/// One resolved edge: call site `site` of function `caller` reaches `callee`.
struct CallEdge {
  uint32_t caller = 0, site = 0, callee = 0;
};

struct CallGraph {
  std::vector<CallEdge> edges;                ///< ascending by (caller, site, callee)
  std::vector<std::vector<uint32_t>> out;     ///< per function: indexes into edges
  std::vector<std::vector<uint32_t>> in;      ///< per function: indexes into edges
  std::vector<uint32_t> component;            ///< strongly connected component per function
  std::vector<std::vector<uint32_t>> members; ///< per component, callees before callers
  /// True if the function takes part in recursion.
  bool recursive(uint32_t function) const;
};

/// How often a call site's block ran.
uint64_t siteCount(const Trace &trace, const Run &run, uint32_t caller, uint32_t site);

/// Builds the graph; runs are used to resolve indirect calls.
CallGraph buildCallGraph(const Trace &trace);

} // namespace perfidy
