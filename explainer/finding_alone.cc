// Findings that have no fast side: growth of all inputs, and runs stopped at the budget.
#include "explainer/finding_builder.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace perfidy {
namespace {

// Whether some class of inputs is processed and grows clearly more slowly, seen up to a good part
// of the sizes of the slow one.
bool somethingGrowsSlower(const Explanation &in, size_t slow, const ExplainOptions &options) {
  constexpr double kProcessedGrowth = 0.7;
  const RunClass &slowClass = in.classes[slow];
  return std::any_of(in.classes.begin(), in.classes.end(), [&](const RunClass &other) {
    const double exponent = other.function.localExponent;
    return exponent > kProcessedGrowth && exponent < options.superlinear &&
           topCommonSize(other.curve, slowClass.curve) * 4 >= slowClass.curve.rbegin()->first;
  });
}

} // namespace

Run scaledToBudget(const Run &stopped, double counted) {
  Run scaled = stopped;
  const double factor = counted > 0 ? std::min(1.0, double(stopped.cost) / counted) : 1;
  auto round = [&](uint64_t count) {
    constexpr uint64_t kExact = 100; ///< small counts were complete long before
    if (count < kExact)
      return count;
    const double value = std::max(1.0, double(count) * factor);
    const double unit = std::pow(10, std::max(0.0, std::floor(std::log10(value)) - 1));
    return static_cast<uint64_t>(std::llround(value / unit) * unit);
  };
  for (SparseCounts *counts : {&scaled.blocks, &scaled.work})
    for (auto &[index, count] : *counts)
      count = round(count);
  return scaled;
}

std::optional<Finding>
superlinearFinding(const Explanation &in, size_t slow, const ExplainOptions &options) {
  constexpr double kSteep = 1.5, kSurely = 1.3;
  const RunClass &slowClass = in.classes[slow];
  const CostFunction &function = slowClass.function;
  if (function.localExponent < kSteep || function.exponentLow < kSurely ||
      slowClass.curve.size() < 4 || somethingGrowsSlower(in, slow, options))
    return std::nullopt;
  Finding finding;
  finding.kind = "superlinear";
  const auto &[smallest, least] = *slowClass.curve.begin();
  const auto &[largest, most] = *slowClass.curve.rbegin();
  finding.gap.size = largest;
  finding.gap.ratio = most / std::max(1.0, least) * double(smallest) / double(largest);
  finding.gap.growth = function.exponent - 1;
  finding.gap.kind = function.shape == Shape::Exponential ? "exponential" : "polynomial";
  finding.slow = curveOf(in.trace, slowClass, nameOf(in, slow));
  fillFinding(in, makeSide(in.trace, in.graph, slowClass, largest), nullptr, finding);
  finding.message =
      fmt::format("Cost grows {}, and no input of equal size was seen to grow more slowly",
                  growthWords(finding.slow)) +
      responsibleWords(finding);
  return finding;
}

std::optional<Finding> timeoutFinding(const Explanation &in, size_t slow) {
  const RunClass &slowClass = in.classes[slow];
  const Run *stopped = nullptr;
  for (const auto &[size, index] : slowClass.runs)
    if (!stopped && in.trace.runs[index].status == RunStatus::Censored)
      stopped = &in.trace.runs[index];
  if (!stopped)
    return std::nullopt;
  double cheapest = 0;
  for (const Run &run : in.trace.runs)
    if (run.status == RunStatus::Complete && run.size >= stopped->size &&
        (cheapest == 0 || double(run.cost) < cheapest))
      cheapest = double(run.cost);
  Finding finding;
  finding.kind = "timeout";
  finding.gap.size = stopped->size;
  finding.gap.ratio = cheapest > 0 ? double(stopped->cost) / cheapest : 0;
  finding.gap.kind = "unknown";
  finding.slow = curveOf(in.trace, slowClass, nameOf(in, slow));
  const Run scaled = scaledToBudget(*stopped, profileRun(in.trace, in.graph, *stopped).total);
  const Side slowSide{&slowClass, {&scaled}, {profileRun(in.trace, in.graph, scaled)}};
  fillFinding(in, slowSide, nullptr, finding);
  finding.message =
      fmt::format("An input of {} {} was stopped at the cost budget of {}: at least {:.0f} times "
                  "the cost of others of its size",
                  stopped->size,
                  in.sizeUnit,
                  stopped->cost,
                  finding.gap.ratio) +
      responsibleWords(finding);
  return finding;
}

} // namespace perfidy
