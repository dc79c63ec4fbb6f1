#include "explainer/amplifiers.h"
#include "explainer/blame.h"

#include <algorithm>
#include <cmath>

namespace perfidy {
namespace {

constexpr size_t kMostRegions = 10;

bool moreResponsible(const Candidate &a, const Candidate &b) {
  if (a.score != b.score)
    return a.score > b.score;
  return std::tie(a.function, a.loop, a.site) < std::tie(b.function, b.loop, b.site);
}

// The same source region reached twice (a loop and a promotion to it) stays once, at its best
// score.
void dropRepeats(std::vector<Candidate> &candidates) {
  std::vector<Candidate> kept;
  for (Candidate &candidate : candidates) {
    bool seen = std::any_of(kept.begin(), kept.end(), [&](const Candidate &other) {
      return other.function == candidate.function && other.loop == candidate.loop &&
             (candidate.loop != kNone || other.kind == candidate.kind);
    });
    if (!seen)
      kept.push_back(std::move(candidate));
  }
  candidates = std::move(kept);
}

} // namespace

Side makeSide(const Trace &trace,
              const CallGraph &graph,
              const RunClass &runClass,
              uint64_t topSize,
              size_t most) {
  Side side;
  side.runClass = &runClass;
  for (const auto &[size, index] : runClass.runs)
    if (size <= topSize && trace.runs[index].status == RunStatus::Complete)
      side.runs.push_back(&trace.runs[index]);
  if (side.runs.size() > most)
    side.runs.erase(side.runs.begin(), side.runs.end() - static_cast<std::ptrdiff_t>(most));
  for (const Run *run : side.runs)
    side.profiles.push_back(profileRun(trace, graph, *run));
  return side;
}

Blame findAmplifiers(const Trace &trace,
                     const CallGraph &graph,
                     const Side &slow,
                     const Side &fast) {
  Comparison comparison{trace, graph, slow, fast};
  Blame blame;
  blame.shares = selfShares(comparison);
  std::vector<Candidate> candidates = growingRegions(comparison);
  if (candidates.empty())
    candidates = largerRegions(comparison);
  std::vector<Candidate> users = usersOfLibrary(comparison, candidates);
  candidates.insert(candidates.end(), users.begin(), users.end());
  std::sort(candidates.begin(), candidates.end(), moreResponsible);
  dropRepeats(candidates);
  if (candidates.size() > kMostRegions)
    candidates.resize(kMostRegions);
  for (const Candidate &candidate : candidates)
    blame.regions.push_back(describe(comparison, candidate));
  return blame;
}

} // namespace perfidy
