#include "tools/findings_json.h"

#include "tools/escape.h"

#include <nlohmann/json.hpp>

#include <cmath>
#include <ostream>

namespace perfidy {
namespace {

using Json = nlohmann::ordered_json;

/// JSON has no infinity and no NaN.
Json number(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

/// -1 stands for "not computable" in the model; null says the same without looking like a number.
Json unlessMissing(double value) { return value < 0 ? Json(nullptr) : number(value); }

Json sides(double slow, double fast) {
  Json out;
  out["slow"] = number(slow);
  out["fast"] = number(fast);
  return out;
}

template <class Range, class Convert> Json list(const Range &range, Convert convert) {
  Json out = Json::array();
  for (const auto &item : range)
    out.push_back(convert(item));
  return out;
}

Json pointToJson(const CurvePoint &point) {
  Json out;
  out["size"] = point.size;
  out["cost"] = point.cost;
  out["held_out"] = point.heldOut;
  out["censored"] = point.censored;
  return out;
}

Json curveToJson(const Curve &curve) {
  Json out;
  out["model"] = toUtf8(curve.model);
  out["formula"] = toUtf8(curve.formula);
  out["exponent"] = number(curve.exponent);
  out["interval"] = Json::array({number(curve.exponentLow), number(curve.exponentHigh)});
  out["heldout_error"] = unlessMissing(curve.heldOutError);
  out["coefficients"] = list(curve.coefficients, number);
  out["cluster"] = toUtf8(curve.cluster);
  out["class"] = toUtf8(curve.classId);
  out["points"] = list(curve.points, pointToJson);
  return out;
}

Json regionToJson(const RegionFinding &region) {
  Json out;
  out["function"] = toUtf8(region.function);
  out["linkage_name"] = toUtf8(region.linkageName);
  out["file"] = toUtf8(region.file);
  out["directory"] = toUtf8(region.directory);
  out["line"] = region.line;
  out["end_line"] = region.endLine;
  out["column"] = region.column;
  out["kind"] = toUtf8(region.kind);
  out["metric"] = toUtf8(region.metric);
  out["per_entry"] = sides(region.perEntrySlow, region.perEntryFast);
  out["entries"] = sides(region.entriesSlow, region.entriesFast);
  out["exponent"] = sides(region.exponentSlow, region.exponentFast);
  out["share"] = number(region.share);
  out["self_share"] = number(region.selfShare);
  out["why"] = toUtf8(region.why);
  return out;
}

Json shareToJson(const FunctionShare &share) {
  Json out;
  out["function"] = toUtf8(share.function);
  out["file"] = toUtf8(share.file);
  out["line"] = share.line;
  out["share"] = number(share.share);
  return out;
}

Json counterToJson(const PatternCounter &counter) {
  Json out;
  out["pump"] = counter.second ? 2 : 1;
  out["offset"] = counter.offset;
  out["start"] = counter.start;
  out["step"] = counter.step;
  out["width"] = counter.width;
  return out;
}

Json patternToJson(const std::optional<PatternText> &pattern) {
  if (!pattern)
    return nullptr;
  Json out;
  out["prefix"] = toBase64(pattern->prefix);
  out["pump"] = toBase64(pattern->pump);
  out["middle"] = toBase64(pattern->middle);
  out["pump2"] = toBase64(pattern->pump2);
  out["suffix"] = toBase64(pattern->suffix);
  out["sequence"] = toUtf8(pattern->sequence);
  out["at"] = pattern->at;
  out["at2"] = pattern->at2;
  out["counters"] = list(pattern->counters, counterToJson);
  return out;
}

Json pairToJson(const InputPair &pair) {
  Json out;
  out["slow"] = toUtf8(pair.slowPath);
  out["fast"] = toUtf8(pair.fastPath);
  out["size"] = pair.size;
  out["slow_cost"] = pair.slowCost;
  out["fast_cost"] = pair.fastCost;
  out["confirmed"] = pair.confirmed;
  out["slow_bytes"] = toBase64(pair.slowBytes);
  out["fast_bytes"] = toBase64(pair.fastBytes);
  return out;
}

Json nodeToJson(const TreeNodeText &node) {
  Json out;
  out["id"] = node.id;
  out["yes"] = node.yes;
  out["no"] = node.no;
  out["condition"] = toUtf8(node.condition);
  out["function"] = toUtf8(node.function);
  out["file"] = toUtf8(node.file);
  out["line"] = node.line;
  out["leaf"] = toUtf8(node.leaf);
  out["rows"] = node.rows;
  return out;
}

Json validationToJson(const Validation &validation) {
  Json out;
  out["held_out_classes"] = unlessMissing(validation.heldOutClasses);
  out["interval"] =
      Json::array({unlessMissing(validation.heldOutLow), unlessMissing(validation.heldOutHigh)});
  out["random_split"] = unlessMissing(validation.randomSplit);
  out["majority"] = unlessMissing(validation.majority);
  out["permutation"] = unlessMissing(validation.permutation);
  out["classes"] = validation.classes;
  out["runs"] = validation.runs;
  out["beats_baselines"] = validation.beatsBaselines;
  out["verdict"] = toUtf8(validation.verdict);
  return out;
}

Json gapToJson(const Gap &gap) {
  Json out;
  out["ratio"] = number(gap.ratio);
  out["size"] = gap.size;
  out["growth"] = number(gap.growth);
  out["kind"] = toUtf8(gap.kind);
  return out;
}

Json findingToJson(const Finding &finding) {
  Json out;
  out["id"] = toUtf8(finding.id);
  out["kind"] = toUtf8(finding.kind);
  out["message"] = toUtf8(finding.message);
  if (!finding.sizeUnit.empty())
    out["size_unit"] = toUtf8(finding.sizeUnit);
  out["gap"] = gapToJson(finding.gap);
  out["slow"] = curveToJson(finding.slow);
  out["fast"] = curveToJson(finding.fast);
  out["regions"] = list(finding.regions, regionToJson);
  out["shares"] = list(finding.shares, shareToJson);
  out["pattern"] = patternToJson(finding.pattern);
  out["fast_pattern"] = patternToJson(finding.fastPattern);
  out["pair"] = pairToJson(finding.pair);
  out["classes"] = list(finding.classes, toUtf8);
  out["inputs"] = list(finding.inputs, toUtf8);
  if (!finding.rule.empty())
    out["rule"] = toUtf8(finding.rule);
  out["tree"]["over"] = finding.treeOverInputs ? "inputs" : "internals";
  out["tree"]["nodes"] = list(finding.tree, nodeToJson);
  out["validation"] = validationToJson(finding.validation);
  return out;
}

Json clusterToJson(const ClusterSummary &cluster) {
  Json out;
  out["name"] = toUtf8(cluster.name);
  out["classes"] = cluster.classes;
  out["runs"] = cluster.runs;
  out["model"] = toUtf8(cluster.model);
  out["exponent"] = number(cluster.exponent);
  out["cost_at_top"] = number(cluster.costAtTop);
  out["top_size"] = cluster.topSize;
  return out;
}

} // namespace

Json findingsToJson(const Findings &findings) {
  Json out;
  out["schema"] = findings.schema;
  out["target"] = toUtf8(findings.target);
  out["size_unit"] = toUtf8(findings.sizeUnit);
  out["cost_unit"] = toUtf8(findings.costUnit);
  out["findings"] = list(findings.findings, findingToJson);
  out["clusters"] = list(findings.clusters, clusterToJson);
  out["notes"] = list(findings.notes, toUtf8);
  out["stats"] = Json::object();
  for (const auto &[name, value] : findings.stats)
    out["stats"][toUtf8(name)] = number(value);
  out["reproduce"] = list(findings.reproduce, toUtf8);
  return out;
}

void writeFindingsJson(const Findings &findings, std::ostream &out) {
  out << findingsToJson(findings).dump(2) << '\n';
}

} // namespace perfidy
