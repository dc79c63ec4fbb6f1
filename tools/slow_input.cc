#include "tools/slow_input.h"
#include "tools/input_files.h"
#include "tools/pattern_text.h"
#include "tools/propose_patterns.h"
#include "tools/target.h"

#include <algorithm>
#include <filesystem>

namespace perfidy {
namespace {

constexpr double kAlike = 0.3;       ///< least overlap of profiles
constexpr double kNearTie = 0.5;     ///< part of the best promise at which the simpler one wins
constexpr double kReproduced = 0.25; ///< least part of the input's own cost
constexpr size_t kFewestRungs = 2;   ///< complete ones; fewer show no growth
constexpr uint64_t kSimplifyAt = 2'000'000; ///< cost of the rung at which patterns are simplified

// Size of the largest rung that is cheap enough to be run hundreds of times.
size_t simplificationSize(const TriedPattern &tried) {
  size_t size = 0;
  for (const PatternRun &run : tried.runs)
    if (!run.failed && !run.censored && (size == 0 || run.cost <= kSimplifyAt))
      size = run.size;
  return size;
}

size_t completeRungs(const TriedPattern &tried) {
  return static_cast<size_t>(
      std::count_if(tried.runs.begin(), tried.runs.end(), [](const PatternRun &run) {
        return !run.failed && !run.censored;
      }));
}

// The best of the tried patterns that resemble the input; null if none does.
const TriedPattern *bestOf(const std::vector<TriedPattern> &tried, const SlowInput &input) {
  double largest = 0;
  for (const TriedPattern &one : tried)
    if (!one.runs.empty())
      largest = std::max(largest, double(one.runs.back().size));
  auto alike = [&](const TriedPattern &one) {
    return !one.runs.empty() && profileOverlap(one.profile, input.profile) >= kAlike;
  };
  double most = 0;
  for (const TriedPattern &one : tried)
    if (alike(one))
      most = std::max(most, one.promise(largest));
  const TriedPattern *best = nullptr;
  for (const TriedPattern &one : tried)
    if (alike(one) && one.promise(largest) >= kNearTie * most &&
        (!best || patternWeight(one.pattern) < patternWeight(best->pattern)))
      best = &one;
  return best;
}

} // namespace

SlowInput runSlowInput(const std::string &target,
                       const std::string &path,
                       const std::string &directory,
                       const SlowInputOptions &options) {
  SlowInput input;
  input.path = path;
  input.size = readBytes(path).size();
  const std::string tracePath = directory + "/input.trace";
  makeDirectory(directory);
  std::filesystem::remove(tracePath);
  TraceOptions traceOptions;
  traceOptions.budget = options.budget;
  TraceReport report = traceInputs(target, {{path, {}}}, tracePath, traceOptions);
  input.executions = report.runs;
  input.failed = report.runs == 0;
  input.lastOutput = report.lastOutput;
  if (!input.failed) {
    const Trace trace = readTrace(tracePath);
    input.size = trace.runs[0].inputBytes;
    input.cost = trace.runs[0].cost;
    input.censored = trace.runs[0].status != RunStatus::Complete;
    input.profile = costProfile(trace, trace.runs[0]);
  }
  std::filesystem::remove(tracePath);
  return input;
}

SlowInput studySlowInput(const std::string &target,
                         const std::string &path,
                         const std::string &directory,
                         const SlowInputOptions &options) {
  SlowInput input = runSlowInput(target, path, directory, options);
  if (input.failed || input.size == 0)
    return input;
  // A dear but complete input sets the measure for what stands for it.
  const uint64_t own = input.censored ? 0 : 2 * input.cost;
  PatternTrial trial(target, directory, std::max(options.trialBudget, own));
  const size_t largest =
      std::min<size_t>(options.largest, std::max<size_t>(2048, 4 * size_t(input.size)));
  const std::vector<TriedPattern> tried = trial.climb(proposePatterns(readBytes(path)), largest);
  const TriedPattern *best = bestOf(tried, input);
  if (best) {
    TriedPattern chosen = *best;
    const bool reproduced =
        input.censored || chosen.promise(double(input.size)) >= kReproduced * double(input.cost);
    if (reproduced) {
      const PatternText simple = trial.simplify(chosen.pattern, simplificationSize(chosen));
      const TriedPattern again = trial.climb({simple}, largest).front();
      if (completeRungs(again) >= completeRungs(chosen))
        chosen = again;
      input.likeness = profileOverlap(chosen.profile, input.profile);
      if (completeRungs(chosen) >= kFewestRungs)
        input.pattern = chosen;
    }
  }
  input.executions += trial.executions();
  return input;
}

} // namespace perfidy
