#include "tools/verify.h"
#include "tools/commands.h"
#include "tools/escape.h"
#include "tools/findings_json.h"
#include "tools/input_files.h"
#include "tools/pattern_text.h"
#include "tools/readable.h"
#include "tools/scratch.h"
#include "tools/target.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fmt/format.h>
#include <iostream>
#include <nlohmann/json.hpp>
#include <optional>

namespace perfidy {
namespace {

constexpr size_t kLargest = 1 << 20; ///< bytes
constexpr size_t kMostDoublings = 8; ///< beyond the recorded sizes

// One side of a finding as inputs of any size; a pair only has one size.
class InputSource {
public:
  // `ladder` is the folder of its class, where inputs as they were run may still be.
  InputSource(const std::optional<PatternText> &pattern,
              std::string ladder,
              const std::string &file,
              const std::string &bytes,
              uint64_t size)
      : pattern(pattern), ladder(std::move(ladder)) {
    std::error_code error;
    if (!file.empty() && std::filesystem::is_regular_file(file, error))
      only = readBytes(file);
    else if (!bytes.empty() && bytes.size() == size) // not cut for the report
      only = bytes;
    // What the search repeats can be richer than the parts say (sequences, shares).
    faithful = pattern && pattern->sequence.empty() &&
               (!only || renderPatternText(*pattern, only->size()) == *only);
  }

  std::optional<std::string> at(uint64_t size) const {
    const std::string kept = fmt::format("{}/{}", ladder, size);
    std::error_code error;
    if (std::filesystem::is_regular_file(kept, error))
      return readBytes(kept);
    if (faithful)
      return renderPatternText(*pattern, size);
    return only && only->size() == size ? only : std::nullopt;
  }
  bool anySize() const { return faithful; }

private:
  const std::optional<PatternText> &pattern;
  std::string ladder;
  std::optional<std::string> only;
  bool faithful = false; ///< the pattern gives the inputs that were run
};

class Verifier {
public:
  explicit Verifier(const VerifyCommand &command)
      : command(command), base(std::filesystem::path(command.findings).parent_path()) {}

  Measured measure(const Finding &finding) const {
    const InputPair &pair = finding.pair;
    const InputSource slow(
        finding.pattern, ladder(finding.slow), file(pair.slowPath), pair.slowBytes, pair.size);
    const InputSource fast(
        finding.fastPattern, ladder(finding.fast), file(pair.fastPath), pair.fastBytes, pair.size);
    std::vector<uint64_t> sizes;
    for (const CurvePoint &point : finding.slow.points)
      sizes.push_back(point.size);
    if (pair.size > 0)
      sizes.push_back(pair.size);
    std::sort(sizes.begin(), sizes.end());
    sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
    if (slow.anySize() && !sizes.empty())
      for (size_t i = 0; i < kMostDoublings && sizes.back() * 2 <= kLargest; ++i)
        sizes.push_back(sizes.back() * 2);
    return {run(slow, sizes), run(fast, sizes)};
  }

private:
  std::string ladder(const Curve &curve) const { return file("ladder/" + curve.classId); }
  std::string file(const std::string &path) const {
    return path.empty() ? "" : (base / path).string();
  }

  // Ascending until a run passes the budget, or is expected to take a multiple of it.
  std::vector<SizeCost> run(const InputSource &source, const std::vector<uint64_t> &sizes) const {
    std::vector<SizeCost> points;
    for (uint64_t size : sizes) {
      const std::optional<std::string> bytes = source.at(size);
      if (!bytes || size == 0)
        continue;
      const std::string input = scratch.path() + "/input", trace = scratch.path() + "/trace";
      writeBytes(input, *bytes);
      std::filesystem::remove(trace);
      TraceOptions options;
      options.budget = command.budget;
      const TraceReport report = traceInputs(command.target, {{input, {}}}, trace, options);
      if (report.runs == 0)
        break;
      const Run run = readTrace(trace).runs.front();
      const bool censored = run.status != RunStatus::Complete;
      points.push_back({double(size), double(run.cost), censored});
      if (censored)
        break;
    }
    return points;
  }

