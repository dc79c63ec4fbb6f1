// Decision trees of a whole trace, as text, with their validation.
#include "explainer/features.h"
#include "explainer/finding_builder.h"
#include "explainer/tree.h"
#include "explainer/validate.h"

#include <fmt/format.h>

namespace perfidy {
namespace {

struct Learned {
  std::vector<TreeNodeText> nodes;
  Validation validation;
};

std::vector<LabelledRun> labelledRuns(const Explanation &in) {
  std::vector<LabelledRun> rows;
  for (size_t c = 0; c < in.classes.size(); ++c) {
    const RunClass &runClass = in.classes[c];
    // Small sizes of all clusters look alike; they would only teach noise.
    size_t skip = runClass.runs.size() / 2;
    for (const auto &[size, index] : runClass.runs)
      if (skip > 0)
        --skip;
      else
        rows.push_back({index, in.clustering.label[c], static_cast<int>(c)});
  }
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
      text.leaf = std::string(1, static_cast<char>('A' + node.label));
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
  learned.nodes = treeText(growTree(table, options), table);
  return learned;
}

} // namespace

void attachTrees(const Explanation &in, std::vector<Finding> &findings) {
  if (findings.empty() || in.clustering.count < 2)
    return;
  std::vector<LabelledRun> rows = labelledRuns(in);
  Learned inputs = learn(inputTable(in.trace, rows, in.clustering.count));
  Learned internals = learn(internalTable(in.trace, rows, in.clustering.count));
  // Users think in inputs: internals must be clearly better to be preferred.
  bool useInputs = inputs.validation.beatsBaselines &&
                   inputs.validation.heldOutClasses + 0.05 >= internals.validation.heldOutClasses;
  Learned &chosen = useInputs ? inputs : internals;
  if (!chosen.validation.beatsBaselines)
    chosen.nodes.clear();
  for (Finding &finding : findings) {
    finding.tree = chosen.nodes;
    finding.treeOverInputs = useInputs;
    finding.validation = chosen.validation;
  }
}

} // namespace perfidy
