#include "tools/readable.h"

#include "tools/escape.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace perfidy {
namespace {

/// Three significant digits without an exponent or trailing zeros after the point.
std::string threeDigits(double value) {
  const double magnitude = std::fabs(value);
  const int decimals = magnitude >= 100 ? 0 : magnitude >= 10 ? 1 : 2;
  std::string text = fmt::format("{:.{}f}", value, decimals);
  if (text.find('.') == std::string::npos)
    return text;
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.')
    text.pop_back();
  return text == "-0" ? "0" : text;
}

/// "342 iterations per entry"; a metric that is itself a rate reads better in front.
std::string perEntryText(const RegionFinding &region) {
  const std::string metric = region.metric.empty() ? "executions" : printable(region.metric);
  const std::string value = readableNumber(region.perEntrySlow);
  return metric.find(" per ") == std::string::npos ? value + " " + metric + " per entry"
                                                   : metric + " " + value;
}

/// "growing as n^1.02 against n^0.01".
std::string exponents(const RegionFinding &region, bool hasFastSide) {
  std::string text = fmt::format("growing as n^{:.2f}", region.exponentSlow);
  if (hasFastSide)
    text += fmt::format(" against n^{:.2f}", region.exponentFast);
  return text;
}

} // namespace

std::string readableNumber(double value) {
  if (!std::isfinite(value))
    return "n/a";
  constexpr std::pair<double, const char *> kSteps[] = {
      {1e15, " P"}, {1e12, " T"}, {1e9, " G"}, {1e6, " M"}, {1e4, " k"}};
  const double magnitude = std::fabs(value);
  // Past the last prefix digits say nothing any more; the power of ten does.
  if (magnitude >= 1e18)
    return fmt::format("{:.2e}", value);
  for (const auto &[step, suffix] : kSteps) {
    if (magnitude >= step)
      return threeDigits(value / (step == 1e4 ? 1e3 : step)) + suffix;
  }
  return threeDigits(value);
}

std::string grouped(uint64_t value) {
  std::string text = std::to_string(value);
  for (size_t at = text.size(); at > 3;) {
    at -= 3;
    text.insert(at, ",");
  }
  return text;
}

std::string readableSize(uint64_t size, const std::string &unit) {
  if (unit == "bytes" && size != 0) {
    constexpr std::pair<uint64_t, const char *> kUnits[] = {
        {1ull << 30u, "GiB"}, {1ull << 20u, "MiB"}, {1ull << 10u, "KiB"}};
    for (const auto &[step, name] : kUnits) {
      if (size % step == 0)
        return fmt::format("{} {}", size / step, name);
    }
  }
  return grouped(size) + " " + printable(unit);
}

std::string readablePercent(double fraction) {
  if (!std::isfinite(fraction))
    return "n/a";
  const double percent = 100 * fraction;
  if (percent > 0 && percent < 0.05)
    return "<0.1 %";
  return fmt::format("{:.{}f} %", percent, std::fabs(percent) < 9.95 ? 1 : 0);
}

std::string readableRatio(double ratio) {
  if (!std::isfinite(ratio))
    return "n/a";
  return ratio < 9.95 ? fmt::format("{:.1f}x", ratio) : readableNumber(ratio) + "x";
}

std::string_view ruleName(const std::string &kind) {
  if (kind == "superlinear")
    return "superlinear-cost";
  if (kind == "timeout")
    return "hard-timeout";
  return "differential-cost";
}

namespace {

// One pump without counters: "ab" x k, or ("a" i "b") x k with the changing element i before a
// byte.
std::string repeatedExpression(const std::string &pump, int at) {
  if (at < 0)
    return pump.empty() ? "" : quotedBytes(pump) + " x k";
  const std::string head = pump.substr(0, static_cast<size_t>(at));
  const std::string tail = pump.substr(head.size());
  return "(" + (head.empty() ? "" : quotedBytes(head) + " ") + "i" +
         (tail.empty() ? "" : " " + quotedBytes(tail)) + ") x k";
}

// `"<?" x k`; with counters `("[" + n + "]: a") x k, n = 1, 2, ...`.
std::string repeatedText(const PatternText &pattern, bool second) {
  const std::string &pump = second ? pattern.pump2 : pattern.pump;
  std::string text, first;
  size_t at = 0;
  auto add = [&](const std::string &piece) { text += (text.empty() ? "" : " + ") + piece; };
  for (const PatternCounter &counter : pattern.counters) {
    if (counter.second != second)
      continue;
    const size_t until = std::min(counter.offset, pump.size());
    if (until > at)
      add(quotedBytes(pump.substr(at, until - at)));
    add(fmt::format("({} + {} i)", counter.start, counter.step));
    at = until;
  }
  if (text.empty())
    return repeatedExpression(pump, second ? pattern.at2 : pattern.at);
  if (at < pump.size())
    add(quotedBytes(pump.substr(at)));
  return "(" + text + ") for i < k";
}

} // namespace

std::string patternExpression(const PatternText &pattern) {
  std::string text;
  auto add = [&](const std::string &part) {
    if (!part.empty())
      text += (text.empty() ? "" : " + ") + part;
  };
  auto fixed = [](const std::string &bytes) { return bytes.empty() ? "" : quotedBytes(bytes); };
  add(fixed(pattern.prefix));
  add(repeatedText(pattern, false));
  add(fixed(pattern.middle));
  add(repeatedText(pattern, true));
  add(fixed(pattern.suffix));
  if (!pattern.sequence.empty())
    text += " with i = " + pattern.sequence;
  return text.empty() ? "\"\"" : text;
}

std::string growthPhrase(const Curve &curve) {
  if (curve.points.empty())
    return "nothing was measured on this side";
  std::string text = curve.model.empty() ? "unknown growth" : printable(curve.model);
  if (std::isfinite(curve.exponent)) {
    text += fmt::format(", exponent {:.2f}", curve.exponent);
    if (std::isfinite(curve.exponentLow) && std::isfinite(curve.exponentHigh))
      text += fmt::format(" (95 %: {:.2f} to {:.2f})", curve.exponentLow, curve.exponentHigh);
  }
  if (curve.heldOutError >= 0)
    return text + ", held-out rung off by " + readablePercent(curve.heldOutError);
  return text + ", no rung held out";
}

std::string regionPhrase(const RegionFinding &region, bool hasFastSide) {
  std::string text =
      fmt::format("{} in {}: {}",
                  region.kind.empty() ? "region" : printable(region.kind),
                  region.function.empty() ? "an unnamed function" : printable(region.function),
                  perEntryText(region));
  if (hasFastSide)
    text += fmt::format(", {} on the fast side", readableNumber(region.perEntryFast));
  if (std::isfinite(region.exponentSlow))
    text += "; " + exponents(region, hasFastSide);
  return text + "; " + readablePercent(region.share) +
         (hasFastSide ? " of the gap is spent inside" : " of the cost is spent inside");
}

std::string placeOf(const RegionFinding &region, const std::string &target) {
  if (region.file.empty())
    return printable(target.empty() ? "<target>" : target);
  std::string text = printable(region.file);
  if (region.line == 0)
    return text;
  text += fmt::format(":{}", region.line);
  return region.column == 0 ? text : text + fmt::format(":{}", region.column);
}

} // namespace perfidy
