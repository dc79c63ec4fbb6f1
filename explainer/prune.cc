// Cost-complexity pruning of the trees of tree.h, and the choice of its strength. Growing is in
// tree.cc.
#include "explainer/tree.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>
#include <utility>

namespace perfidy {
namespace {

/// Rounding allowed when accuracies are compared.
constexpr double kSlack = 1e-12;

/// Impurity of every node as a leaf, and of the leaves below it, as shares of the root's weight.
struct Branches {
  std::vector<double> leafCost, branchCost;
  std::vector<int> leaves;
};

Branches branchesOf(const std::vector<TreeNode> &nodes) {
  Branches result{std::vector<double>(nodes.size()),
                  std::vector<double>(nodes.size()),
                  std::vector<int>(nodes.size(), 1)};
  for (size_t i = nodes.size(); i-- > 0;) {
    const TreeNode &node = nodes[i];
    result.leafCost[i] = node.weight / nodes.front().weight * node.impurity;
    result.branchCost[i] = result.leafCost[i];
    if (node.left < 0)
      continue;
    const auto left = static_cast<size_t>(node.left), right = static_cast<size_t>(node.right);
    result.branchCost[i] = result.branchCost[left] + result.branchCost[right];
    result.leaves[i] = result.leaves[left] + result.leaves[right];
  }
  return result;
}

/// The inner node whose collapse costs least per leaf saved, and that cost; nothing for a lone
/// leaf.
std::optional<std::pair<size_t, double>> weakestLink(const std::vector<TreeNode> &nodes) {
  const Branches branches = branchesOf(nodes);
  std::optional<std::pair<size_t, double>> result;
  for (size_t i = 0; i < nodes.size(); ++i) {
    if (nodes[i].left < 0)
      continue;
    const double alpha = (branches.leafCost[i] - branches.branchCost[i]) / (branches.leaves[i] - 1);
    if (!result || alpha < result->second)
      result = {i, alpha};
  }
  return result;
}

/// Without the nodes that no longer hang on the root.
std::vector<TreeNode> compact(const std::vector<TreeNode> &nodes) {
  std::vector<char> used(nodes.size(), 0);
  std::vector<int> place(nodes.size(), -1);
  int count = 0;
  for (size_t i = 0; i < nodes.size(); ++i) {
    if (i > 0 && used[i] == 0)
      continue;
    place[i] = count++;
    if (nodes[i].left >= 0)
      used[static_cast<size_t>(nodes[i].left)] = used[static_cast<size_t>(nodes[i].right)] = 1;
  }
  std::vector<TreeNode> result;
  for (size_t i = 0; i < nodes.size(); ++i) {
    if (place[i] < 0)
      continue;
    result.push_back(nodes[i]);
    if (nodes[i].left < 0)
      continue;
    result.back().left = place[static_cast<size_t>(nodes[i].left)];
    result.back().right = place[static_cast<size_t>(nodes[i].right)];
  }
  return result;
}

void collapse(std::vector<TreeNode> &nodes, size_t index) {
  TreeNode &node = nodes[index];
  node.left = node.right = -1;
  node.column = 0;
  node.threshold = 0;
  nodes = compact(nodes);
}

/// Held-out hits of one label in one group.
struct Hits {
  double rows = 0, right = 0;
};

using HitsByLabel = std::map<int, std::map<int, Hits>>; // label -> group

void countHits(const Tree &tree,
               const Table &table,
               const std::vector<size_t> &rows,
               const std::vector<int> &group,
               HitsByLabel &hits) {
  for (size_t row : rows) {
    Hits &part = hits[table.label[row]][group[row]];
    part.rows += 1;
    part.right += predict(tree, table, row) == table.label[row] ? 1 : 0;
  }
}

/// Balanced accuracy over all held-out rows and its standard error. The rows of one group are no
/// independent witnesses, so the error is that of a ratio of group totals, label by label.
struct Accuracy {
  double mean = 0, error = 0;
};

Accuracy accuracyOf(const HitsByLabel &hits) {
  Accuracy result;
  double variance = 0;
  for (const auto &[label, groups] : hits) {
    Hits all;
    for (const auto &[group, part] : groups) {
      all.rows += part.rows;
      all.right += part.right;
    }
    const double recall = all.right / all.rows;
    const auto count = static_cast<double>(groups.size());
    double squares = 0;
    for (const auto &[group, part] : groups)
      squares += std::pow(part.right - recall * part.rows, 2);
    result.mean += recall;
    variance += count > 1 ? squares / (all.rows * all.rows) * count / (count - 1) : 0;
  }
  const auto labels = static_cast<double>(hits.size());
  result.mean /= labels;
  result.error = std::sqrt(variance) / labels;
  return result;
}

/// Between two neighbouring alphas of the path the tree is the same: their geometric mean stands
/// for them (Breiman et al., section 3.4); the last one leaves the root alone.
std::vector<double> candidateAlphas(const Tree &tree) {
  std::vector<double> result = pruningPath(tree);
  for (size_t i = 0; i + 1 < result.size(); ++i)
    result[i] = std::sqrt(result[i] * result[i + 1]);
  return result;
}

} // namespace

std::vector<double> pruningPath(const Tree &tree) {
  std::vector<double> result = {0};
  std::vector<TreeNode> nodes = tree.nodes;
  while (const auto weakest = weakestLink(nodes)) {
    if (weakest->second > result.back())
      result.push_back(weakest->second);
    collapse(nodes, weakest->first);
  }
  return result;
}

Tree pruneTree(const Tree &tree, double alpha) {
  Tree result = tree;
  while (const auto weakest = weakestLink(result.nodes)) {
    if (weakest->second > alpha)
      break;
    collapse(result.nodes, weakest->first);
  }
  return result;
}

double chooseAlpha(const Table &table, const TreeOptions &options, int folds) {
  if (table.rows == 0)
    return 0;
  TreeOptions full = options;
  full.alpha = 0;
  const ColumnOrder order = sortColumns(table);
  const std::vector<double> alphas = candidateAlphas(growTree(table, order, table.label, full));
  const std::vector<int> group = groupsOf(table);
  const std::vector<int> fold = groupFolds(table.label, group, folds);
  const int count = *std::max_element(fold.begin(), fold.end()) + 1;
  if (count < 2 || alphas.size() < 2)
    return 0;
  std::vector<HitsByLabel> hits(alphas.size());
  for (int held = 0; held < count; ++held) {
    std::vector<size_t> train, test;
    for (size_t row = 0; row < table.rows; ++row)
      (fold[row] == held ? test : train).push_back(row);
    Tree tree = growTree(table, order, table.label, full, train);
    for (size_t i = 0; i < alphas.size(); ++i) {
      tree = pruneTree(tree, alphas[i]);
      countHits(tree, table, test, group, hits[i]);
    }
  }
  std::vector<Accuracy> accuracy;
  accuracy.reserve(alphas.size());
  for (const auto &byLabel : hits)
    accuracy.push_back(accuracyOf(byLabel));
  const Accuracy best =
      *std::max_element(accuracy.begin(), accuracy.end(), [](const Accuracy &a, const Accuracy &b) {
        return a.mean < b.mean;
      });
  size_t chosen = 0;
  for (size_t i = 0; i < alphas.size(); ++i)
    chosen = accuracy[i].mean >= best.mean - best.error - kSlack ? i : chosen;
  return alphas[chosen];
}

} // namespace perfidy
