// The reading half of findings_json.h. Everything in the file is checked before it is used, and an
// error names the path of the field, so that a person can look it up in findings.schema.md.
#include "tools/findings_json.h"

#include "runtime/trace.h"
#include "tools/escape.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <tuple>
#include <utility>

namespace perfidy {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char *kRemedy = "write the file again with 'perfidy explain', or see "
                                "findings.schema.md for what belongs there";

/// A value and where it stands ("findings[0].gap.ratio"). All accessors throw Error when the value
/// has another type than the schema says.
class Cursor {
public:
  Cursor(const Json &json, std::string file, std::string path)
      : value(&json), file(std::move(file)), path(std::move(path)) {}

  Cursor operator[](const char *name) const {
    if (!value->is_object())
      fail("is not an object");
    const auto found = value->find(name);
    const std::string inner = path.empty() ? name : path + "." + name;
    if (found == value->end())
      Cursor(*value, file, inner).fail("is missing");
    return {*found, file, inner};
  }

  /// Text of a field that need not be there.
  std::string textIfAny(const char *name) const {
    return value->is_object() && value->contains(name) ? (*this)[name].text() : std::string();
  }

  bool isNull() const { return value->is_null(); }

  std::string text() const {
    if (!value->is_string())
      fail("is not a string");
    return value->get<std::string>();
  }

  std::string bytes() const {
    std::optional<std::string> decoded = fromBase64(text());
    if (!decoded)
      fail("is not base64");
    return *std::move(decoded);
  }

  bool flag() const {
    if (!value->is_boolean())
      fail("is not true or false");
    return value->get<bool>();
  }

  /// null reads back as `missing`: the writer's stand-in for -1 or for a value that is not finite.
  double number(double missing = std::numeric_limits<double>::quiet_NaN()) const {
    if (isNull())
      return missing;
    if (!value->is_number())
      fail("is not a number");
    return value->get<double>();
  }

  /// A whole number of type T; out of range is an error, not a wrap-around.
  template <class T> T integer() const {
    if (!value->is_number_integer())
      fail("is not a whole number");
    const bool fits = value->is_number_unsigned() ? std::in_range<T>(value->get<uint64_t>())
                                                  : std::in_range<T>(value->get<int64_t>());
    if (!fits)
      fail("is out of range");
    return value->is_number_unsigned() ? static_cast<T>(value->get<uint64_t>())
                                       : static_cast<T>(value->get<int64_t>());
  }

  template <class Convert> auto list(Convert convert) const {
    if (!value->is_array())
      fail("is not a list");
    std::vector<decltype(convert(*this))> out;
    for (size_t i = 0; i < value->size(); ++i)
      out.push_back(convert(Cursor((*value)[i], file, fmt::format("{}[{}]", path, i))));
    return out;
  }

  template <class Visit> void members(Visit visit) const {
    if (!value->is_object())
      fail("is not an object");
    for (const auto &[name, member] : value->items())
      visit(name, Cursor(member, file, path + "." + name));
  }

