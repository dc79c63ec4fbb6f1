#include "explainer/rule.h"
#include "explainer/features.h"

#include <algorithm>
#include <map>
#include <set>

namespace perfidy {
namespace {

/// What the way to a leaf says of one column.
struct Bounds {
  bool hasLow = false, hasHigh = false;
  double low = 0, high = 0; ///< low < value <= high
};

/// A way from the root to a leaf: bounds by column, and the columns in the order they are met.
struct Way {
  std::map<uint32_t, Bounds> bounds;
  std::vector<uint32_t> columns;
};

std::vector<int> parents(const Tree &tree) {
  std::vector<int> parent(tree.nodes.size(), -1);
  for (size_t i = 0; i < tree.nodes.size(); ++i)
    for (int child : {tree.nodes[i].left, tree.nodes[i].right})
      if (child >= 0)
        parent[static_cast<size_t>(child)] = static_cast<int>(i);
  return parent;
}

Way wayTo(const Tree &tree, const std::vector<int> &parent, int leaf) {
  Way way;
  // From the leaf upwards: the first condition met on a side is the tightest.
  for (int at = leaf, up = parent[static_cast<size_t>(leaf)]; up >= 0;
       at = up, up = parent[static_cast<size_t>(up)]) {
    const TreeNode &node = tree.nodes[static_cast<size_t>(up)];
    Bounds &bounds = way.bounds[node.column];
    const bool above = node.right == at;
    if (above && !bounds.hasLow) {
      bounds.hasLow = true;
      bounds.low = node.threshold;
    } else if (!above && !bounds.hasHigh) {
      bounds.hasHigh = true;
      bounds.high = node.threshold;
    }
    way.columns.erase(std::remove(way.columns.begin(), way.columns.end(), node.column),
                      way.columns.end());
    way.columns.insert(way.columns.begin(), node.column);
  }
  return way;
}

// Values of an enumeration that a way excludes, by the enumeration's name.
std::map<std::string, std::set<int>> excludedChoices(const Way &way, const Table &table) {
  std::map<std::string, std::set<int>> excluded;
  for (const auto &[column, bounds] : way.bounds) {
    const ParameterReading &reading = table.columns[column].reading;
    if (reading.choice >= 0 && bounds.hasHigh)
      excluded[table.columns[column].subject].insert(reading.choice);
  }
  return excluded;
}

std::string textOf(const Way &way, const Table &table) {
  std::vector<std::string> parts;
  const auto excluded = excludedChoices(way, table);
  std::set<std::string> named; // enumerations of which one value is known
  for (const auto &[column, bounds] : way.bounds) {
    const ColumnOrigin &origin = table.columns[column];
    if (origin.reading.choice >= 0 && bounds.hasLow)
      named.insert(origin.subject);
  }
  for (uint32_t column : way.columns) {
    const Bounds &bounds = way.bounds.at(column);
    const ColumnOrigin &origin = table.columns[column];
    const ParameterReading &reading = origin.reading;
    if (reading.choice >= 0 && !bounds.hasLow) {
      if (named.count(origin.subject))
        continue;
      const std::set<int> &out = excluded.at(origin.subject);
      if (reading.choices.size() > 2 && out.size() + 1 == reading.choices.size()) {
        int left = 0;
        while (out.count(left))
          ++left;
        parts.push_back(origin.subject + " = " + reading.choices[static_cast<size_t>(left)]);
        named.insert(origin.subject);
        continue;
      }
    }
    if (bounds.hasLow)
      parts.push_back(conditionText(origin, bounds.low, true));
    if (bounds.hasHigh && !(bounds.hasLow && reading.choice >= 0))
      parts.push_back(conditionText(origin, bounds.high, false));
  }
  std::string text;
  for (const std::string &part : parts)
    text += (text.empty() ? "" : " and ") + part;
  return text;
}

} // namespace

std::string ruleOf(const Tree &tree, const Table &table, int label) {
  constexpr int kLeastShare = 7;
  auto rowsOf = [&](int node) {
    return tree.nodes[static_cast<size_t>(node)].labelRows[static_cast<size_t>(label)];
  };
  std::vector<int> leaves;
  if (tree.nodes.size() < 2)
    return {};
  for (size_t i = 0; i < tree.nodes.size(); ++i)
    if (tree.nodes[i].left < 0 && tree.nodes[i].label == label &&
        rowsOf(static_cast<int>(i)) * kLeastShare >= rowsOf(0))
      leaves.push_back(static_cast<int>(i));
  std::stable_sort(
      leaves.begin(), leaves.end(), [&](int a, int b) { return rowsOf(a) > rowsOf(b); });
  const std::vector<int> parent = parents(tree);
  std::string text;
  for (int leaf : leaves)
    text += (text.empty() ? "" : " or ") + textOf(wayTo(tree, parent, leaf), table);
  return text;
}

} // namespace perfidy
