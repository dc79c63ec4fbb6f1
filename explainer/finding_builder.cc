#include "explainer/finding_builder.h"
#include "explainer/features.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace perfidy {

// Jaccard similarity of the executed blocks.
double blockLikeness(const Run &a, const Run &b) {
  size_t common = 0, i = 0, j = 0;
  while (i < a.blocks.size() && j < b.blocks.size()) {
    uint32_t left = a.blocks[i].first, right = b.blocks[j].first;
    common += left == right;
    i += left <= right;
    j += right <= left;
  }
  size_t all = a.blocks.size() + b.blocks.size() - common;
  return all ? double(common) / double(all) : 0;
}

std::string fingerprintOf(const RegionFinding *region, const std::string &fallback) {
  uint64_t state = 0xcbf29ce484222325u;
  auto add = [&](const std::string &text) {
    for (char c : text + '\0')
      state = (state ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  };
  if (region) {
    add(region->linkageName);
    add(region->kind);
    // No line: the fingerprint survives moves. One finding per guilty function: its loops usually
    // share one cause, and a second one shows up once the first is fixed.
    add(baseName(region->file));
  } else {
    add(fallback);
  }
  return fmt::format("{:016x}", state);
}

namespace {

// Growth of the cost ratio over the common sizes.
double ratioGrowth(const CostCurve &slow, const CostCurve &fast) {
  std::vector<SizeCost> points;
  for (const auto &[size, cost] : slow) {
    auto other = fast.find(size);
    if (other != fast.end() && other->second > 0)
      points.push_back({double(size), cost / other->second});
  }
  return growthExponent(points);
}

// A readable contrast is worth a little likeness.
double complexity(const RunClass &runClass) {
  constexpr double kPerByte = 0.002, kMost = 0.3, kNoPattern = 0.1;
  return runClass.pattern ? std::min(kMost, kPerByte * double(runClass.pattern->bytes()))
                          : kNoPattern;
}

constexpr double kProcessed = 0.3; ///< worth of a contrast that grows with its size at all
constexpr double kSlower = 0.5;    ///< worth of each unit of exponent by which it grows more slowly

struct Contrast {
  size_t fast = 0;
  uint64_t size = 0;
  double ratio = 0, growth = 0;
  double worth = -1; ///< likeness of executed blocks, corrected by what makes a contrast readable
};

// Slope of log cost over the last two sizes: growth that only begins at the top.
double topSlope(const CostCurve &curve) {
  if (curve.size() < 3)
    return 0;
  auto last = curve.rbegin(), before = std::next(last);
  return std::log2(last->second / before->second) /
         std::log2(double(last->first) / double(before->first));
}

bool isGrowing(const RunClass &slow, double growth, const ExplainOptions &options) {
  bool fitted =
      slow.function.localExponent >= options.superlinear && slow.function.exponentLow > 1.1;
  bool rising =
      slow.function.localExponent > 1.1 && topSlope(slow.curve) >= options.superlinear + 0.1;
  return (fitted || rising) && growth > 0.2;
}

// Median cost of the classes that process their input. What merely costs several times the cheapest
// byte is no outlier among tokens.
double typicalCost(const Explanation &in, const RunClass &slow, uint64_t size) {
  std::vector<double> costs;
  for (const RunClass &runClass : in.classes) {
    auto at = runClass.curve.find(size);
    if (at != runClass.curve.end() && runClass.outcome == slow.outcome &&
        runClass.function.localExponent > 0.7)
      costs.push_back(at->second);
  }
  if (costs.empty())
    return 0;
  auto middle = costs.begin() + static_cast<std::ptrdiff_t>(costs.size() / 2);
  std::nth_element(costs.begin(), middle, costs.end());
  return *middle;
}

std::optional<Contrast>
contrastWith(const Explanation &in, size_t slow, size_t fast, const ExplainOptions &options) {
  const RunClass &slowClass = in.classes[slow], &fastClass = in.classes[fast];
  Contrast contrast;
  contrast.fast = fast;
  // What refuses its parameters or gives up is no measure of what does not.
  if (slowClass.outcome != fastClass.outcome)
    return std::nullopt;
  contrast.size = topCommonSize(slowClass.curve, fastClass.curve);
  if (contrast.size == 0 || fastClass.curve.at(contrast.size) <= 0)
    return std::nullopt;
  contrast.ratio = slowClass.curve.at(contrast.size) / fastClass.curve.at(contrast.size);
  contrast.growth = ratioGrowth(slowClass.curve, fastClass.curve);
  bool growing = isGrowing(slowClass, contrast.growth, options);
  // A constant factor between an input that is refused at once and one that is processed is no
  // fault.
  bool bothWork = fastClass.function.localExponent > 0.7 && contrast.growth > -0.1;
  if (contrast.ratio < (growing ? options.minRatio : options.constantRatio) ||
      (!growing && !bothWork))
    return std::nullopt;
  double typical = growing ? 0 : typicalCost(in, slowClass, contrast.size);
  if (slowClass.curve.at(contrast.size) < options.typicalRatio * typical)
    return std::nullopt;
  contrast.worth = blockLikeness(in.trace.runs[slowClass.runs.at(contrast.size)],
                                 in.trace.runs[fastClass.runs.at(contrast.size)]) -
                   complexity(fastClass) +
                   (fastClass.function.localExponent > 0.7 ? kProcessed : 0) +
                   kSlower * std::min(contrast.growth, 0.8);
  return contrast;
}

// Slow side fixed: alike but clearly cheaper. A contrast must show a good part of the achievable
// gap (the cube root of the largest ratio), and should be processed rather than refused at once.
std::optional<Contrast>
bestContrast(const Explanation &in, size_t slow, const ExplainOptions &options) {
  std::vector<Contrast> all;
  double largest = 0;
  for (size_t fast = 0; fast < in.classes.size(); ++fast) {
    if (fast == slow)
      continue;
    if (auto contrast = contrastWith(in, slow, fast, options)) {
      all.push_back(*contrast);
      largest = std::max(largest, contrast->ratio);
    }
  }
  std::optional<Contrast> best;
  for (const Contrast &contrast : all)
    if (std::log2(contrast.ratio) * 3 >= std::log2(largest) &&
        (!best || contrast.worth > best->worth))
      best = contrast;
  return best;
}

// A constant factor is a fault only when something is repeated. Dear tokens are not: straight code,
// or looking something up in a search tree, whose height is at most twice the logarithm of its
// size.
bool repeatsWork(const Finding &finding) {
  if (finding.regions.empty())
    return false;
  const RegionFinding &top = finding.regions.front();
  const double height = 2 * std::log2(double(std::max<uint64_t>(finding.gap.size, 2)));
  return top.kind != "function" && top.perEntrySlow > height &&
         top.perEntrySlow > 2 * top.perEntryFast;
}

void describeGap(const Contrast &contrast, const RunClass &slow, Finding &finding) {
  finding.gap.ratio = contrast.ratio;
  finding.gap.size = contrast.size;
  finding.gap.growth = contrast.growth;
  finding.gap.kind = slow.function.shape == Shape::Exponential ? "exponential"
                     : contrast.growth > 0.2                   ? "polynomial"
                                                               : "constant factor";
}

// Smallest size at which the two sides clearly differ: a small witness is a readable one.
void choosePair(const Trace &trace, const RunClass &slow, const RunClass &fast, Finding &finding) {
  double clear = std::min(10.0, std::max(2.0, finding.gap.ratio / 2));
  for (const auto &[size, index] : slow.runs) {
    auto other = fast.runs.find(size);
    if (other == fast.runs.end())
      continue;
    const Run &a = trace.runs[index], &b = trace.runs[other->second];
    if (double(a.cost) < clear * double(std::max<uint64_t>(b.cost, 1)))
      continue;
    auto path = [](const Run &run) {
      auto found = run.tags.find("file");
      return found == run.tags.end() ? std::string() : found->second;
    };
    finding.pair.slowPath = path(a);
    finding.pair.fastPath = path(b);
    finding.pair.size = size;
    finding.pair.slowCost = a.cost;
    finding.pair.fastCost = b.cost;
    return;
  }
}

std::string message(const Finding &finding, const std::string &unit) {
  return fmt::format("Inputs of {} {} differ {:.1f} times in cost: the slow ones grow {}, the "
                     "fast ones {}",
                     finding.gap.size,
                     unit,
                     finding.gap.ratio,
                     growthWords(finding.slow),
                     growthWords(finding.fast)) +
         responsibleWords(finding);
}

} // namespace

std::string growthWords(const Curve &curve) {
  if (curve.model == "2^n")
    return "exponentially";
  return fmt::format("as n^{:.1f}", curve.exponent);
}

void fillFinding(const Explanation &in,
                 const Side &slowSide,
                 const RunClass *fast,
                 Finding &finding) {
  const RunClass &slowClass = *slowSide.runClass;
  Side fastSide = fast ? makeSide(in.trace, in.graph, *fast, finding.gap.size) : Side();
  Blame blame = findAmplifiers(in.trace, in.graph, slowSide, fastSide);
  finding.regions = std::move(blame.regions);
  finding.shares = std::move(blame.shares);
  finding.pattern = slowClass.pattern;
  finding.id =
      fingerprintOf(finding.regions.empty() ? nullptr : &finding.regions.front(), slowClass.id);
}

std::string responsibleWords(const Finding &finding) {
  if (finding.regions.empty())
    return ".";
  const RegionFinding &top = finding.regions.front();
  return fmt::format("; responsible is the {} at {}:{} in {}.",
                     top.kind,
                     baseName(top.file),
                     top.line,
                     top.function);
}

std::string nameOf(const Explanation &in, size_t runClass) {
  return clusterName(in.clustering.label[runClass]);
}

std::optional<Finding>
buildFinding(const Explanation &in, size_t slow, const ExplainOptions &options) {
  const RunClass &slowClass = in.classes[slow];
  if (slowClass.function.shape == Shape::Unknown)
    return timeoutFinding(in, slow);
  std::optional<Contrast> contrast = bestContrast(in, slow, options);
  if (!contrast)
    return superlinearFinding(in, slow, options);
  const RunClass &fastClass = in.classes[contrast->fast];
  Finding finding;
  finding.kind = "differential";
  describeGap(*contrast, slowClass, finding);
  finding.slow = curveOf(in.trace, slowClass, nameOf(in, slow));
  finding.fast = curveOf(in.trace, fastClass, nameOf(in, contrast->fast));
  fillFinding(in, makeSide(in.trace, in.graph, slowClass, contrast->size), &fastClass, finding);
  if (finding.gap.kind == "constant factor" && !repeatsWork(finding))
    return std::nullopt;
  finding.fastPattern = fastClass.pattern;
  choosePair(in.trace, slowClass, fastClass, finding);
  finding.message = message(finding, in.sizeUnit);
  return finding;
}

std::string clusterName(int label) {
  return label < 26 ? std::string(1, static_cast<char>('A' + label)) : fmt::format("C{}", label);
}

bool findingOrder(const Finding &a, const Finding &b) {
  auto key = [](const Finding &finding) {
    bool exponential = finding.gap.kind == "exponential" || finding.kind == "timeout";
    bool growing = finding.gap.kind != "constant factor" && finding.kind != "outlier";
    // Fifths of an exponent are within the noise of small-size effects.
    const bool known = growing && std::isfinite(finding.slow.exponent);
    double exponent = exponential ? 1e9 : known ? std::floor(finding.slow.exponent * 5) : 0;
    return std::make_tuple(-double(growing), -exponent, -finding.gap.ratio);
  };
  if (key(a) != key(b))
    return key(a) < key(b);
  return std::tie(a.id, a.slow.classId) < std::tie(b.id, b.slow.classId);
}

} // namespace perfidy
