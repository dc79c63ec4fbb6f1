// Regions in words.
#include "explainer/blame.h"

#include <cmath>
#include <fmt/format.h>

namespace perfidy {
namespace {

const char *kindName(RegionKind kind) {
  switch (kind) {
  case RegionKind::Loop: return "loop";
  case RegionKind::Recursion: return "recursion";
  case RegionKind::Call: return "call";
  case RegionKind::Function: break;
  }
  return "function";
}

// 12345.6 -> "12,346"; small values keep one decimal.
std::string number(double value) {
  if (value < 100 && std::fabs(value - std::round(value)) > 0.05)
    return fmt::format("{:.1f}", value);
  std::string digits = fmt::format("{:.0f}", value);
  for (int at = static_cast<int>(digits.size()) - 3; at > 0; at -= 3)
    digits.insert(static_cast<size_t>(at), ",");
  return digits;
}

std::string reason(const Candidate &candidate) {
  std::string text;
  if (!candidate.because.empty())
    text = candidate.because + ": ";
  text += fmt::format("entered {} times, {} {} per entry, growing as n^{:.1f}",
                      number(candidate.slow.entries),
                      number(candidate.slow.value),
                      candidate.metric,
                      candidate.slow.exponent);
  if (candidate.fast.entries > 0)
    text += fmt::format("; on the fast side entered {} times with {} (n^{:.1f})",
                        number(candidate.fast.entries),
                        number(candidate.fast.value),
                        candidate.fast.exponent);
  else
    text += "; not entered on the fast side";
  return text;
}

} // namespace

RegionFinding describe(const Comparison &in, const Candidate &candidate) {
  const Function &function = in.trace.functions[candidate.function];
  RegionFinding region;
  region.function = function.display;
  region.linkageName = function.name;
  region.file = function.file;
  region.directory = function.directory;
  region.line = function.line;
  region.endLine = function.endLine;
  region.kind = kindName(candidate.kind);
  if (candidate.loop != kNone) {
    const Loop &loop = function.loops[candidate.loop];
    region.line = loop.line ? loop.line : function.line;
    region.endLine = loop.endLine;
    region.column = loop.column;
  } else if (candidate.site != kNone) {
    region.line = region.endLine = function.calls[candidate.site].line;
    region.column = function.calls[candidate.site].column;
  }
  region.metric = candidate.metric;
  region.perEntrySlow = candidate.slow.value;
  region.perEntryFast = candidate.fast.value;
  region.entriesSlow = candidate.slow.entries;
  region.entriesFast = candidate.fast.entries;
  region.exponentSlow = candidate.slow.exponent;
  region.exponentFast = candidate.fast.exponent;
  region.share = candidate.share;
  region.selfShare =
      (in.slowTop().self[candidate.function] - in.fastSelf(candidate.function)) / in.gap();
  region.why = reason(candidate);
  return region;
}

} // namespace perfidy
