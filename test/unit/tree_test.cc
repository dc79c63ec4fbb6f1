#include "explainer/tree.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>

namespace perfidy {
namespace {

Table makeTable(const std::vector<std::vector<double>> &columns, const std::vector<int> &label) {
  Table table;
  table.rows = label.size();
  table.label = label;
  for (int value : label)
    table.labels = std::max(table.labels, value + 1);
  table.columns.resize(columns.size());
  for (const auto &column : columns)
    table.data.insert(table.data.end(), column.begin(), column.end());
  return table;
}

/// Label = value above 50 in column 1 of `columns`, `wrong` rows of each side flipped.
Table noisyTable(size_t rows, size_t columns, int wrong) {
  std::vector<std::vector<double>> values(columns, std::vector<double>(rows));
  std::vector<int> label(rows);
  uint32_t state = 1;
  for (size_t row = 0; row < rows; ++row) {
    for (size_t column = 0; column < columns; ++column) {
      state = state * 1664525u + 1013904223u;
      values[column][row] = (state >> 8) % 10000 / 100.0;
    }
    label[row] = values[columns > 1 ? 1 : 0][row] > 50 ? 1 : 0;
  }
  for (size_t row = 0; row < static_cast<size_t>(wrong); ++row)
    label[row * 7 % rows] ^= 1;
  Table table = makeTable(values, label);
  for (size_t row = 0; row < rows; ++row)
    table.group.push_back(static_cast<int>(row / 4));
  return table;
}

int errors(const Tree &tree, const Table &table) {
  int result = 0;
  for (size_t row = 0; row < table.rows; ++row)
    result += predict(tree, table, row) == table.label[row] ? 0 : 1;
  return result;
}

TEST(GrowTree, EmptyTable) {
  const Tree tree = growTree(Table{}, {});
  EXPECT_TRUE(tree.nodes.empty());
  EXPECT_EQ(predict(tree, Table{}, 0), -1);
  EXPECT_EQ(pruningPath(tree), std::vector<double>{0});
  EXPECT_EQ(chooseAlpha(Table{}, {}), 0);
}

TEST(GrowTree, OneRowOneLabelAndConstantColumns) {
  EXPECT_EQ(growTree(makeTable({{3}}, {1}), {}).nodes.size(), 1u);
  EXPECT_EQ(predict(growTree(makeTable({{3}}, {1}), {}), makeTable({{3}}, {1}), 0), 1);
  EXPECT_EQ(growTree(makeTable({{1, 2, 3}}, {0, 0, 0}), {}).nodes.size(), 1u);
  EXPECT_EQ(growTree(makeTable({{4, 4, 4}}, {0, 1, 1}), {}).nodes.size(), 1u);
  EXPECT_EQ(growTree(makeTable({}, {0, 1, 1}), {}).nodes.size(), 1u);
}

TEST(GrowTree, SplitsAtTheMidpoint) {
  const Table table = makeTable({{9, 1, 5, 2}, {10, 30, 20, 40}}, {1, 0, 1, 0});
  const Tree tree = growTree(table, {});
  ASSERT_EQ(tree.nodes.size(), 3u);
  EXPECT_EQ(tree.nodes[0].column, 0u);
  EXPECT_EQ(tree.nodes[0].threshold, 3.5);
  EXPECT_EQ(tree.nodes[0].impurity, 0.5);
  EXPECT_EQ(tree.nodes[0].weight, 4);
  EXPECT_EQ(tree.nodes[1].labelRows, (std::vector<int>{2, 0}));
  EXPECT_EQ(tree.nodes[2].labelRows, (std::vector<int>{0, 2}));
  EXPECT_EQ(errors(tree, table), 0);
}

TEST(GrowTree, TiesGoToRankThenColumnThenThreshold) {
  Table table = makeTable({{1, 2, 3, 4}, {1, 2, 3, 4}, {1, 2, 3, 4}}, {0, 0, 1, 1});
  EXPECT_EQ(growTree(table, {}).nodes[0].column, 0u);
  table.columns[0].rank = 2;
  table.columns[1].rank = table.columns[2].rank = 1;
  EXPECT_EQ(growTree(table, {}).nodes[0].column, 1u);
  table.columns[2].rank = 0;
  EXPECT_EQ(growTree(table, {}).nodes[0].column, 2u);
  TreeOptions stump;
  stump.maxDepth = 1;
  stump.balanceClasses = false;
  EXPECT_EQ(growTree(makeTable({{1, 2, 3, 4, 5}}, {0, 1, 1, 1, 0}), stump).nodes[0].threshold, 1.5);
}

TEST(GrowTree, DepthAndLeafSizeAreKept) {
  const Table table = noisyTable(200, 3, 30);
  TreeOptions options;
  options.maxDepth = 0;
  EXPECT_EQ(growTree(table, options).nodes.size(), 1u);
  options.maxDepth = 8;
  options.minLeaf = 17;
  const Tree tree = growTree(table, options);
  EXPECT_GT(tree.nodes.size(), 3u);
  for (size_t i = 0; i < tree.nodes.size(); ++i) {
    EXPECT_GE(tree.nodes[i].labelRows[0] + tree.nodes[i].labelRows[1], 17);
    if (tree.nodes[i].left >= 0) {
      EXPECT_GT(tree.nodes[i].left, static_cast<int>(i));
      EXPECT_GT(tree.nodes[i].right, tree.nodes[i].left);
    }
  }
}

TEST(GrowTree, BalancedWeightsCountLabelsAlike) {
  const Table table = makeTable({{1, 2, 3, 4, 5, 6, 7, 8}}, {0, 0, 0, 0, 0, 0, 1, 1});
  TreeOptions options;
  options.maxDepth = 0;
  const Tree balanced = growTree(table, options);
  EXPECT_NEAR(balanced.nodes[0].impurity, 0.5, 1e-12);
  EXPECT_NEAR(balanced.nodes[0].labelWeight[0], balanced.nodes[0].labelWeight[1], 1e-12);
  EXPECT_EQ(balanced.nodes[0].label, 0);
  options.balanceClasses = false;
  EXPECT_NEAR(growTree(table, options).nodes[0].impurity, 0.375, 1e-12);
  options.criterion = Criterion::Entropy;
  EXPECT_NEAR(growTree(table, options).nodes[0].impurity, 0.811278, 1e-6);
}

TEST(GrowTree, GrowsOnTheGivenRowsOnly) {
  const Table table = makeTable({{1, 2, 3, 4, 5, 6}}, {0, 0, 1, 1, 0, 0});
  const Tree tree = growTree(table, {}, {0, 1, 2, 3});
  ASSERT_EQ(tree.nodes.size(), 3u);
  EXPECT_EQ(tree.nodes[0].labelRows, (std::vector<int>{2, 2}));
  EXPECT_EQ(predict(tree, table, 5), 1);
  const Tree repeated = growTree(table, {}, {0, 0, 0, 2});
  EXPECT_EQ(repeated.nodes[0].labelRows, (std::vector<int>{3, 1}));
}

TEST(GrowTree, NanAndInfinityGoRight) {
  const double inf = std::numeric_limits<double>::infinity();
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const Table table = makeTable({{1, nan, 2, inf, 1, nan}}, {0, 1, 0, 1, 0, 1});
  const Tree tree = growTree(table, {});
  ASSERT_EQ(tree.nodes.size(), 3u);
  EXPECT_EQ(tree.nodes[0].threshold, 2);
  EXPECT_EQ(errors(tree, table), 0);
  EXPECT_EQ(growTree(makeTable({{nan, nan, inf}}, {0, 1, 0}), {}).nodes.size(), 1u);
  EXPECT_EQ(growTree(makeTable({{-inf, -inf, inf}}, {0, 0, 1}), {}).nodes.size(), 1u);
  const double huge = std::numeric_limits<double>::max();
  EXPECT_EQ(errors(growTree(makeTable({{huge / 2, huge}}, {0, 1}), {}),
                   makeTable({{huge / 2, huge}}, {0, 1})),
            0);
}

TEST(GrowTree, NeighbouringDoublesAreSeparated) {
  const double above = std::nextafter(1.0, 2.0);
  const Table table = makeTable({{1, above, 1, above}}, {0, 1, 0, 1});
  EXPECT_EQ(errors(growTree(table, {}), table), 0);
}

TEST(GrowTree, NegativeLabelsAreLeftOut) {
  Table table = makeTable({{1, 2, 3, 4}}, {0, 1, 1, 0});
  table.label[3] = -1;
  EXPECT_EQ(growTree(table, {}).nodes[0].labelRows, (std::vector<int>{1, 2}));
}

TEST(GrowTree, SharedOrderGivesTheSameTree) {
  const Table table = noisyTable(150, 4, 20);
  const Tree one = growTree(table, {});
  const Tree two = growTree(table, sortColumns(table), table.label, {});
  ASSERT_EQ(one.nodes.size(), two.nodes.size());
  for (size_t i = 0; i < one.nodes.size(); ++i)
    EXPECT_EQ(one.nodes[i].threshold, two.nodes[i].threshold);
}

TEST(Pruning, PathAscendsAndEndsAtTheRoot) {
  TreeOptions options;
  options.maxDepth = 8;
  const Table table = noisyTable(300, 4, 40);
  const Tree tree = growTree(table, options);
  const std::vector<double> path = pruningPath(tree);
  ASSERT_GT(path.size(), 3u);
  EXPECT_EQ(path.front(), 0);
  size_t before = tree.nodes.size() + 1;
  for (size_t i = 1; i < path.size(); ++i) {
    EXPECT_GT(path[i], path[i - 1]);
    const Tree pruned = pruneTree(tree, path[i]);
    EXPECT_LT(pruned.nodes.size(), before);
    before = pruned.nodes.size();
    options.alpha = path[i];
    EXPECT_EQ(growTree(table, options).nodes.size(), pruned.nodes.size());
  }
  EXPECT_EQ(before, 1u);
}

TEST(Pruning, KeepsChildrenAndPredictionsConsistent) {
  const Table table = noisyTable(300, 4, 40);
  TreeOptions options;
  options.maxDepth = 8;
  const Tree tree = growTree(table, options);
  const Tree pruned = pruneTree(tree, pruningPath(tree)[2]);
  for (const TreeNode &node : pruned.nodes) {
    ASSERT_EQ(node.left < 0, node.right < 0);
    if (node.left < 0)
      continue;
    const auto &left = pruned.nodes[static_cast<size_t>(node.left)].labelRows;
    const auto &right = pruned.nodes[static_cast<size_t>(node.right)].labelRows;
    EXPECT_EQ(node.labelRows[0], left[0] + right[0]);
    EXPECT_EQ(node.labelRows[1], left[1] + right[1]);
  }
  EXPECT_GE(errors(pruned, table), errors(tree, table));
}

TEST(ChooseAlpha, NoiseIsPrunedAndSignalStays) {
  const Table table = noisyTable(240, 4, 24);
  TreeOptions options;
  options.maxDepth = 8;
  options.alpha = chooseAlpha(table, options);
  const Tree tree = growTree(table, options);
  EXPECT_EQ(tree.nodes.size(), 3u);
  EXPECT_EQ(tree.nodes[0].column, 1u);
  EXPECT_NEAR(tree.nodes[0].threshold, 50, 2);
  EXPECT_EQ(options.alpha, chooseAlpha(table, options)) << "deterministic, ignores options.alpha";
}

TEST(ChooseAlpha, OneGroupGivesNothingToChoose) {
  Table table = noisyTable(40, 2, 4);
  table.group.assign(table.rows, 0);
  EXPECT_EQ(chooseAlpha(table, {}), 0);
}

} // namespace
} // namespace perfidy
