// What tells the slow classes of a finding from the fast ones: a decision tree as text, validated.
#include "explainer/features.h"
#include "explainer/finding_builder.h"
#include "explainer/rule.h"
#include "explainer/tree.h"
#include "explainer/validate.h"

#include <fmt/format.h>

namespace perfidy {
namespace {

struct Learned {
  std::vector<TreeNodeText> nodes;
  std::string rule;
  Validation validation;
};

constexpr size_t kMostFastClasses = 48; ///< an even choice of them is contrast enough
constexpr int kFast = 0, kSlow = 1, kSides = 2;

void addRows(const Explanation &in, size_t index, int side, std::vector<LabelledRun> &rows) {
  const RunClass &runClass = in.classes[index];
  // Small sizes of both sides look alike; they would only teach noise.
  size_t skip = runClass.runs.size() / 2;
  for (const auto &[size, run] : runClass.runs)
    if (skip > 0)
      --skip;
    else if (in.trace.runs[run].status == RunStatus::Complete) // partial counts depend on chance
      rows.push_back({run, side, static_cast<int>(index)});
}

std::vector<LabelledRun> labelledRuns(const Explanation &in,
                                      const std::vector<size_t> &fast,
                                      const std::vector<size_t> &slow) {
  std::vector<LabelledRun> rows;
  const size_t step = fast.size() / kMostFastClasses + 1;
  for (size_t i = 0; i < fast.size(); i += step)
    addRows(in, fast[i], kFast, rows);
  for (size_t index : slow)
    addRows(in, index, kSlow, rows);
  return rows;
}

// Parameters are the same at all sizes of a class, so one row stands for it; they are known of
// stopped runs as well.
std::vector<LabelledRun> vectorRows(const Explanation &in,
                                    const std::vector<size_t> &fast,
                                    const std::vector<size_t> &slow) {
  std::vector<LabelledRun> rows;
  for (const auto &[classes, side] : {std::pair(&fast, kFast), std::pair(&slow, kSlow)})
    for (size_t index : *classes)
      rows.push_back({in.classes[index].runs.rbegin()->second, side, static_cast<int>(index)});
  return rows;
}

std::vector<TreeNodeText> treeText(const Tree &tree, const Table &table) {
  std::vector<TreeNodeText> nodes;
  for (size_t i = 0; i < tree.nodes.size(); ++i) {
    const TreeNode &node = tree.nodes[i];
    TreeNodeText text;
    text.id = static_cast<int>(i);
    text.rows = node.labelRows;
    if (node.left < 0) {
      text.leaf = node.label == kSlow ? "slow" : "fast";
    } else {
      const ColumnOrigin &origin = table.columns[node.column];
      text.yes = node.right; // rows above the threshold
      text.no = node.left;
      text.condition = conditionText(origin, node.threshold, true);
      text.function = origin.function;
      text.file = origin.file;
      text.line = origin.line;
    }
    nodes.push_back(text);
  }
  return nodes;
}

Learned learn(const Table &all) {
  Learned learned;
  Table table = mergeColumns(all);
  TreeOptions options;
  options.minLeaf = 2;
  learned.validation = validateTree(table, options);
  if (table.columns.empty())
    return learned;
  options.alpha = chooseAlpha(table, options);
  const Tree tree = growTree(table, options);
  learned.nodes = treeText(tree, table);
  learned.rule = ruleOf(tree, table, kSlow);
  return learned;
}

// Stopped runs come to no outcome, so they are told from all others.
std::vector<size_t>
comparable(const Explanation &in, const std::vector<size_t> &fast, const Cause &cause) {
  std::vector<size_t> chosen;
  const std::string &outcome = in.classes[cause.slowClasses.front()].outcome;
  for (size_t index : fast)
    if (cause.finding.kind == "timeout" || in.classes[index].outcome == outcome)
      chosen.push_back(index);
  return chosen;
}

} // namespace

void attachTree(const Explanation &in, const std::vector<size_t> &allFast, Cause &cause) {
  const std::vector<size_t> fastClasses = comparable(in, allFast, cause);
  std::vector<LabelledRun> rows = labelledRuns(in, fastClasses, cause.slowClasses);
  const bool named = !declaredParameters(in.trace).empty();
  Learned inputs = learn(
      inputTable(in.trace, named ? vectorRows(in, fastClasses, cause.slowClasses) : rows, kSides));
  Learned internals = learn(internalTable(in.trace, rows, kSides));
  // Users think in inputs: internals must be clearly better to be preferred.
  bool useInputs =
      inputs.validation.beatsBaselines &&
      (named || inputs.validation.heldOutClasses + 0.05 >= internals.validation.heldOutClasses);
  Learned &chosen = useInputs ? inputs : internals;
  if (chosen.validation.beatsBaselines)
    cause.finding.tree = std::move(chosen.nodes);
  if (useInputs && named) {
    cause.finding.rule = std::move(chosen.rule);
    cause.finding.message += fmt::format(" Slow when {}.", cause.finding.rule);
  }
  cause.finding.treeOverInputs = useInputs;
  cause.finding.validation = chosen.validation;
}

} // namespace perfidy
