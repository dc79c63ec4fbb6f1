// Decision tree: CART classifier over a Table. Data, criterion and growth are apart.
//
// Source: Breiman, Friedman, Olshen, Stone 1984 (CART, cost-complexity pruning). Checked against
// scikit-learn's DecisionTreeClassifier on tie-free data (tests only). Owned by the explainer.
#pragma once

#include "explainer/table.h"

namespace perfidy {

enum class Criterion { Gini, Entropy };

struct TreeOptions {
  Criterion criterion = Criterion::Gini;
  int maxDepth = 4;
  int minLeaf = 1;            ///< rows
  bool balanceClasses = true; ///< weight rows by 1 / frequency of their label
  double alpha = 0; ///< cost-complexity pruning strength (weighted impurity, as scikit-learn)
};

/// A node of the flat tree. Rows with value <= threshold go left.
struct TreeNode {
  int left = -1, right = -1; ///< -1 in leaves; children follow their parent in the array
  uint32_t column = 0;
  double threshold = 0; ///< midpoint between the two neighbouring values
  double impurity = 0;
  double weight = 0;               ///< weighted rows that reached the node
  int label = 0;                   ///< majority label (ties: smaller label)
  std::vector<double> labelWeight; ///< per label
  std::vector<int> labelRows;      ///< unweighted, per label
};

struct Tree {
  std::vector<TreeNode> nodes; ///< node 0 is the root; empty for an empty table
};

/// Grows on the given rows (all when empty), then prunes with options.alpha. A split must lower the
/// impurity, and separates finite values only (NaN and infinity count as the largest). Ties between
/// splits of equal gain (relative 1e-12): smaller ColumnOrigin::rank, then smaller column, then
/// smaller threshold.
Tree growTree(const Table &table, const TreeOptions &options, const std::vector<size_t> &rows = {});

/// The row numbers of every column in ascending order of value (NaN with the largest, then by row).
/// Sorting is most of the work of growing a tree: cross-validation sorts once and grows many.
struct ColumnOrder {
  std::vector<uint32_t> rows; ///< column-major, as Table::data
};
ColumnOrder sortColumns(const Table &table);

/// As above, with the sorting done and `label` (one per row of the table) instead of Table::label.
/// Rows with a negative label are left out.
Tree growTree(const Table &table,
              const ColumnOrder &order,
              const std::vector<int> &label,
              const TreeOptions &options,
              const std::vector<size_t> &rows = {});

/// Label of one row of a table with the same columns. NaN goes right. -1 for an empty tree.
int predict(const Tree &tree, const Table &table, size_t row);

/// The effective alphas of the tree's minimal cost-complexity pruning path, ascending and distinct,
/// from 0.
std::vector<double> pruningPath(const Tree &tree);

/// The tree with every subtree whose effective alpha is <= alpha collapsed.
Tree pruneTree(const Tree &tree, double alpha);

/// alpha by grouped cross-validation (whole Table::group held out, at most `folds` folds): the
/// largest alpha whose balanced accuracy over all held-out rows is within one standard error
/// (clustered by group) of the best. Candidates are the geometric means of neighbouring alphas of
/// the full tree's path. options.alpha is ignored; 0 when there is nothing to choose from.
/// Deterministic.
double chooseAlpha(const Table &table, const TreeOptions &options, int folds = 5);

} // namespace perfidy