  [[noreturn]] void fail(const std::string &what) const {
    throw Error(
        fmt::format("{}: {} {}; {}", file, path.empty() ? "the document" : path, what, kRemedy));
  }

private:
  const Json *value;
  std::string file, path;
};

std::string asText(const Cursor &at) { return at.text(); }

CurvePoint readPoint(const Cursor &at) {
  return {at["size"].integer<uint64_t>(),
          at["cost"].integer<uint64_t>(),
          at["held_out"].flag(),
          at["censored"].flag()};
}

/// A list of exactly two numbers.
std::pair<double, double> readInterval(const Cursor &at, double missing) {
  const std::vector<double> ends = at.list([&](const Cursor &end) { return end.number(missing); });
  if (ends.size() != 2)
    at.fail("does not have two ends");
  return {ends[0], ends[1]};
}

Curve readCurve(const Cursor &at) {
  Curve out;
  out.model = at["model"].text();
  out.formula = at["formula"].text();
  out.exponent = at["exponent"].number();
  std::tie(out.exponentLow, out.exponentHigh) =
      readInterval(at["interval"], std::numeric_limits<double>::quiet_NaN());
  out.heldOutError = at["heldout_error"].number(-1);
  out.coefficients = at["coefficients"].list([](const Cursor &c) { return c.number(); });
  out.cluster = at["cluster"].text();
  out.classId = at["class"].text();
  out.points = at["points"].list(readPoint);
  return out;
}

void readSides(const Cursor &at, double &slow, double &fast) {
  slow = at["slow"].number();
  fast = at["fast"].number();
}

RegionFinding readRegion(const Cursor &at) {
  RegionFinding out;
  out.function = at["function"].text();
  out.linkageName = at["linkage_name"].text();
  out.file = at["file"].text();
  out.directory = at["directory"].text();
  out.line = at["line"].integer<uint32_t>();
  out.endLine = at["end_line"].integer<uint32_t>();
  out.column = at["column"].integer<uint32_t>();
  out.kind = at["kind"].text();
  out.metric = at["metric"].text();
  readSides(at["per_entry"], out.perEntrySlow, out.perEntryFast);
  readSides(at["entries"], out.entriesSlow, out.entriesFast);
  readSides(at["exponent"], out.exponentSlow, out.exponentFast);
  out.share = at["share"].number();
  out.selfShare = at["self_share"].number();
  out.why = at["why"].text();
  return out;
}

FunctionShare readShare(const Cursor &at) {
  return {at["function"].text(),
          at["file"].text(),
          at["line"].integer<uint32_t>(),
          at["share"].number()};
}

PatternCounter readCounter(const Cursor &at) {
  return {at["pump"].integer<int>() == 2,
          at["offset"].integer<size_t>(),
          at["start"].integer<uint64_t>(),
          at["step"].integer<uint64_t>(),
          at["width"].integer<uint32_t>()};
}

std::optional<PatternText> readPattern(const Cursor &at) {
  if (at.isNull())
    return std::nullopt;
  PatternText out{at["prefix"].bytes(),
                  at["pump"].bytes(),
                  at["middle"].bytes(),
                  at["pump2"].bytes(),
                  at["suffix"].bytes(),
                  at["sequence"].text(),
                  at["at"].integer<int>(),
                  at["at2"].integer<int>()};
  out.counters = at["counters"].list(readCounter);
  return out;
}

InputPair readPair(const Cursor &at) {
  InputPair out;
  out.slowPath = at["slow"].text();
  out.fastPath = at["fast"].text();
  out.size = at["size"].integer<uint64_t>();
  out.slowCost = at["slow_cost"].integer<uint64_t>();
  out.fastCost = at["fast_cost"].integer<uint64_t>();
  out.confirmed = at["confirmed"].flag();
  out.slowBytes = at["slow_bytes"].bytes();
  out.fastBytes = at["fast_bytes"].bytes();
  return out;
}

TreeNodeText readNode(const Cursor &at) {
  TreeNodeText out;
  out.id = at["id"].integer<int>();
  out.yes = at["yes"].integer<int>();
  out.no = at["no"].integer<int>();
  out.condition = at["condition"].text();
  out.function = at["function"].text();
  out.file = at["file"].text();
  out.line = at["line"].integer<uint32_t>();
  out.leaf = at["leaf"].text();
  out.rows = at["rows"].list([](const Cursor &c) { return c.integer<int>(); });
  return out;
}

/// Writers follow `yes` and `no` without looking: children must exist and come after their parent,
/// which also rules out cycles.
void checkTree(const Cursor &at, const std::vector<TreeNodeText> &nodes) {
  const auto count = static_cast<int>(nodes.size());
  for (int i = 0; i < count; ++i) {
    const TreeNodeText &node = nodes[static_cast<size_t>(i)];
    const bool leaf = node.yes == -1 && node.no == -1;
    const bool inner = node.yes > i && node.yes < count && node.no > i && node.no < count;
    if (!leaf && !inner)
      at.fail(fmt::format("[{}] has children that do not follow it", i));
  }
}

Validation readValidation(const Cursor &at) {
  Validation out;
  out.heldOutClasses = at["held_out_classes"].number(-1);
  std::tie(out.heldOutLow, out.heldOutHigh) = readInterval(at["interval"], -1);
  out.randomSplit = at["random_split"].number(-1);
  out.majority = at["majority"].number(-1);
  out.permutation = at["permutation"].number(-1);
  out.classes = at["classes"].integer<int>();
  out.runs = at["runs"].integer<int>();
  out.beatsBaselines = at["beats_baselines"].flag();
  out.verdict = at["verdict"].text();
  return out;
}

Finding readFinding(const Cursor &at) {
  Finding out;
  out.id = at["id"].text();
  out.kind = at["kind"].text();
  if (out.kind != "differential" && out.kind != "superlinear" && out.kind != "timeout" &&
      out.kind != "outlier")
    at["kind"].fail("is none of differential, superlinear, timeout, outlier");
  out.message = at["message"].text();
  out.sizeUnit = at.textIfAny("size_unit");
  out.rule = at.textIfAny("rule");
  const Cursor gap = at["gap"];
  out.gap = {gap["ratio"].number(),
             gap["size"].integer<uint64_t>(),
             gap["growth"].number(),
             gap["kind"].text()};
  out.slow = readCurve(at["slow"]);
  out.fast = readCurve(at["fast"]);
  out.regions = at["regions"].list(readRegion);
  out.shares = at["shares"].list(readShare);
  out.pattern = readPattern(at["pattern"]);
  out.fastPattern = readPattern(at["fast_pattern"]);
  out.pair = readPair(at["pair"]);
  out.classes = at["classes"].list(asText);
  out.inputs = at["inputs"].list(asText);
  out.treeOverInputs = at["tree"]["over"].text() == "inputs";
  out.tree = at["tree"]["nodes"].list(readNode);
  checkTree(at["tree"]["nodes"], out.tree);
  out.validation = readValidation(at["validation"]);
  return out;
}

ClusterSummary readCluster(const Cursor &at) {
  ClusterSummary out;
  out.name = at["name"].text();
  out.classes = at["classes"].integer<int>();
  out.runs = at["runs"].integer<int>();
  out.model = at["model"].text();
  out.exponent = at["exponent"].number();
  out.costAtTop = at["cost_at_top"].number();
  out.topSize = at["top_size"].integer<uint64_t>();
  return out;
}

Json parseFile(const std::string &path) {
  std::ifstream in(path, std::ios::binary);
  // A directory opens but does not read.
  if (!in || std::filesystem::is_directory(path))
    throw Error(path + ": cannot be read; check the name, or make it with 'perfidy explain'");
  const std::string text((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  Json json = Json::parse(text, nullptr, false);
  if (json.is_discarded())
    throw Error(path + ": is not JSON (cut off, or another kind of file); " + kRemedy);
  return json;
}

} // namespace

Findings readFindingsJson(const std::string &path) {
  const Json json = parseFile(path);
  const Cursor at(json, path, "");
  Findings out;
  out.schema = at["schema"].integer<int>();
  if (out.schema != kFindingsSchema)
    throw Error(fmt::format("{}: has schema {}, this program reads schema {}; explain the trace "
                            "again with this version",
                            path,
                            out.schema,
                            kFindingsSchema));
  out.target = at["target"].text();
  out.sizeUnit = at["size_unit"].text();
  out.costUnit = at["cost_unit"].text();
  out.findings = at["findings"].list(readFinding);
  out.clusters = at["clusters"].list(readCluster);
  out.notes = at["notes"].list(asText);
  at["stats"].members(
      [&](const std::string &name, const Cursor &value) { out.stats[name] = value.number(); });
  out.reproduce = at["reproduce"].list(asText);
  return out;
}

} // namespace perfidy
