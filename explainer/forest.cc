#include "explainer/forest.h"
#include "explainer/random.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace perfidy {
namespace {

constexpr size_t kBins = 255; ///< the last value of a byte is for NaN
/// A split must lower the impurity by more than rounding does.
constexpr double kLeastGain = 1e-12;

/// The columns as small numbers: value <= edges[c][b] exactly when bin <= b.
struct Binned {
  size_t rows = 0;
  std::vector<std::vector<double>> edges; ///< per column, ascending thresholds between bins
  std::vector<uint8_t> bins;              ///< column-major, all rows of the table

  uint8_t bin(size_t row, size_t column) const { return bins[column * rows + row]; }
};

/// Thresholds between the quantiles of the training rows' values.
std::vector<double> edgesOf(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  std::vector<double> edges;
  const size_t count = values.size();
  for (size_t bin = 1; bin < kBins; ++bin) {
    const size_t at = count <= kBins ? bin : bin * count / kBins;
    if (at >= count)
      break;
    const double low = values[at - 1], high = values[at], middle = low / 2 + high / 2;
    if (low < high && (edges.empty() || low > edges.back()))
      edges.push_back(std::isfinite(middle) && middle < high ? middle : low);
  }
  return edges;
}

Binned binned(const Table &table, const std::vector<size_t> &rows) {
  Binned result;
  result.rows = table.rows;
  result.bins.resize(table.rows * table.columns.size());
  for (size_t column = 0; column < table.columns.size(); ++column) {
    std::vector<double> values;
    for (size_t row : rows)
      if (!std::isnan(table.value(row, column)))
        values.push_back(table.value(row, column));
    const std::vector<double> &edges = result.edges.emplace_back(edgesOf(std::move(values)));
    for (size_t row : rows) {
      const double value = table.value(row, column);
      const auto at = std::lower_bound(edges.begin(), edges.end(), value) - edges.begin();
      result.bins[column * table.rows + row] =
          std::isnan(value) ? static_cast<uint8_t>(kBins) : static_cast<uint8_t>(at);
    }
  }
  return result;
}

struct BinSplit {
  size_t column = 0, bin = 0;
  double mass = std::numeric_limits<double>::infinity();
};

/// Grows one tree on rows drawn with replacement.
class ForestGrower {
public:
  ForestGrower(const Binned &binned,
               const std::vector<int> &label,
               int labels,
               const ForestOptions &options,
               uint64_t seed)
      : binned_(binned), label_(label), labels_(static_cast<size_t>(labels)), options_(options),
        random_(seed), columns_(binned.edges.size()), histogram_((kBins + 1) * labels_) {
    std::iota(columns_.begin(), columns_.end(), size_t{0});
  }

  Tree grow(const std::vector<size_t> &rows) {
    rows_.clear();
    std::vector<double> count(labels_, 0);
    for (size_t i = 0; i < rows.size(); ++i) {
      rows_.push_back(rows[random_.below(rows.size())]);
      count[static_cast<size_t>(label_[rows_.back()])] += 1;
    }
    weight_.assign(labels_, 1);
    for (size_t label = 0; label < labels_ && options_.balanceClasses; ++label)
      weight_[label] = count[label] > 0 ? static_cast<double>(rows.size()) / count[label] : 0;
    addNode(0, rows_.size(), 0);
    return std::move(tree_);
  }

private:
  int addNode(size_t begin, size_t end, int depth) {
    const auto id = static_cast<int>(tree_.nodes.size());
    tree_.nodes.push_back(described(begin, end));
    const double mass = tree_.nodes.back().impurity * tree_.nodes.back().weight;
    if (depth >= options_.maxDepth || end - begin < 2 * static_cast<size_t>(options_.minLeaf) ||
        mass <= kLeastGain)
      return id;
    const BinSplit split = bestSplit(begin, end);
    if (!(split.mass < mass * (1 - kLeastGain)))
      return id;
    const auto middle =
        std::partition(rows_.begin() + static_cast<std::ptrdiff_t>(begin),
                       rows_.begin() + static_cast<std::ptrdiff_t>(end),
                       [&](size_t row) { return binned_.bin(row, split.column) <= split.bin; });
    const auto cut = static_cast<size_t>(middle - rows_.begin());
    const int left = addNode(begin, cut, depth + 1), right = addNode(cut, end, depth + 1);
    TreeNode &node = tree_.nodes[static_cast<size_t>(id)];
    node.left = left;
    node.right = right;
    node.column = static_cast<uint32_t>(split.column);
    node.threshold = binned_.edges[split.column][split.bin];
    return id;
  }

  TreeNode described(size_t begin, size_t end) const {
    TreeNode node;
    node.labelWeight.assign(labels_, 0);
    node.labelRows.assign(labels_, 0);
    for (size_t i = begin; i < end; ++i) {
      const auto label = static_cast<size_t>(label_[rows_[i]]);
      node.labelWeight[label] += weight_[label];
      ++node.labelRows[label];
    }
    double squares = 0;
    for (double value : node.labelWeight) {
      node.weight += value;
      squares += value * value;
    }
    node.impurity = std::max(0.0, 1 - squares / (node.weight * node.weight));
    node.label =
        static_cast<int>(std::max_element(node.labelWeight.begin(), node.labelWeight.end()) -
                         node.labelWeight.begin());
    return node;
  }

  /// Among the first columns of a shuffle that vary in the node.
  BinSplit bestSplit(size_t begin, size_t end) {
    const auto wanted = options_.columnsPerSplit > 0
                            ? static_cast<size_t>(options_.columnsPerSplit)
                            : static_cast<size_t>(std::sqrt(static_cast<double>(columns_.size())));
    BinSplit best;
    size_t tried = 0;
    for (size_t i = 0; i < columns_.size() && tried < std::max<size_t>(1, wanted); ++i) {
      std::swap(columns_[i], columns_[i + random_.below(columns_.size() - i)]);
      tried += scan(columns_[i], begin, end, best) ? 1 : 0;
    }
    return best;
  }

