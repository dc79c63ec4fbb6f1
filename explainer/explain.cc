#include "explainer/explain.h"
#include "explainer/finding_builder.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <set>

namespace perfidy {
namespace {

void summarizeClusters(const Explanation &in, Findings &findings) {
  for (int c = 0; c < in.clustering.count; ++c) {
    const RunClass &medoid = in.classes[in.clustering.medoid[static_cast<size_t>(c)]];
    ClusterSummary summary;
    summary.name = clusterName(c);
    for (size_t i = 0; i < in.classes.size(); ++i)
      if (in.clustering.label[i] == c) {
        ++summary.classes;
        summary.runs += static_cast<int>(in.classes[i].runs.size());
      }
    summary.model = shapeName(medoid.function.shape);
    summary.exponent = medoid.function.exponent;
    if (!medoid.curve.empty()) {
      summary.topSize = medoid.curve.rbegin()->first;
      summary.costAtTop = medoid.curve.rbegin()->second;
    }
    findings.clusters.push_back(summary);
  }
}

constexpr size_t kMostTrees = 8; ///< findings that get a decision tree: learning one takes a while

size_t patternBytes(const Finding &finding) {
  // A raw input is as hard to read as a long pattern.
  return finding.pattern ? finding.pattern->bytes() : 64;
}

// Of two classes with one cause, the one that tells it better: clearly worse, or simpler.
bool tellsBetter(const Finding &a, const Finding &b) {
  if (a.kind != b.kind) // differential, superlinear, timeout: what shows more comes first
    return a.kind < b.kind;
  constexpr double kClearly = 2, kExponent = 0.2;
  if (a.gap.kind != b.gap.kind || std::fabs(a.slow.exponent - b.slow.exponent) > kExponent)
    return findingOrder(a, b);
  double ratio = a.gap.ratio / b.gap.ratio;
  if (ratio > kClearly || ratio < 1 / kClearly)
    return ratio > 1;
  return patternBytes(a) < patternBytes(b);
}

// Classes that differ, by cause: one finding per guilty region, told by its clearest class.
std::vector<Cause> distinctCauses(const Explanation &in,
                                  const ExplainOptions &options,
                                  std::vector<size_t> &fastClasses) {
  std::map<std::string, Cause> byId;
  for (size_t slow = 0; slow < in.classes.size(); ++slow) {
    std::optional<Finding> made = buildFinding(in, slow, options);
    if (!made) {
      if (in.classes[slow].function.shape != Shape::Unknown)
        fastClasses.push_back(slow);
      continue;
    }
    Cause &cause = byId[made->id];
    const bool focused = in.classes[slow].id == options.focus;
    const bool settled = !options.focus.empty() && !cause.slowClasses.empty() &&
                         cause.finding.slow.classId == options.focus;
    if (focused || cause.slowClasses.empty() || (!settled && tellsBetter(*made, cause.finding)))
      cause.finding = std::move(*made);
    cause.slowClasses.push_back(slow);
  }
  std::set<std::string> explained; // functions whose growth is known: a timeout there says less
  for (const auto &[id, cause] : byId)
    if (cause.finding.kind != "timeout" && !cause.finding.regions.empty())
      explained.insert(cause.finding.regions.front().linkageName);
  std::vector<Cause> causes;
  for (auto &[id, cause] : byId) {
    const bool known = cause.finding.kind == "timeout" && !cause.finding.regions.empty() &&
                       explained.count(cause.finding.regions.front().linkageName) > 0;
    const bool wanted =
        options.focus.empty() ? !known : cause.finding.slow.classId == options.focus;
    if (wanted)
      causes.push_back(std::move(cause));
  }
  std::sort(causes.begin(), causes.end(), [](const Cause &a, const Cause &b) {
    return findingOrder(a.finding, b.finding);
  });
  return causes;
}

// Whether the worst region of one finding is among the first ones of another.
bool sharesCode(const Finding &a, const Finding &b) {
  constexpr size_t kFirst = 5;
  if (a.regions.empty())
    return false;
  for (size_t i = 0; i < b.regions.size() && i < kFirst; ++i)
    if (b.regions[i].linkageName == a.regions.front().linkageName)
      return true;
  return false;
}

// A solver's iterations spread over loops and the functions they call, and which of them comes
// first is a matter of little: where runs are told apart by parameters, findings that blame each
// other's code are one, told by the worst.
std::vector<Cause> mergedCauses(std::vector<Cause> causes) {
  std::vector<Cause> merged;
  for (Cause &cause : causes) {
    auto same = std::find_if(merged.begin(), merged.end(), [&](const Cause &known) {
      return known.finding.kind == cause.finding.kind && sharesCode(known.finding, cause.finding) &&
             sharesCode(cause.finding, known.finding);
    });
    if (same == merged.end())
      merged.push_back(std::move(cause));
    else
      same->slowClasses.insert(
          same->slowClasses.end(), cause.slowClasses.begin(), cause.slowClasses.end());
  }
  return merged;
}

void addNotes(const Explanation &in, Findings &findings) {
  size_t few = 0, censored = 0;
  for (const RunClass &runClass : in.classes) {
    few += runClass.function.shape == Shape::Unknown;
    censored += runClass.censored;
  }
  if (in.classes.empty())
    findings.notes.push_back(
        "No class of runs has enough different sizes to learn a cost function from.");
  if (few > 0)
    findings.notes.push_back(fmt::format(
        "{} of {} classes have not enough sizes for a cost function.", few, in.classes.size()));
  if (censored > 0)
    findings.notes.push_back(fmt::format(
        "{} classes have runs that were stopped at the cost budget; their costs are lower bounds.",
        censored));
  if (in.trace.truncated)
    findings.notes.push_back("The trace was cut off (a killed run); what came before was used.");
}

std::string sizeUnitOf(const Trace &trace) {
  for (const Run &run : trace.runs)
    if (auto scale = run.tags.find("scale"); scale != run.tags.end())
      return scale->second;
  return "bytes";
}

std::vector<CostCurve> curvesOf(const std::vector<RunClass> &classes) {
  std::vector<CostCurve> curves;
  for (const RunClass &runClass : classes)
    curves.push_back(runClass.curve);
  return curves;
}

} // namespace

Trace mergeTraces(std::vector<Trace> traces) {
  if (traces.empty())
    throw Error("No trace was given. Record one with 'perfidy trace TARGET FILES... -o T'.");
  Trace merged = std::move(traces.front());
  for (size_t i = 1; i < traces.size(); ++i) {
    if (traces[i].build != merged.build)
      throw Error(
          fmt::format("Traces of different builds ({} and {}) cannot be merged: block numbers mean "
                      "nothing across builds. Record both with the same program.",
                      merged.build,
                      traces[i].build));
    std::move(traces[i].runs.begin(), traces[i].runs.end(), std::back_inserter(merged.runs));
    merged.truncated |= traces[i].truncated;
  }
  return merged;
}

Findings explain(const Trace &trace, const std::string &target, const ExplainOptions &options) {
  Explanation in{trace, {}, collectClasses(trace), {}, sizeUnitOf(trace)};
  ClusterOptions clusterOptions;
  clusterOptions.minRatio = options.minRatio;
  in.clustering = clusterCurves(curvesOf(in.classes), clusterOptions);
  in.graph = buildCallGraph(trace);

  Findings findings;
  findings.target = target;
  findings.sizeUnit = in.sizeUnit;
  std::vector<size_t> fastClasses;
  std::vector<Cause> causes = distinctCauses(in, options, fastClasses);
  if (!declaredParameters(trace).empty())
    causes = mergedCauses(std::move(causes));
  for (size_t i = 0; i < causes.size() && i < options.mostFindings; ++i) {
    for (size_t slow : causes[i].slowClasses)
      causes[i].finding.classes.push_back(in.classes[slow].id);
    if (i < kMostTrees)
      attachTree(in, fastClasses, causes[i]);
    findings.findings.push_back(std::move(causes[i].finding));
  }
  summarizeClusters(in, findings);
  addNotes(in, findings);
  findings.stats = {{"runs", double(trace.runs.size())},
                    {"classes", double(in.classes.size())},
                    {"clusters", double(in.clustering.count)},
                    {"functions", double(trace.functions.size())},
                    {"blocks", double(trace.blockTotal)}};
  return findings;
}

} // namespace perfidy