  const VerifyCommand &command;
  std::filesystem::path base;
  ScratchDirectory scratch;
};

const SizeCost *pointAt(const std::vector<SizeCost> &points, double size) {
  auto at = std::find_if(
      points.begin(), points.end(), [&](const SizeCost &point) { return point.size == size; });
  return at == points.end() ? nullptr : &*at;
}

// Exponent between the last two complete sizes, where growth that bends late shows; a censored size
// behind them is a lower bound. NaN with fewer than two points.
double topExponent(const std::vector<SizeCost> &points) {
  double exponent = std::nan("");
  for (size_t i = 1; i < points.size(); ++i) {
    const double slope = std::log2(points[i].cost / std::max(1.0, points[i - 1].cost)) /
                         std::log2(points[i].size / points[i - 1].size);
    exponent = points[i].censored && std::isfinite(exponent) ? std::max(exponent, slope) : slope;
  }
  return exponent;
}

const CurvePoint *recordedTop(const Curve &curve) {
  const CurvePoint *top = nullptr;
  for (const CurvePoint &point : curve.points)
    if (!point.censored)
      top = &point;
  return top;
}

bool sameCounts(const Curve &recorded, const std::vector<SizeCost> &now) {
  return std::all_of(recorded.points.begin(), recorded.points.end(), [&](const CurvePoint &point) {
    const SizeCost *found = pointAt(now, double(point.size));
    return point.censored || !found || found->cost == double(point.cost);
  });
}

bool within(double value, double reference, double factor) {
  return value <= reference * factor && value * factor >= reference;
}

void judgeGrowth(const Finding &finding, double minRatio, Verification &out) {
  const std::vector<SizeCost> &slow = out.measured.slow, &fast = out.measured.fast;
  const CurvePoint *top = recordedTop(finding.slow);
  const SizeCost *now = top ? pointAt(slow, double(top->size)) : nullptr;
  const double after = topExponent(slow), before = finding.slow.exponent;
  if (!std::isfinite(after)) {
    out.reason = "its inputs could not be run at two sizes";
    return;
  }
  const double other = topExponent(fast);
  const double innocent = std::max(1.0, std::isfinite(other) ? other : 1.0);
  const double excess = after - innocent,
               excessBefore = before - std::max(1.0, finding.fast.exponent);
  out.reason = fmt::format("cost grew as n^{:.2f}, now n^{:.2f} up to {} bytes",
                           before,
                           after,
                           grouped(static_cast<uint64_t>(slow.back().size)));
  if (now)
    out.reason += fmt::format("; at {} bytes it cost {}, now {}{}",
                              grouped(top->size),
                              grouped(top->cost),
                              now->censored ? "more than " : "",
                              grouped(static_cast<uint64_t>(now->cost)));
  const SizeCost *contrast = pointAt(fast, slow.back().size);
  const bool gapGone =
      contrast && !slow.back().censored && slow.back().cost < minRatio * contrast->cost;
  const bool growthGone = excess <= std::max(0.2, excessBefore / 3);
  constexpr double kSameExponent = 0.25, kSameCost = 1.25;
  if (growthGone || gapGone)
    out.verdict = Verdict::Fixed;
  else if (now && within(now->cost, double(top->cost), kSameCost) &&
           after >= before - kSameExponent)
    out.verdict = Verdict::Unchanged;
  else
    out.verdict = Verdict::Changed;
}

void judgeRatio(const Finding &finding, double minRatio, Verification &out) {
  const double size = double(finding.gap.size);
  const SizeCost *slow = pointAt(out.measured.slow, size);
  const SizeCost *fast = pointAt(out.measured.fast, size);
  if (!slow && !out.measured.slow.empty()) {
    slow = &out.measured.slow.back();
    fast = pointAt(out.measured.fast, slow->size);
  }
  if (!slow) {
    out.reason = "its inputs could not be made again or run; keep the output directory beside "
                 "findings.json";
    return;
  }
  const bool samePlace = slow->size == double(finding.pair.size);
  const double recorded = samePlace && finding.pair.slowCost ? double(finding.pair.slowCost)
                          : finding.slow.points.empty()      ? 0
                                                        : double(finding.slow.points.back().cost);
  const double ratioBefore =
      finding.pair.fastCost ? double(finding.pair.slowCost) / double(finding.pair.fastCost) : 0;
  const double ratio = fast ? slow->cost / std::max(1.0, fast->cost) : 0;
  out.reason = fmt::format("at {} bytes it cost {}, now {}{}",
                           grouped(static_cast<uint64_t>(slow->size)),
                           grouped(static_cast<uint64_t>(recorded)),
                           slow->censored ? "more than " : "",
                           grouped(static_cast<uint64_t>(slow->cost)));
  if (ratio > 0)
    out.reason += fmt::format(
        ", {} of the fast one, which was {}", readableRatio(ratio), readableRatio(ratioBefore));
  // A timeout was recorded at its budget: the new run may stop at a larger one.
  const bool dear = slow->censored || slow->cost * 2 >= recorded;
  const bool fixed = ratio > 0 ? ratio < minRatio || (!dear && ratio * 4 < ratioBefore) : !dear;
  out.verdict =
      fixed ? Verdict::Fixed
      : slow->censored || within(slow->cost, recorded, 1.25) || (finding.kind == "timeout" && dear)
          ? Verdict::Unchanged
          : Verdict::Changed;
}

nlohmann::ordered_json toJson(const std::vector<Verification> &all) {
  nlohmann::ordered_json out = nlohmann::ordered_json::array();
  auto points = [](const std::vector<SizeCost> &side) {
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const SizeCost &point : side)
      list.push_back({{"size", static_cast<uint64_t>(point.size)},
                      {"cost", static_cast<uint64_t>(point.cost)},
                      {"censored", point.censored}});
    return list;
  };
  for (const Verification &one : all)
    out.push_back({{"id", toUtf8(one.id)},
                   {"verdict", verdictName(one.verdict)},
                   {"reason", toUtf8(one.reason)},
                   {"slow", points(one.measured.slow)},
                   {"fast", points(one.measured.fast)}});
  return out;
}

} // namespace

