// Amplifiers: the regions whose executions per entry grow in the slow class and not in the fast
// one.
//
// Cost along a call chain is a product of executions per entry. A loop that is entered once and
// walks the input is innocent; a loop that is entered often *and* whose iterations per entry grow
// with the size is what turns a linear program quadratic. A function that only reads (a scanner,
// strlen) cannot know that it is asked again, so its work is blamed on the caller that decides to
// ask.
#pragma once

#include "explainer/classes.h"
#include "explainer/profile.h"

namespace perfidy {

/// One side of a comparison: a class with the profile of each of its runs.
struct Side {
  const RunClass *runClass = nullptr;
  std::vector<const Run *>
      runs; ///< ascending by size, complete ones; the last is at the common size
  std::vector<Profile> profiles; ///< parallel to runs
};

/// Profiles the complete runs of a class up to `topSize`, at most `most` of them, the largest ones.
Side makeSide(const Trace &trace,
              const CallGraph &graph,
              const RunClass &runClass,
              uint64_t topSize,
              size_t most = 8);

struct Blame {
  std::vector<RegionFinding> regions; ///< most responsible first, at most 10
  std::vector<FunctionShare> shares;  ///< exact self shares, descending, sum 1
};

/// Compares two sides whose last runs have equal size. An empty fast side (no contrast) compares
/// with nothing: all regions' growth counts.
Blame findAmplifiers(const Trace &trace,
                     const CallGraph &graph,
                     const Side &slow,
                     const Side &fast);

} // namespace perfidy
