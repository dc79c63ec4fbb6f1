#include "explainer/outlier.h"
#include "explainer/finding_builder.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fmt/format.h>
#include <limits>

namespace perfidy {
namespace {

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

// One size says nothing about growth; the regions must not claim any.
void removeGrowth(RegionFinding &region) {
  region.exponentSlow = region.exponentFast = kUnknown;
  for (const char *claim : {", growing as n^0.0", " (n^0.0)"})
    if (size_t at = region.why.find(claim); at != std::string::npos)
      region.why.erase(at, std::strlen(claim));
}

// Index of the best contrast; the number of runs if there is none.
size_t bestContrast(const Trace &trace, size_t dear, double minRatio) {
  const Run &slow = trace.runs[dear];
  auto ratio = [&](const Run &run) { return double(slow.cost) / std::max(1.0, double(run.cost)); };
  auto usable = [&](size_t i) {
    const Run &run = trace.runs[i];
    return i != dear && run.status == RunStatus::Complete && run.size == slow.size &&
           ratio(run) >= minRatio;
  };
  double largest = 0;
  for (size_t i = 0; i < trace.runs.size(); ++i)
    if (usable(i))
      largest = std::max(largest, ratio(trace.runs[i]));
  size_t best = trace.runs.size();
  double mostAlike = -1;
  for (size_t i = 0; i < trace.runs.size(); ++i) {
    // A contrast must show a good part of the gap: the square root of the largest ratio.
    if (!usable(i) || std::log2(ratio(trace.runs[i])) * 2 < std::log2(largest))
      continue;
    const double alike = blockLikeness(slow, trace.runs[i]);
    if (alike > mostAlike) {
      mostAlike = alike;
      best = i;
    }
  }
  return best;
}

Curve onePoint(const Run &run) {
  Curve curve;
  curve.model = shapeName(Shape::Unknown);
  curve.formula = "known at one size only";
  curve.exponent = curve.exponentLow = curve.exponentHigh = kUnknown;
  curve.points = {{run.size, run.cost, false, run.status != RunStatus::Complete}};
  return curve;
}

std::string pathOf(const Run &run) {
  auto found = run.tags.find("file");
  return found == run.tags.end() ? std::string() : found->second;
}

Side sideOf(const Trace &trace, const CallGraph &graph, const Run &run) {
  Side side;
  side.runs = {&run};
  side.profiles = {profileRun(trace, graph, run)};
  return side;
}

void addContrast(const Run &slow, const Run &fast, Finding &finding) {
  finding.gap.ratio = double(slow.cost) / std::max(1.0, double(fast.cost));
  finding.fast = onePoint(fast);
  finding.pair.slowPath = pathOf(slow);
  finding.pair.fastPath = pathOf(fast);
  finding.pair.size = slow.size;
  finding.pair.slowCost = slow.cost;
  finding.pair.fastCost = fast.cost;
}

std::string outlierMessage(const Run &slow, const Finding &finding) {
  std::string text =
      slow.status == RunStatus::Complete
          ? fmt::format("An input of {} bytes costs {:.1f} times another one of its size",
                        slow.size,
                        finding.gap.ratio)
          : fmt::format(
                "An input of {} bytes was stopped at the cost budget of {}", slow.size, slow.cost);
  if (slow.status != RunStatus::Complete && finding.gap.ratio > 0)
    text += fmt::format(": at least {:.0f} times the cost of another one of its size",
                        finding.gap.ratio);
  return text + responsibleWords(finding);
}

} // namespace

std::optional<Finding>
explainOutlier(const Trace &trace, size_t dear, const ExplainOptions &options) {
  const CallGraph graph = buildCallGraph(trace);
  const Run &recorded = trace.runs[dear];
  const bool stopped = recorded.status != RunStatus::Complete;
  const size_t contrast = bestContrast(trace, dear, options.minRatio);
  const bool contrasted = contrast < trace.runs.size();
  if (!contrasted && !stopped)
    return std::nullopt;
  const Run slow =
      stopped ? scaledToBudget(recorded, profileRun(trace, graph, recorded).total) : recorded;
  Finding finding;
  finding.kind = stopped ? "timeout" : "outlier";
  finding.gap.size = slow.size;
  finding.gap.kind = "unknown";
  finding.gap.growth = kUnknown;
  finding.slow = onePoint(recorded);
  if (contrasted)
    addContrast(recorded, trace.runs[contrast], finding);
  Blame blame = findAmplifiers(trace,
                               graph,
                               sideOf(trace, graph, slow),
                               contrasted ? sideOf(trace, graph, trace.runs[contrast]) : Side());
  finding.regions = std::move(blame.regions);
  for (RegionFinding &region : finding.regions)
    removeGrowth(region);
  finding.shares = std::move(blame.shares);
  finding.id =
      fingerprintOf(finding.regions.empty() ? nullptr : &finding.regions.front(), pathOf(recorded));
  finding.message = outlierMessage(recorded, finding);
  return finding;
}

} // namespace perfidy
