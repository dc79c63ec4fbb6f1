#include "tools/parameter_ladder.h"
#include "tools/input_files.h"
#include "tools/process.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <set>

namespace perfidy {
namespace {

constexpr size_t kMostRungs = 10;

// The value of a scale that most runs have.
double usualValue(const Trace &trace, const std::string &scale) {
  std::map<double, size_t> runs;
  for (const Run &run : trace.runs)
    if (auto value = run.parameters.find(scale); value != run.parameters.end())
      ++runs[value->second];
  auto most = std::max_element(
      runs.begin(), runs.end(), [](const auto &a, const auto &b) { return a.second < b.second; });
  return most == runs.end() ? 0 : most->first;
}

// Doubling values from the lowest on; the highest is a rung of its own when nothing is near it.
std::vector<uint64_t> rungsOf(const DeclaredParameter &scale) {
  std::vector<uint64_t> rungs;
  auto high = static_cast<uint64_t>(scale.high);
  for (uint64_t size = std::max<uint64_t>(1, static_cast<uint64_t>(scale.low));
       size <= high && rungs.size() < kMostRungs;
       size *= 2)
    rungs.push_back(size);
  return rungs;
}

/// What is known of one vector while climbing.
struct Climber {
  std::map<double, double> known; ///< size -> cost of complete runs
  double limit = 0;               ///< first size not to be run; 0 = none

  double predict(double size) const {
    auto above = known.lower_bound(size);
    if (above == known.begin())
      return 0;
    auto last = std::prev(above);
    const double grown = size / last->first;
    if (last == known.begin())
      return last->second * grown;
    auto before = std::prev(last);
    const double exponent =
        std::log(last->second / before->second) / std::log(last->first / before->first);
    return last->second * std::pow(grown, std::max(0.0, exponent));
  }
  bool stopsBefore(double size) const { return limit > 0 && size >= limit; }
};

class Climb {
public:
  Climb(const std::string &target,
        const std::vector<NamedVector> &vectors,
        const Declared &declared,
        const ParameterLadder &ladder,
        const std::string &directory,
        const std::string &tracePath,
        const LadderOptions &options)
      : target(target), vectors(vectors), declared(declared), ladder(ladder), directory(directory),
        tracePath(tracePath), options(options), climbers(vectors.size()) {}

  size_t run() {
    for (uint64_t size : rungsOf(declared.at(ladder.dimension)))
      if (!interrupted())
        runRung(size);
    for (uint64_t size : finerSizes())
      if (!interrupted())
        runRung(size);
    return runs;
  }

private:
  static constexpr size_t kEnoughRungs = 7;

  void runRung(uint64_t size) {
    std::vector<TracedInput> inputs;
    std::vector<size_t> owners;
    for (size_t i = 0; i < vectors.size(); ++i) {
      Climber &climber = climbers[i];
      if (climber.stopsBefore(double(size)) || climber.known.count(double(size)))
        continue;
      if (climber.predict(double(size)) > double(options.budget)) {
        climber.limit = double(size);
        continue;
      }
      inputs.push_back(inputAt(i, size));
      owners.push_back(i);
    }
    if (inputs.empty())
      return;
    if (options.onProgress)
      options.onProgress(fmt::format("{} vectors at {} {}", inputs.size(), size, ladder.dimension));
    TraceOptions traceOptions;
    traceOptions.budget = options.budget;
    traceOptions.timeoutSeconds = options.timeoutSeconds;
    const TraceReport report = traceInputs(target, inputs, tracePath, traceOptions);
    runs += report.runs;
    if (report.runs == 0)
      return;
    const Trace trace = readTrace(tracePath);
    for (size_t k = 0; k < owners.size(); ++k) {
      const size_t run = report.runOf[k];
      if (run == kNoRun || trace.runs[run].status != RunStatus::Complete)
        climbers[owners[k]].limit = double(size);
      else
        climbers[owners[k]].known[double(size)] = double(trace.runs[run].cost);
    }
  }

  TracedInput inputAt(size_t index, uint64_t size) const {
    std::map<std::string, double> scales = ladder.others;
    scales[ladder.dimension] = double(size);
    const std::string id = fmt::format("v{:03}", index + 1);
    makeDirectory(directory + "/" + id);
    TracedInput input{fmt::format("{}/{}/{}", directory, id, size), {{"class", id}}};
    input.labels.emplace_back("file", input.path);
    writeBytes(input.path, inputOf(vectors[index], declared, scales, ladder.dimension));
    return input;
  }

  // A cost function needs some sizes: vectors that stopped early get more between their rungs, and
  // all others are run there too, so that sizes stay common.
  std::vector<uint64_t> finerSizes() const {
    std::set<uint64_t> sizes;
    for (const Climber &climber : climbers) {
      if (climber.known.size() >= kEnoughRungs || climber.known.size() < 2)
        continue;
      for (auto at = climber.known.begin(); std::next(at) != climber.known.end(); ++at)
        for (double part : {0.25, 0.5, 0.75}) {
          const double next = std::next(at)->first;
          sizes.insert(static_cast<uint64_t>(at->first + part * (next - at->first)));
        }
    }
    return {sizes.begin(), sizes.end()};
  }

  const std::string &target;
  const std::vector<NamedVector> &vectors;
  const Declared &declared;
  const ParameterLadder &ladder;
  const std::string &directory, &tracePath;
  const LadderOptions &options;
  std::vector<Climber> climbers;
  size_t runs = 0;
};

} // namespace

std::vector<ParameterLadder> parameterLadders(const Trace &trace, const Declared &declared) {
  std::vector<ParameterLadder> ladders;
  const std::vector<std::string> scales = scalesOf(trace, declared);
  for (const std::string &dimension : scales) {
    ParameterLadder ladder{dimension, {}};
    for (const std::string &other : scales)
      if (other != dimension)
        ladder.others[other] = usualValue(trace, other);
    ladders.push_back(ladder);
  }
  return ladders;
}

size_t climbParameters(const std::string &target,
                       const std::vector<NamedVector> &vectors,
                       const Declared &declared,
                       const ParameterLadder &ladder,
                       const std::string &directory,
                       const std::string &tracePath,
                       const LadderOptions &options) {
  return Climb(target, vectors, declared, ladder, directory, tracePath, options).run();
}

} // namespace perfidy
