// Findings to test the report writers with: one as explain makes it from a Markdown parser, made
// hostile in the places that a program under test controls, and one with everything optional
// absent.
#pragma once

#include "explainer/findings.h"

#include <cstdlib>
#include <fstream>
#include <limits>
#include <sstream>
#include <string>

namespace perfidy::sample {

/// A symbol can be called anything; this one wants to run script in a report.
inline const std::string kHostileName = "</script><img src=x onerror=alert(1)>";
/// Not UTF-8 in any way: stray continuation, impossible bytes, cut-off sequence; and a NUL.
inline const std::string kBadBytes = std::string("\x80\xff\xfe<\0\"\xe2\x82", 8);

inline Curve curve(const std::string &model, std::vector<uint64_t> costs) {
  Curve out;
  out.model = model;
  uint64_t size = 256;
  for (const uint64_t cost : costs) {
    out.points.push_back({size, cost, false, false});
    size *= 2;
  }
  out.points.back().heldOut = true;
  return out;
}

inline Curve slowCurve() {
  Curve out = curve("n^2",
                    {21'871,
                     44'307,
                     135'022,
                     495'613,
                     1'944'044,
                     7'716'917,
                     30'904'338,
                     123'282'120,
                     492'100'563});
  out.formula = "0.115 n^2 + 14310";
  out.exponent = 1.98;
  out.exponentLow = 1.96;
  out.exponentHigh = 2.01;
  out.heldOutError = 0.0029;
  out.coefficients = {14'310, 0.1149, 0};
  out.cluster = "B";
  out.classId = "pattern:3f2a";
  return out;
}

inline Curve fastCurve() {
  Curve out = curve(
      "n", {15'012, 29'080, 57'233, 113'561, 226'190, 451'502, 902'066, 1'803'310, 3'605'718});
  out.formula = "55 n + 932";
  out.exponent = 1;
  out.exponentLow = 0.99;
  out.exponentHigh = 1.01;
  out.heldOutError = 0.0003;
  out.coefficients = {932, 55, 0};
  out.cluster = "A";
  out.classId = "pattern:91c0";
  return out;
}

inline RegionFinding scanLoop() {
  RegionFinding out;
  out.function = "handle_pointy_brace";
  out.linkageName = "handle_pointy_brace";
  out.file = "src/inlines.c";
  out.directory = "/nowhere/cmark/build";
  out.line = 862;
  out.endLine = 905;
  out.column = 3;
  out.kind = "loop";
  out.metric = "iterations";
  out.perEntrySlow = 16'384;
  out.perEntryFast = 1.2;
  out.entriesSlow = 32'768;
  out.entriesFast = 21;
  out.exponentSlow = 1;
  out.exponentFast = 0.02;
  out.share = 0.964;
  out.selfShare = 0.021;
  out.why = "its iterations per entry grow with the input in the slow cluster (n^1.00) and stay "
            "constant in the fast one, and it is entered once for every \"<?\"";
  return out;
}

inline RegionFinding hostileCall() {
  RegionFinding out = scanLoop();
  out.function = kHostileName;
  out.linkageName = "_Z4evil\xff";
  out.file = "src/scanners.c";
  out.line = 4851;
  out.endLine = 4851;
  out.column = 0;
  out.kind = "call";
  out.metric = "work per iteration";
  out.perEntrySlow = 14'821;
  out.perEntryFast = 18.5;
  out.share = 0.943;
  out.selfShare = 0.943;
  out.why = "";
  return out;
}

inline std::string repeated(const std::string &text, size_t count) {
  std::string out;
  for (size_t i = 0; i < count; ++i)
    out += text;
  return out;
}

inline InputPair inputPair() {
  InputPair out;
  out.slowPath = "pairs/3f2a-slow.bin";
  out.fastPath = "pairs/3f2a-fast.bin";
  out.size = 65'536;
  out.slowCost = 492'100'563;
  out.fastCost = 3'605'718;
  out.confirmed = true;
  out.slowBytes = kBadBytes + repeated("<?", 250);
  out.fastBytes = kBadBytes + repeated("a ", 250);
  return out;
}

inline std::vector<TreeNodeText> tree() {
  TreeNodeText root;
  root.yes = 1;
  root.no = 2;
  root.condition = "loop at src/inlines.c:862 runs more than 31 times per entry";
  root.function = "handle_pointy_brace";
  root.file = "src/inlines.c";
  root.line = 862;
  root.rows = {198, 96};
  TreeNodeText slow;
  slow.id = 1;
  slow.leaf = "slow";
  slow.rows = {2, 96};
  TreeNodeText fast;
  fast.id = 2;
  fast.leaf = "fast";
  fast.rows = {196, 0};
  return {root, slow, fast};
}

inline Validation validation() {
  Validation out;
  out.heldOutClasses = 0.97;
  out.heldOutLow = 0.91;
  out.heldOutHigh = 1;
  out.randomSplit = 0.99;
  out.majority = 0.5;
  out.permutation = 0.52;
  out.classes = 34;
  out.runs = 294;
  out.beatsBaselines = true;
  out.verdict = "The rule holds for classes of inputs it has never seen.";
  return out;
}

inline Finding differential() {
  Finding out;
  out.id = "c0ffee5eed1234ab";
  out.kind = "differential";
  out.message =
      "inputs of 64 KiB differ 136x in cost: one side grows as n^2, the other as n, because of "
      "the loop in handle_pointy_brace";
  out.gap = {136.48, 65'536, 0.98, "polynomial"};
  out.slow = slowCurve();
  out.fast = fastCurve();
  out.regions = {scanLoop(), hostileCall()};
  out.shares = {{kHostileName, "src/scanners.c", 4851, 0.943},
                {"handle_pointy_brace", "src/inlines.c", 862, 0.041},
                {"parse_inline", "src/inlines.c", 1221, 0.019},
                {"S_process_line", "src/blocks.c", 1120, -0.003}};
  out.pattern = PatternText{kBadBytes, "<?", "", "", "\n"};
  out.fastPattern = PatternText{kBadBytes, "a ", "", "", "\n"};
  out.pair = inputPair();
  out.tree = tree();
  out.validation = validation();
  return out;
}

inline Findings findings() {
  Findings out;
  out.target = "cmark_fuzz";
  out.findings = {differential()};
  out.clusters = {{"A", 22, 198, "n", 1, 3'605'718, 65'536},
                  {"B", 12, 96, "n^2", 1.98, 492'100'563, 65'536}};
  out.notes = {"2 classes have fewer than 4 sizes and were left out"};
  out.stats = {{"classes", 34}, {"functions", 412}, {"runs", 294}};
  out.reproduce = {"perfidy explain trace.perfidy -o report",
                   "PERFIDY_TRACE=again.perfidy ./cmark_fuzz report/pairs/3f2a-slow.bin "
                   "report/pairs/3f2a-fast.bin"};
  return out;
}

/// Nothing to compare with, no region, no pattern, no tree; stopped at the budget; not finite.
inline Findings bareFindings() {
  Finding finding;
  finding.id = "0badcafe";
  finding.kind = "timeout";
  finding.message = "the input slow-unit-1 did not finish within the cost budget";
  finding.gap.ratio = std::numeric_limits<double>::infinity();
  finding.gap.growth = std::numeric_limits<double>::quiet_NaN();
  finding.slow.model = "unknown";
  finding.slow.exponent = std::numeric_limits<double>::quiet_NaN();
  finding.slow.cluster = "A";
  finding.slow.points = {{1024, 5'000'000'000, false, true}};
  Findings out;
  out.target = "bare_fuzz";
  out.findings = {finding};
  return out;
}

/// Compares with test/golden/<name>; with UPDATE_GOLDEN set the file is rewritten instead.
inline std::string golden(const std::string &name, const std::string &actual) {
  const std::string path = std::string(PERFIDY_SOURCE_DIR) + "/test/golden/" + name;
  if (std::getenv("UPDATE_GOLDEN") != nullptr)
    std::ofstream(path, std::ios::binary) << actual;
  std::ifstream in(path, std::ios::binary);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

} // namespace perfidy::sample
