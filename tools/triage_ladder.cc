#include "tools/triage_ladder.h"
#include "tools/input_files.h"
#include "tools/pattern_text.h"
#include "tools/process.h"
#include "tools/target.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fmt/format.h>
#include <set>

namespace perfidy {
namespace {

constexpr size_t kEnoughRungs = 6;
constexpr size_t kLongestLabel = 4096; ///< bytes of a pattern that is written to each of its runs

class TriageLadder {
public:
  TriageLadder(const std::string &target,
               const std::vector<LadderSide> &contrasts,
               const std::string &directory,
               const std::string &tracePath,
               uint64_t budget)
      : target(target), contrasts(contrasts), directory(directory), tracePath(tracePath),
        budget(budget), known(contrasts.size()), out(contrasts.size(), false) {}

  size_t run(const std::vector<std::string> &slow, const PatternText &pattern) {
    std::filesystem::remove(tracePath);
    std::filesystem::remove_all(directory);
    bool goesOn = true;
    for (const std::string &bytes : slow)
      if (goesOn && !interrupted())
        goesOn = runRung(bytes, pattern);
    return runs;
  }

private:
  std::string contrastBytes(const LadderSide &side, size_t size) const {
    if (!side.pattern.pump.empty())
      return renderPatternText(side.pattern, size);
    std::string bytes;
    while (bytes.size() < size && !side.bytes.empty())
      bytes += side.bytes;
    bytes.resize(size, 'a');
    return bytes;
  }

  TracedInput keep(const std::string &name, const std::string &bytes, const PatternText &pattern) {
    const std::string folder = directory + "/" + name;
    makeDirectory(folder);
    TracedInput input;
    input.path = fmt::format("{}/{}", folder, bytes.size());
    writeBytes(input.path, bytes);
    input.labels = describeInput(input.path, bytes);
    if (pattern.bytes() > 0 && pattern.bytes() <= kLongestLabel)
      labelPatternText(pattern, input.labels);
    input.labels.emplace_back("class", name);
    return input;
  }

  // Expected cost of a contrast at its next size, from its last two.
  double expected(size_t contrast, double size) const {
    const auto &points = known[contrast];
    if (points.size() < 2)
      return 0;
    const auto &[lastSize, lastCost] = points.back();
    const auto &[size0, cost0] = points[points.size() - 2];
    const double exponent = std::log2(lastCost / cost0) / std::log2(lastSize / size0);
    return lastCost * std::pow(size / lastSize, std::max(0.0, exponent));
  }

  // False when the slow side passed the budget: larger ones will too.
  bool runRung(const std::string &bytes, const PatternText &pattern) {
    std::vector<TracedInput> inputs = {keep(kSlowClass, bytes, pattern)};
    std::vector<size_t> owners;
    for (size_t i = 0; i < contrasts.size(); ++i) {
      if (out[i] || expected(i, double(bytes.size())) > double(budget))
        continue;
      inputs.push_back(keep(fmt::format("c{:02}", i + 1),
                            contrastBytes(contrasts[i], bytes.size()),
                            contrasts[i].pattern));
      owners.push_back(i);
    }
    TraceOptions options;
    options.budget = budget * 4; // expectations are rough: censoring is the last resort
    TraceReport report = traceInputs(target, inputs, tracePath, options);
    runs += report.runs;
    const Trace trace = report.runs ? readTrace(tracePath) : Trace();
    for (size_t i = 0; i < owners.size(); ++i) {
      const size_t run = report.runOf[i + 1];
      out[owners[i]] = run == kNoRun || trace.runs[run].status != RunStatus::Complete;
      if (!out[owners[i]] && trace.runs[run].cost > 0)
        known[owners[i]].emplace_back(double(bytes.size()), double(trace.runs[run].cost));
    }
    return report.runOf[0] != kNoRun && trace.runs[report.runOf[0]].status == RunStatus::Complete;
  }

  const std::string &target;
  const std::vector<LadderSide> &contrasts;
  const std::string &directory, &tracePath;
  uint64_t budget;
  std::vector<std::vector<std::pair<double, double>>> known; ///< per contrast: size, cost
  std::vector<bool> out;
  size_t runs = 0;
};

} // namespace

std::vector<std::string> patternRungs(const TriedPattern &slow) {
  std::set<uint64_t> times;
  for (const PatternRun &run : slow.runs)
    if (!run.failed && !run.censored)
      times.insert(run.times);
  const uint64_t top = times.empty() ? 0 : *times.rbegin();
  const uint64_t step = std::max<uint64_t>(1, top / 10);
  for (uint64_t more = top; more > 0 && times.size() < kEnoughRungs; more -= std::min(step, more))
    times.insert(more);
  std::vector<std::string> inputs;
  for (uint64_t count : times)
    inputs.push_back(expandPattern(slow.pattern, count));
  return inputs;
}

std::vector<std::string> prefixRungs(const std::string &bytes) {
  std::set<size_t> sizes;
  for (double part :
       {1.0 / 16, 1.0 / 12, 1.0 / 8, 1.0 / 6, 1.0 / 4, 1.0 / 3, 1.0 / 2, 2.0 / 3, 1.0})
    sizes.insert(static_cast<size_t>(part * double(bytes.size())));
  sizes.erase(0);
  std::vector<std::string> inputs;
  for (size_t size : sizes)
    inputs.push_back(bytes.substr(0, size));
  return inputs;
}

size_t traceTriageLadder(const std::string &target,
                         const std::vector<std::string> &slow,
                         const PatternText &pattern,
                         const std::vector<LadderSide> &contrasts,
                         const std::string &directory,
                         const std::string &tracePath,
                         uint64_t budget) {
  return TriageLadder(target, contrasts, directory, tracePath, budget).run(slow, pattern);
}

} // namespace perfidy
