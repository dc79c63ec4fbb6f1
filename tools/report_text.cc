#include "tools/report_text.h"

#include "tools/escape.h"
#include "tools/readable.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <ostream>

namespace perfidy {
namespace {

/// Rows beyond this are thinned out: the table is to be taken in at a glance.
constexpr size_t kMaxLadderRows = 8;
constexpr size_t kMaxRegions = 5;

/// ANSI sequences, or nothing when colour is off.
class Style {
public:
  explicit Style(bool on) : on(on) {}
  std::string bold(const std::string &text) const { return wrap("1", text); }
  std::string warning(const std::string &text) const { return wrap("1;35", text); }
  std::string note(const std::string &text) const { return wrap("1;36", text); }
  std::string slow(const std::string &text) const { return wrap("31", text); }
  std::string fast(const std::string &text) const { return wrap("34", text); }
  std::string faint(const std::string &text) const { return wrap("2", text); }

private:
  std::string wrap(const char *code, const std::string &text) const {
    return on ? fmt::format("\x1b[{}m{}\x1b[0m", code, text) : text;
  }
  bool on;
};

/// One line of the summary: a label column and a text.
void writeRow(std::ostream &out, const Style &style, const char *label, const std::string &text) {
  out << "  " << style.bold(fmt::format("{:<10}", label)) << text << '\n';
}

bool hasFastSide(const Finding &finding) { return !finding.fast.points.empty(); }

void writeDiagnostics(const Finding &finding,
                      const std::string &target,
                      const Style &style,
                      std::ostream &out) {
  const RegionFinding nowhere;
  const RegionFinding &top = finding.regions.empty() ? nowhere : finding.regions.front();
  out << style.bold(placeOf(top, target) + ":") << ' ' << style.warning("warning:") << ' '
      << style.bold(printable(finding.message)) << " [perfidy-" << ruleName(finding.kind) << "]\n";
  for (size_t i = 0; i < std::min(kMaxRegions, finding.regions.size()); ++i) {
    const RegionFinding &region = finding.regions[i];
    out << style.bold(placeOf(region, target) + ":") << ' ' << style.note("note:") << ' '
        << regionPhrase(region, hasFastSide(finding)) << '\n';
  }
}

/// "loop at src/inlines.c:862-905 in handle_pointy_brace".
std::string whereText(const RegionFinding &region, const std::string &target) {
  std::string text = region.kind.empty() ? "region" : printable(region.kind);
  RegionFinding place = region;
  place.column = 0;
  text += " at " + placeOf(place, target);
  if (region.line != 0 && region.endLine > region.line)
    text += fmt::format("-{}", region.endLine);
  return region.function.empty() ? text : text + " in " + printable(region.function);
}

struct LadderRow {
  const CurvePoint *slow = nullptr;
  const CurvePoint *fast = nullptr;
};

/// Both sides joined on size, those of the slow side; when there are too many, the lowest, the
/// highest and evenly between.
std::vector<std::pair<uint64_t, LadderRow>> ladderRows(const Finding &finding) {
  std::map<uint64_t, LadderRow> bySize;
  for (const CurvePoint &point : finding.slow.points)
    bySize[point.size].slow = &point;
  for (const CurvePoint &point : finding.fast.points)
    if (bySize.count(point.size) || finding.slow.points.empty())
      bySize[point.size].fast = &point;
  std::vector<std::pair<uint64_t, LadderRow>> all(bySize.begin(), bySize.end());
  if (all.size() <= kMaxLadderRows)
    return all;
  std::vector<std::pair<uint64_t, LadderRow>> some;
  for (size_t i = 0; i < kMaxLadderRows; ++i)
    some.push_back(all[i * (all.size() - 1) / (kMaxLadderRows - 1)]);
  return some;
}

std::string costText(const CurvePoint *point) {
  if (point == nullptr)
    return "-";
  return (point->censored ? ">" : "") + grouped(point->cost);
}

std::string ratioText(const LadderRow &row) {
  if (row.slow == nullptr || row.fast == nullptr || row.fast->cost == 0)
    return "-";
  const double ratio = static_cast<double>(row.slow->cost) / static_cast<double>(row.fast->cost);
  return (row.slow->censored ? ">" : "") + readableRatio(ratio);
}

void writeLadder(const Finding &finding, const Style &style, std::ostream &out) {
  const auto rows = ladderRows(finding);
  if (rows.empty())
    return;
  bool heldOut = false;
  bool censored = false;
  const bool twoSided = hasFastSide(finding);
  out << style.faint(fmt::format("  {:>14} {:>18}", "size", "slow cost") +
                     (twoSided ? fmt::format(" {:>18} {:>9}", "fast cost", "ratio") : ""))
      << '\n';
  for (const auto &[size, row] : rows) {
    bool rowHeldOut = false;
    for (const CurvePoint *point : {row.slow, row.fast}) {
      rowHeldOut |= point != nullptr && point->heldOut;
      censored |= point != nullptr && point->censored;
    }
    heldOut |= rowHeldOut;
    out << fmt::format("  {:>14} ", grouped(size))
        << style.slow(fmt::format("{:>18}", costText(row.slow)));
    if (twoSided)
      out << style.fast(fmt::format(" {:>18}", costText(row.fast)))
          << fmt::format(" {:>9}", ratioText(row));
    out << (rowHeldOut ? " *\n" : "\n");
  }
  if (heldOut)
    out << style.faint("  * held out: not used for the fit, so it tests the fit") << '\n';
  if (censored)
    out << style.faint("  > stopped at the cost budget: a lower bound") << '\n';
}

void writeGrowth(const Finding &finding, const Style &style, std::ostream &out) {
  const auto side = [&](const char *label, const Curve &curve, const std::string &formula) {
    writeRow(out, style, label, growthPhrase(curve));
    if (!curve.formula.empty())
      writeRow(out, style, "", formula);
  };
  side("slow", finding.slow, style.slow("cost(n) = " + printable(finding.slow.formula)));
  if (!hasFastSide(finding))
    return;
  side("fast", finding.fast, style.fast("cost(n) = " + printable(finding.fast.formula)));
}

void writeInputs(const Finding &finding,
                 const std::string &unit,
                 const Style &style,
                 std::ostream &out) {
  if (finding.pattern)
    writeRow(out, style, "pattern", style.slow(patternExpression(*finding.pattern)));
  if (finding.fastPattern)
    writeRow(out, style, "benign", style.fast(patternExpression(*finding.fastPattern)));
  const InputPair &pair = finding.pair;
  if (pair.slowPath.empty())
    return;
  std::string text = printable(pair.slowPath) + " costs " + grouped(pair.slowCost);
  if (!pair.fastPath.empty())
    text += ", " + printable(pair.fastPath) + " costs " + grouped(pair.fastCost);
  writeRow(out, style, "inputs", text);
  writeRow(out,
           style,
           "",
           (pair.fastPath.empty() ? "" : "both ") + readableSize(pair.size, unit) +
               (pair.confirmed ? "; run again and confirmed" : "; not confirmed by a second run"));
}

std::string beliefText(const Validation &validation) {
  const std::string text = printable(validation.verdict);
  if (text.empty())
    return "the explanation was not validated: too few classes";
  return text + fmt::format(" [{} classes, {} runs]", validation.classes, validation.runs);
}

void writeFinding(const Findings &findings, size_t index, const Style &style, std::ostream &out) {
  const Finding &finding = findings.findings[index];
  const std::string &unit = finding.sizeUnit.empty() ? findings.sizeUnit : finding.sizeUnit;
  writeDiagnostics(finding, findings.target, style, out);
  out << '\n'
      << style.bold(fmt::format("Finding {} of {}: ", index + 1, findings.findings.size()))
      << printable(finding.message) << "\n\n";
  if (!finding.regions.empty()) {
    const RegionFinding &top = finding.regions.front();
    writeRow(out, style, "where", whereText(top, findings.target));
    if (!top.why.empty())
      writeRow(out, style, "why", printable(top.why));
  }
  if (hasFastSide(finding))
    writeRow(out,
             style,
             "gap",
             fmt::format("{} at {}",
                         readableRatio(finding.gap.ratio),
                         readableSize(finding.gap.size, unit)) +
                 (std::isfinite(finding.gap.growth) ? fmt::format(", growing as n^{:.2f} ({})",
                                                                  finding.gap.growth,
                                                                  printable(finding.gap.kind))
                                                    : ""));
  writeGrowth(finding, style, out);
  writeInputs(finding, unit, style, out);
  for (size_t i = 0; i < finding.inputs.size(); ++i)
    writeRow(out, style, i == 0 ? "explains" : "", printable(finding.inputs[i]));
  if (!finding.rule.empty())
    writeRow(out, style, "slow when", printable(finding.rule));
  writeRow(out, style, "believe", beliefText(finding.validation));
  writeRow(out, style, "id", printable(finding.id));
  out << '\n';
  writeLadder(finding, style, out);
  out << '\n';
}

void writeList(const char *title,
               const std::vector<std::string> &lines,
               const Style &style,
               std::ostream &out) {
  if (lines.empty())
    return;
  out << style.bold(title) << '\n';
  for (const std::string &line : lines)
    out << "  " << printable(line) << '\n';
}

} // namespace

void writeText(const Findings &findings, std::ostream &out, bool colour) {
  const Style style(colour);
  const std::string target = findings.target.empty() ? "the target" : printable(findings.target);
  if (findings.findings.empty())
    out << "No differential performance bug found in " << target
        << ": inputs of the same size cost about the same in all runs seen.\n";
  for (size_t i = 0; i < findings.findings.size(); ++i)
    writeFinding(findings, i, style, out);
  if (!findings.findings.empty())
    writeList("To reproduce:", findings.reproduce, style, out);
  writeList("Notes:", findings.notes, style, out);
}

} // namespace perfidy
