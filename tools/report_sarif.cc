#include "tools/report_sarif.h"

#include "tools/escape.h"
#include "tools/readable.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <ostream>

namespace perfidy {
namespace {

using Json = nlohmann::ordered_json;

struct Rule {
  const char *id, *name, *title, *description, *help;
};

/// Texts stay below the 1024 characters that GitHub shows.
constexpr std::array<Rule, 3> kRules = {{
    {"perfidy/differential-cost",
     "DifferentialCost",
     "Inputs of the same size differ in cost without good reason",
     "Two groups of inputs of equal size have cost functions that differ by more than the "
     "threshold.",
     "The location is the loop, recursion or call whose executions per entry grow on the slow side "
     "and not on the fast one. Look for work that is done again for every byte or element: a scan "
     "that restarts, a list walked to its end, a length computed in a loop condition. Remember the "
     "result of the scan, bound the loop, or use a data structure with a better worst case. The "
     "input pair in the report shows both sides at the same size."},
    {"perfidy/superlinear-cost",
     "SuperlinearCost",
     "Cost grows faster than the size of the input",
     "The cost function of a group of inputs grows faster than n log n.",
     "The location is the loop, recursion or call whose executions per entry grow with the input. "
     "If the growth is inherent to the task, limit the size of what is accepted; if not, keep "
     "state between the passes so that each part of the input is visited a bounded number of "
     "times."},
    {"perfidy/hard-timeout",
     "HardTimeout",
     "An input does not finish within the cost budget",
     "A run was stopped because its cost passed the budget; its true cost is higher.",
     "The location is the region that ran most when the run was stopped. Check that the loop ends "
     "on every input and that its bound does not come from the input unchecked; then look at its "
     "growth as for superlinear cost."},
}};

size_t ruleIndex(const std::string &kind) {
  const std::string id = "perfidy/" + std::string(ruleName(kind));
  for (size_t i = 0; i < kRules.size(); ++i) {
    if (id == kRules[i].id)
      return i;
  }
  return 0;
}

Json text(const std::string &value) {
  Json out;
  out["text"] = value;
  return out;
}

/// Brackets and backslashes mean links in SARIF messages.
std::string plainMessage(const std::string &bytes) {
  std::string out;
  for (const char c : printable(bytes)) {
    if (c == '[' || c == ']' || c == '\\')
      out += '\\';
    out += c;
  }
  return out;
}

/// Path relative to the root of the repository as far as can be known from the debug information:
/// the compiler's directory is taken off, and leading "../" as well, since build directories
/// usually lie inside the repository.
std::string repositoryPath(const std::string &file, const std::string &directory) {
  namespace fs = std::filesystem;
  fs::path path = fs::path(file).lexically_normal();
  if (path.is_absolute() && !directory.empty())
    path = path.lexically_relative(fs::path(directory).lexically_normal());
  if (path.empty())
    path = fs::path(file).lexically_normal();
  fs::path kept;
  for (const fs::path &part : path) {
    if (!kept.empty() || (part != ".." && part != "." && part != "/"))
      kept /= part;
  }
  return kept.string();
}

Json physicalLocation(const std::string &uri, uint32_t line, uint32_t column, uint32_t endLine) {
  Json out;
  out["artifactLocation"]["uri"] = uri;
  // One line only: GitHub annotates a pull request only where every line of the region was changed.
  out["region"]["startLine"] = std::max(1u, line);
  if (line != 0 && column != 0)
    out["region"]["startColumn"] = column;
  if (line != 0 && endLine > line) {
    out["contextRegion"]["startLine"] = line;
    out["contextRegion"]["endLine"] = endLine;
  }
  return out;
}

/// Region of a finding; without one, or without debug information, the target itself.
Json regionLocation(const RegionFinding &region, const std::string &target) {
  Json out;
  const std::string path = repositoryPath(region.file, region.directory);
  const std::string fallback = target.empty() ? "target" : repositoryPath(target, "");
  out["physicalLocation"] = physicalLocation(
      uriPath(path.empty() ? fallback : path), region.line, region.column, region.endLine);
  if (!region.function.empty()) {
    Json logical;
    logical["fullyQualifiedName"] = printable(region.function);
    logical["kind"] = "function";
    out["logicalLocations"] = Json::array({logical});
  }
  return out;
}

RegionFinding topRegion(const Finding &finding) {
  return finding.regions.empty() ? RegionFinding{} : finding.regions.front();
}

/// Node indices from the root to the leaf that holds most rows of the slow side.
std::vector<size_t> slowPath(const Finding &finding) {
  constexpr size_t kSlow = 1; // TreeNodeText::rows: fast, slow
  const std::vector<TreeNodeText> &nodes = finding.tree;
  std::vector<int> parent(nodes.size(), -1);
  size_t best = 0;
  int bestRows = -1;
  for (size_t i = 0; i < nodes.size(); ++i) {
    const bool leaf = nodes[i].yes < 0 || nodes[i].no < 0;
    for (const int child : {nodes[i].yes, nodes[i].no}) {
      // Children follow their parent (findings.h); anything else would make the walk below endless.
      if (!leaf && child > static_cast<int>(i) && child < static_cast<int>(nodes.size()))
        parent[static_cast<size_t>(child)] = static_cast<int>(i);
    }
    const int rows = kSlow < nodes[i].rows.size() ? nodes[i].rows[kSlow] : 0;
    const bool isSlow = nodes[i].leaf == "slow";
    if (leaf && isSlow && rows > bestRows) {
      best = i;
      bestRows = rows;
    }
  }
  std::vector<size_t> path;
  for (int at = static_cast<int>(best); at >= 0; at = parent[static_cast<size_t>(at)])
    path.push_back(static_cast<size_t>(at));
  std::reverse(path.begin(), path.end());
  return path;
}

Json flowStep(Json location, const std::string &message) {
  Json step;
  location["message"] = text(plainMessage(message));
  step["location"] = std::move(location);
  return step;
}

/// Where a node's condition is tested; conditions over inputs have no place, so the finding's
/// stands in (GitHub drops steps without a physical location).
Json nodeLocation(const TreeNodeText &node, const Finding &finding, const std::string &target) {
  RegionFinding place = topRegion(finding);
  if (!node.file.empty()) {
    // The node knows no directory; the top region's is right when both are of one build.
    place.file = node.file;
    place.function = node.function;
    place.line = node.line;
    place.column = place.endLine = 0;
  }
  return regionLocation(place, target);
}

Json codeFlow(const Finding &finding, const Findings &findings) {
  const std::vector<size_t> path = slowPath(finding);
  Json steps = Json::array();
  for (size_t i = 0; i + 1 < path.size(); ++i) {
    const TreeNodeText &node = finding.tree[path[i]];
    const bool holds = node.yes == static_cast<int>(path[i + 1]);
    steps.push_back(flowStep(nodeLocation(node, finding, findings.target),
                             (holds ? "holds: " : "does not hold: ") + node.condition));
  }
  steps.push_back(
      flowStep(regionLocation(topRegion(finding), findings.target),
               "runs that come here belong to the slow cluster " + finding.slow.cluster));
  Json flow;
  flow["threadFlows"] = Json::array({Json{{"locations", steps}}});
  return flow;
}

/// First sentence: the finding. Then one link per related region, which is what makes GitHub show
/// it.
Json resultMessage(const Finding &finding) {
  std::string message = plainMessage(finding.message);
  if (!message.empty() && message.back() != '.')
    message += '.';
  for (size_t i = 0; i < finding.regions.size(); ++i) {
    const RegionFinding &region = finding.regions[i];
    message += fmt::format(" {}[{}]({})",
                           i == 0 ? "See " : "and ",
                           plainMessage(region.kind + " in " + region.function),
                           i + 1);
  }
  return text(finding.regions.empty() ? message : message + ".");
}

Json relatedLocations(const Finding &finding, const std::string &target) {
  Json out = Json::array();
  const bool hasFastSide = !finding.fast.points.empty();
  for (const RegionFinding &region : finding.regions) {
    Json location;
    location["id"] = out.size() + 1;
    location.update(regionLocation(region, target));
    location["message"] = text(plainMessage(regionPhrase(region, hasFastSide)));
    out.push_back(location);
  }
  return out;
}

Json number(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

Json resultProperties(const Finding &finding) {
  Json out;
  out["gapRatio"] = number(finding.gap.ratio);
  out["gapSize"] = finding.gap.size;
  out["gapGrowth"] = number(finding.gap.growth);
  out["slowModel"] = printable(finding.slow.model);
  out["fastModel"] = printable(finding.fast.model);
  if (finding.pattern)
    out["pattern"] = patternExpression(*finding.pattern);
  return out;
}

Json resultToJson(const Finding &finding, const Findings &findings) {
  const size_t rule = ruleIndex(finding.kind);
  Json out;
  out["ruleId"] = kRules[rule].id;
  out["ruleIndex"] = rule;
  out["level"] = finding.kind == "timeout" ? "error" : "warning";
  out["message"] = resultMessage(finding);
  out["locations"] = Json::array({regionLocation(topRegion(finding), findings.target)});
  if (!finding.regions.empty())
    out["relatedLocations"] = relatedLocations(finding, findings.target);
  if (!finding.tree.empty() && finding.validation.beatsBaselines)
    out["codeFlows"] = Json::array({codeFlow(finding, findings)});
  out["partialFingerprints"]["perfidyFinding/v1"] = printable(finding.id);
  out["properties"] = resultProperties(finding);
  return out;
}

Json ruleToJson(const Rule &rule) {
  Json out;
  out["id"] = rule.id;
  out["name"] = rule.name;
  out["shortDescription"] = text(rule.title);
  out["fullDescription"] = text(rule.description);
  out["help"] = text(rule.help);
  out["defaultConfiguration"]["level"] =
      rule.id == std::string_view("perfidy/hard-timeout") ? "error" : "warning";
  out["properties"]["tags"] = {"performance", "algorithmic-complexity", "external/cwe/cwe-407"};
  out["properties"]["precision"] = "high";
  out["properties"]["problem.severity"] = "warning";
  return out;
}

} // namespace

void writeSarif(const Findings &findings, std::ostream &out) {
  Json run;
  Json &driver = run["tool"]["driver"];
  driver["name"] = "Perfidy";
  driver["semanticVersion"] = "0.1.0";
  driver["rules"] = Json::array();
  for (const Rule &rule : kRules)
    driver["rules"].push_back(ruleToJson(rule));
  // GitHub keeps the alerts of each category apart: two targets in one repository do not close each
  // other's alerts.
  run["automationDetails"]["id"] = "perfidy/" + uriPath(findings.target) + "/";
  run["columnKind"] = "unicodeCodePoints";
  run["results"] = Json::array();
  for (const Finding &finding : findings.findings)
    run["results"].push_back(resultToJson(finding, findings));
  Json log;
  log["$schema"] = "https://json.schemastore.org/sarif-2.1.0.json";
  log["version"] = "2.1.0";
  log["runs"] = Json::array({run});
  out << log.dump(2) << '\n';
}

} // namespace perfidy