const char *verdictName(Verdict verdict) {
  switch (verdict) {
  case Verdict::Fixed: return "fixed";
  case Verdict::Changed: return "changed";
  case Verdict::Unchanged: return "unchanged";
  case Verdict::Unknown: break;
  }
  return "unknown";
}

Verification judgeFinding(const Finding &finding, Measured measured, double minRatio) {
  Verification out;
  out.id = finding.id;
  out.message = finding.message;
  out.measured = std::move(measured);
  const bool grows = std::isfinite(finding.slow.exponent) && finding.slow.model != "unknown" &&
                     finding.gap.kind != "constant factor" && finding.pattern;
  if (!out.measured.slow.empty() && recordedTop(finding.slow) &&
      pointAt(out.measured.slow, double(recordedTop(finding.slow)->size)) &&
      sameCounts(finding.slow, out.measured.slow) && sameCounts(finding.fast, out.measured.fast)) {
    out.verdict = Verdict::Unchanged;
    out.reason = "every count is what it was";
    return out;
  }
  if (grows)
    judgeGrowth(finding, minRatio, out);
  else
    judgeRatio(finding, minRatio, out);
  return out;
}

std::vector<Verification> verifyFindings(const VerifyCommand &command) {
  requireTarget(command.target);
  const Findings findings = readFindingsJson(command.findings);
  const Verifier verifier(command);
  std::vector<Verification> all;
  for (const Finding &finding : findings.findings)
    all.push_back(judgeFinding(finding, verifier.measure(finding), command.minRatio));
  return all;
}

int commandVerify(const VerifyCommand &command) {
  const std::vector<Verification> all = verifyFindings(command);
  bool open = false, unknown = false;
  for (const Verification &one : all) {
    fmt::print("{:<9} {}  {}\n          {}.\n",
               verdictName(one.verdict),
               one.id,
               printable(one.message),
               one.reason);
    open |= one.verdict == Verdict::Changed || one.verdict == Verdict::Unchanged;
    unknown |= one.verdict == Verdict::Unknown;
  }
  if (all.empty())
    fmt::print("{} holds no finding.\n", command.findings);
  if (!command.json.empty())
    writeBytes(command.json, toJson(all).dump(2) + "\n");
  return open ? kExitFinding : unknown ? kExitUsage : kExitNothing;
}

} // namespace perfidy
