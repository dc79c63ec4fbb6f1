// Candidates for blame: how they are found and described (used by amplifiers.cc only). How they are
// found: blame.cc; whom they are charged to: blame_callers.cc; words: describe.cc.
#pragma once

#include "explainer/amplifiers.h"

namespace perfidy {

struct Comparison {
  const Trace &trace;
  const CallGraph &graph;
  const Side &slow, &fast;

  const Profile &slowTop() const { return slow.profiles.back(); }
  double fastTotal() const { return fast.profiles.empty() ? 0 : fast.profiles.back().total; }
  double fastSelf(uint32_t function) const {
    return fast.profiles.empty() ? 0 : fast.profiles.back().self[function];
  }
  /// Cost to be explained, at least 1.
  double gap() const;
};

/// Executions per entry over sizes on one side.
struct PerEntry {
  double entries = 0, value = 0; ///< at the top size
  double exponent = 0;           ///< growth of value in size
  double entriesExponent = 0;    ///< growth of entries in size
  /// Growth that multiplies with the surroundings: a region entered a fixed number of times may
  /// walk the input (exponent 1) without amplifying anything; one whose entries grow may not.
  double amplification() const;
};

enum class RegionKind { Loop, Recursion, Call, Function };

struct Candidate {
  RegionKind kind = RegionKind::Loop;
  uint32_t function = 0;
  uint32_t loop = kNone; ///< Loop
  uint32_t site = kNone; ///< Call: index into Function::calls
  PerEntry slow, fast;
  const char *metric = "iterations";
  double share = 0;
  double score = 0;
  std::string because; ///< set by promotions: what the region calls
};

/// Exact decomposition of the gap by function.
std::vector<FunctionShare> selfShares(const Comparison &comparison);

/// Loops, recursions and calls whose per-entry work grows faster on the slow side.
std::vector<Candidate> growingRegions(const Comparison &comparison);

/// Without growth (constant factor): regions that do more per entry, or run more often.
std::vector<Candidate> largerRegions(const Comparison &comparison);

/// For candidates inside the C++ standard library: the nearest caller outside it, which is what the
/// user can change.
std::vector<Candidate> usersOfLibrary(const Comparison &comparison,
                                      const std::vector<Candidate> &candidates);

inline constexpr double kManyEntries = 8;  ///< fewer entries do not multiply
inline constexpr double kGrowthGap = 0.25; ///< exponents closer than this are the same

/// Executions of a call site in a run.
double countAt(const Comparison &comparison, const Run &run, uint32_t function, uint32_t site);

/// Fills both sides and the share of a loop candidate.
void measureLoop(const Comparison &comparison, Candidate &candidate);

/// Innermost loop around a call site, as a loop candidate; the call where there is none.
Candidate aroundSite(const Comparison &comparison, uint32_t function, uint32_t site);

/// Code of the C++ standard library.
bool isStandardLibrary(const Function &function);

/// A reader is asked again by somebody who can write down the answer, or who repeats the question:
/// walks up to that caller and adds it. A reader entered a few times repeats within itself and is
/// left alone.
void promoteReader(const Comparison &comparison,
                   const Candidate &reader,
                   std::vector<Candidate> &out);

/// True if one entry costs the same on both sides, and only the slow side enters often: the fault
/// is with whoever repeats it.
bool onlyRepeated(const Candidate &candidate);

/// Adds the loop of a caller that repeats a candidate ever more often on the slow side only, if
/// there is one.
void addRepeater(const Comparison &comparison,
                 const Candidate &repeated,
                 std::vector<Candidate> &out);

RegionFinding describe(const Comparison &comparison, const Candidate &candidate);

} // namespace perfidy
