// Random forest: trees of tree.h on bootstrap samples, each split chosen among a random part of the
// columns. For accuracy where nobody has to read the tree.
//
// Source: Breiman 2001. The trees are those of tree.h (same nodes, same Gini impurity, same
// prediction), grown over at most 255 quantiles per column, so that no column is sorted again in
// any node. Checked against scikit-learn's RandomForestClassifier (tests only). Owned by the
// explainer.
#pragma once

#include "explainer/tree.h"

namespace perfidy {

struct ForestOptions {
  int trees = 150;
  int maxDepth = 24;
  int minLeaf = 2;            ///< rows
  int columnsPerSplit = 0;    ///< 0: square root of the columns
  bool balanceClasses = true; ///< rows of a label weigh 1 / its frequency
  uint64_t seed = 1;
};

struct Forest {
  std::vector<Tree> trees;
  int labels = 0;
};

/// Grows on the given rows (all when empty) with Table::label. Rows with a negative label are left
/// out. Deterministic.
Forest
growForest(const Table &table, const ForestOptions &options, const std::vector<size_t> &rows = {});

/// Share of each label, a mean over the trees of the weighted shares in the leaves. Sums to 1.
std::vector<double> probabilities(const Forest &forest, const Table &table, size_t row);

/// How much each column lowers the impurity over all trees; sums to 1.
std::vector<double> importance(const Forest &forest, size_t columns);

/// What each column adds to the probability of `label` for one row: along each path, the change of
/// the label's share at the splits by that column (Saabas 2014), a mean over the trees.
std::vector<double> contributions(const Forest &forest, const Table &table, size_t row, int label);

} // namespace perfidy