  /// False when the column is constant in the node.
  bool scan(size_t column, size_t begin, size_t end, BinSplit &best) {
    size_t low = kBins, high = 0;
    for (size_t i = begin; i < end; ++i) {
      const size_t bin = binned_.bin(rows_[i], column);
      low = std::min(low, bin);
      high = std::max(high, bin);
    }
    if (low >= high)
      return false;
    std::fill(histogram_.begin() + static_cast<std::ptrdiff_t>(low * labels_),
              histogram_.begin() + static_cast<std::ptrdiff_t>((high + 1) * labels_),
              0u);
    for (size_t i = begin; i < end; ++i)
      ++histogram_[binned_.bin(rows_[i], column) * labels_ + static_cast<size_t>(label_[rows_[i]])];
    search(column, low, std::min(high, binned_.edges[column].size()), end - begin, best);
    return true;
  }

  void search(size_t column, size_t low, size_t high, size_t rows, BinSplit &best) {
    const std::vector<double> &all = tree_.nodes.back().labelWeight;
    std::vector<double> &left = left_;
    left.assign(labels_, 0);
    size_t leftRows = 0;
    for (size_t bin = low; bin < high; ++bin) {
      size_t here = 0;
      for (size_t label = 0; label < labels_; ++label) {
        const uint32_t count = histogram_[bin * labels_ + label];
        here += count;
        left[label] += count * weight_[label];
      }
      leftRows += here;
      if (here == 0 || leftRows < static_cast<size_t>(options_.minLeaf) ||
          rows - leftRows < static_cast<size_t>(options_.minLeaf))
        continue;
      double a = 0, b = 0, aSquares = 0, bSquares = 0;
      for (size_t label = 0; label < labels_; ++label) {
        const double other = all[label] - left[label];
        a += left[label];
        b += other;
        aSquares += left[label] * left[label];
        bSquares += other * other;
      }
      const double mass = a - aSquares / a + b - bSquares / b;
      if (mass < best.mass)
        best = {column, bin, mass};
    }
  }

  const Binned &binned_;
  const std::vector<int> &label_;
  size_t labels_;
  const ForestOptions &options_;
  Drawing random_;
  std::vector<size_t> columns_, rows_;
  std::vector<uint32_t> histogram_;
  std::vector<double> weight_, left_;
  Tree tree_;
};

/// Calls `visit(node, child)` on the way of a row from the root to its leaf; returns the leaf.
template <typename Visit>
const TreeNode &descend(const Tree &tree, const Table &table, size_t row, Visit visit) {
  const TreeNode *at = tree.nodes.data();
  while (at->left >= 0) {
    const bool left = table.value(row, at->column) <= at->threshold;
    const TreeNode *next = tree.nodes.data() + (left ? at->left : at->right);
    visit(*at, *next);
    at = next;
  }
  return *at;
}

double share(const TreeNode &node, size_t label) {
  return node.weight > 0 ? node.labelWeight[label] / node.weight : 0;
}

} // namespace

Forest
growForest(const Table &table, const ForestOptions &options, const std::vector<size_t> &rows) {
  std::vector<size_t> used;
  Forest forest;
  for (size_t i = 0; i < (rows.empty() ? table.rows : rows.size()); ++i) {
    const size_t row = rows.empty() ? i : rows[i];
    if (table.label[row] < 0)
      continue;
    used.push_back(row);
    forest.labels = std::max(forest.labels, table.label[row] + 1);
  }
  forest.labels = std::max(forest.labels, table.labels);
  if (used.empty())
    return forest;
  const Binned columns = binned(table, used);
  for (int i = 0; i < options.trees; ++i) {
    const uint64_t seed = options.seed * 1000003u + static_cast<uint64_t>(i);
    forest.trees.push_back(
        ForestGrower(columns, table.label, forest.labels, options, seed).grow(used));
  }
  return forest;
}

std::vector<double> probabilities(const Forest &forest, const Table &table, size_t row) {
  std::vector<double> result(static_cast<size_t>(forest.labels), 0);
  for (const Tree &tree : forest.trees) {
    const TreeNode &leaf = descend(tree, table, row, [](const TreeNode &, const TreeNode &) {});
    for (size_t label = 0; label < result.size(); ++label)
      result[label] += share(leaf, label) / static_cast<double>(forest.trees.size());
  }
  return result;
}

std::vector<double> importance(const Forest &forest, size_t columns) {
  std::vector<double> result(columns, 0);
  double sum = 0;
  for (const Tree &tree : forest.trees)
    for (const TreeNode &node : tree.nodes) {
      if (node.left < 0)
        continue;
      const TreeNode &a = tree.nodes[static_cast<size_t>(node.left)];
      const TreeNode &b = tree.nodes[static_cast<size_t>(node.right)];
      const double gain =
          (node.weight * node.impurity - a.weight * a.impurity - b.weight * b.impurity) /
          tree.nodes[0].weight;
      result[node.column] += gain;
      sum += gain;
    }
  for (double &value : result)
    value = sum > 0 ? value / sum : 0;
  return result;
}

std::vector<double> contributions(const Forest &forest, const Table &table, size_t row, int label) {
  std::vector<double> result(table.columns.size(), 0);
  const auto at = static_cast<size_t>(label);
  for (const Tree &tree : forest.trees)
    descend(tree, table, row, [&](const TreeNode &node, const TreeNode &next) {
      result[node.column] +=
          (share(next, at) - share(node, at)) / static_cast<double>(forest.trees.size());
    });
  return result;
}

} // namespace perfidy
