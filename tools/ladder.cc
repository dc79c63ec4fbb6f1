#include "tools/ladder.h"
#include "runtime/trace.h"
#include "tools/input_files.h"
#include "tools/pattern_bytes.h"
#include "tools/process.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <set>

namespace perfidy {
namespace {

constexpr size_t kEnoughRungs = 6;

class Ladder {
public:
  Ladder(const std::string &target,
         const std::vector<LadderClass> &classes,
         const std::string &directory,
         const std::string &tracePath,
         const LadderOptions &options)
      : target(target), classes(classes), directory(directory), tracePath(tracePath),
        options(options), costs(classes.size()) {}

  size_t run() {
    for (size_t size = options.smallest; size <= options.largest && !interrupted(); size *= 2)
      runRung(size);
    std::vector<size_t> finer = finerSizes();
    std::vector<bool> needed(classes.size());
    // Dear classes with enough rungs need no more; cheap ones are run along as contrast.
    for (size_t i = 0; i < classes.size(); ++i)
      needed[i] = !limit.count(i) || costs[i].size() < kEnoughRungs;
    for (size_t size : finer)
      if (!interrupted())
        runRung(size, &needed);
    return runs;
  }

private:
  // Cost at a larger size if growth goes on as between the last two rungs; exponential growth shows
  // in exponents that rise from rung to rung, and is then continued as such.
  double predict(size_t index, size_t size) const {
    const std::map<size_t, double> &known = costs[index];
    auto below = known.lower_bound(size);
    if (std::distance(known.begin(), below) < 2)
      return 0;
    auto last = std::prev(below), before = std::prev(last);
    double step = std::log2(double(last->first) / double(before->first));
    double exponent = std::log2(last->second / before->second) / step;
    double polynomial = last->second * std::pow(double(size) / double(last->first), exponent);
    if (exponent < 4)
      return polynomial;
    double perByte = std::log2(last->second / before->second) / double(last->first - before->first);
    return std::max(polynomial, last->second * std::exp2(perByte * double(size - last->first)));
  }

  void runRung(size_t size, const std::vector<bool> *needed = nullptr) {
    std::vector<TracedInput> inputs;
    std::vector<size_t> owners;
    for (size_t i = 0; i < classes.size(); ++i) {
      if (needed && !(*needed)[i])
        continue;
      if (costs[i].count(size) || reachedLimit(i, size) || size < smallestFor(i))
        continue;
      if (predict(i, size) > double(options.budget)) {
        stop(i, size);
        continue;
      }
      inputs.push_back(render(i, size));
      owners.push_back(i);
    }
    if (inputs.empty())
      return;
    if (options.onProgress)
      options.onProgress(fmt::format("{} classes at {} bytes", inputs.size(), size));
    TraceOptions traceOptions;
    traceOptions.budget = options.budget * 4; // predictions are rough: censoring is the last resort
    traceOptions.timeoutSeconds = options.timeoutSeconds;
    TraceReport report = traceInputs(target, inputs, tracePath, traceOptions);
    runs += report.runs;
    learnCosts(owners, report, size);
  }

  bool reachedLimit(size_t index, size_t size) const {
    auto at = limit.find(index);
    return at != limit.end() && size >= at->second;
  }

  // Below this the fixed parts dominate and the pump is hardly repeated.
  size_t smallestFor(size_t index) const { return 2 * classes[index].pattern.weight(); }

  TracedInput render(size_t index, size_t size) const {
    const std::string bytes = renderedInput(classes[index].pattern, size);
    std::string folder = fmt::format("{}/{}", directory, classes[index].id);
    makeDirectory(folder);
    TracedInput input;
    input.path = fmt::format("{}/{}", folder, size);
    writeBytes(input.path, bytes);
    input.labels = describeInput(input.path, bytes);
    labelPattern(classes[index].pattern, input.labels);
    input.labels.emplace_back("class", classes[index].id);
    return input;
  }

  void stop(size_t index, size_t size) {
    auto at = limit.try_emplace(index, size).first;
    at->second = std::min(at->second, size);
  }

  void learnCosts(const std::vector<size_t> &owners, const TraceReport &report, size_t size) {
    Trace trace = readTrace(tracePath);
    for (size_t i = 0; i < owners.size(); ++i) {
      if (report.runOf[i] == kNoRun || trace.runs[report.runOf[i]].status != RunStatus::Complete) {
        stop(owners[i], size);
        continue;
      }
      costs[owners[i]][size] = double(trace.runs[report.runOf[i]].cost);
    }
  }

  // Classes that stopped early (steep growth) get sizes between and below their rungs; all classes
  // are run there, so that sizes stay common.
  std::vector<size_t> finerSizes() const {
    std::set<size_t> sizes;
    for (size_t i = 0; i < classes.size(); ++i) {
      auto stop = limit.find(i);
      if (stop == limit.end() || costs[i].size() >= kEnoughRungs)
        continue;
      size_t top = costs[i].empty() ? stop->second / 2 : costs[i].rbegin()->first;
      for (size_t size = std::max<size_t>(4, top / 4); size < stop->second;
           size += std::max<size_t>(1, top / 8))
        sizes.insert(size);
    }
    return {sizes.begin(), sizes.end()};
  }

  const std::string &target;
  const std::vector<LadderClass> &classes;
  const std::string &directory, &tracePath;
  const LadderOptions &options;
  std::vector<std::map<size_t, double>> costs; ///< per class: size -> cost
  std::map<size_t, size_t> limit;              ///< classes that stopped -> first size not to be run
  size_t runs = 0;
};

} // namespace

size_t climbLadder(const std::string &target,
                   const std::vector<LadderClass> &classes,
                   const std::string &directory,
                   const std::string &tracePath,
                   const LadderOptions &options) {
  return Ladder(target, classes, directory, tracePath, options).run();
}

} // namespace perfidy
