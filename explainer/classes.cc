#include "explainer/classes.h"

#include <sstream>

namespace perfidy {
namespace {

constexpr size_t kFewestSizes = 4;

std::string classOf(const Trace &trace, const Run &run, bool &labelled) {
  auto tagged = run.tags.find("class");
  labelled = tagged != run.tags.end();
  std::string id = labelled ? tagged->second : "path " + pathKey(trace, run).substr(0, 12);
  auto outcome = run.tags.find("outcome");
  return outcome == run.tags.end() ? id : id + " / " + outcome->second;
}

// "pump offset start step width;" for each counter.
std::vector<PatternCounter> countersOf(const std::string &text) {
  std::vector<PatternCounter> counters;
  std::istringstream in(text);
  PatternCounter counter;
  int pump = 0;
  char end = 0;
  while (in >> pump >> counter.offset >> counter.start >> counter.step >> counter.width >> end) {
    counter.second = pump == 2;
    counters.push_back(counter);
  }
  return counters;
}

std::optional<PatternText> patternOf(const Run &run) {
  auto get = [&](const char *key) {
    auto found = run.tags.find(key);
    return found == run.tags.end() ? std::string() : found->second;
  };
  auto position = [&](const char *key) {
    const std::string text = get(key);
    return text.empty() ? -1 : std::atoi(text.c_str());
  };
  PatternText pattern{get("prefix"),
                      get("pump"),
                      get("middle"),
                      get("pump2"),
                      get("suffix"),
                      get("sequence"),
                      position("sequence at"),
                      position("sequence at2"),
                      countersOf(get("counters"))};
  if (pattern.pump.empty() && pattern.sequence.empty() && pattern.counters.empty())
    return std::nullopt;
  return pattern;
}

void addRun(const Trace &trace, size_t index, RunClass &into) {
  const Run &run = trace.runs[index];
  auto [at, fresh] = into.runs.try_emplace(run.size, index);
  if (!fresh && run.cost > trace.runs[at->second].cost)
    at->second = index;
  if (!into.pattern)
    into.pattern = patternOf(run);
}

// Fixed costs and table set-up bend the lower end of a curve. How many of the smallest sizes to
// leave out is decided by predicting the second largest from those below it; the largest stays
// unseen.
CostFunction fitUpperSizes(const std::vector<SizeCost> &points) {
  constexpr size_t kFewest = 5;
  constexpr double kWorthIt = 0.02;
  size_t best = 0;
  double bestError = -1;
  for (size_t drop = 0; drop * 2 <= points.size() && points.size() - drop > kFewest; ++drop) {
    auto first = points.begin() + static_cast<std::ptrdiff_t>(drop);
    CostFunction trial = fitCostFunction({first, points.end() - 1});
    if (trial.heldOutError < 0)
      continue;
    if (bestError < 0 || trial.heldOutError < bestError - kWorthIt) {
      bestError = trial.heldOutError;
      best = drop;
    }
  }
  return fitCostFunction({points.begin() + static_cast<std::ptrdiff_t>(best), points.end()});
}

void finish(const Trace &trace, RunClass &made) {
  std::vector<SizeCost> points;
  for (const auto &[size, index] : made.runs) {
    const Run &run = trace.runs[index];
    bool censored = run.status != RunStatus::Complete;
    made.censored |= censored;
    if (size == 0)
      continue;
    points.push_back({double(size), double(run.cost), censored});
    if (!censored)
      made.curve[size] = double(run.cost);
  }
  made.function = fitUpperSizes(points);
}

} // namespace

std::vector<RunClass> collectClasses(const Trace &trace) {
  std::map<std::string, RunClass> byId;
  std::map<std::string, bool> isLabelled;
  for (size_t i = 0; i < trace.runs.size(); ++i) {
    bool labelled = false;
    std::string id = classOf(trace, trace.runs[i], labelled);
    isLabelled[id] = labelled;
    RunClass &into = byId[id];
    into.id = id;
    if (auto outcome = trace.runs[i].tags.find("outcome"); outcome != trace.runs[i].tags.end())
      into.outcome = outcome->second;
    addRun(trace, i, into);
  }
  std::vector<RunClass> classes;
  for (auto &[id, made] : byId) {
    if (!isLabelled[id] && made.runs.size() < kFewestSizes)
      continue;
    finish(trace, made);
    classes.push_back(std::move(made));
  }
  return classes;
}

uint64_t topCommonSize(const CostCurve &a, const CostCurve &b) {
  for (auto at = a.rbegin(); at != a.rend(); ++at)
    if (b.count(at->first))
      return at->first;
  return 0;
}

Curve curveOf(const Trace &trace, const RunClass &runClass, const std::string &cluster) {
  const CostFunction &function = runClass.function;
  Curve curve;
  curve.model = shapeName(function.shape);
  curve.formula = function.formula();
  curve.exponent = function.exponent;
  curve.exponentLow = function.exponentLow;
  curve.exponentHigh = function.exponentHigh;
  curve.heldOutError = function.heldOutError;
  curve.coefficients = {function.intercept, function.factor, function.power, function.linear};
  curve.cluster = cluster;
  curve.classId = runClass.id;
  for (const auto &[size, index] : runClass.runs) {
    const Run &run = trace.runs[index];
    bool censored = run.status != RunStatus::Complete;
    bool heldOut = function.heldOutError >= 0 && double(size) == function.heldOutSize;
    curve.points.push_back({size, run.cost, heldOut, censored});
  }
  return curve;
}

} // namespace perfidy
