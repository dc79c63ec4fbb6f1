#include "explainer/tree.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

namespace perfidy {
namespace {

/// Splits whose impurities differ by less than this, relative to their parent's, are equally good.
constexpr double kTie = 1e-12;

using LabelCounts = std::vector<int>;

/// NaN sorts, and goes, with the largest values.
double ordered(double value) {
  return std::isnan(value) ? std::numeric_limits<double>::infinity() : value;
}

/// Midpoint by which `low` goes left and `high` right. Without a finite one: `low` itself, and no
/// threshold if that is infinite too.
std::optional<double> thresholdBetween(double low, double high) {
  const double middle = low / 2 + high / 2;
  if (std::isfinite(middle) && low <= middle && middle < high)
    return middle;
  return std::isfinite(low) ? std::optional(low) : std::nullopt;
}

struct Split {
  size_t column = 0;
  double threshold = 0;
  double mass =
      std::numeric_limits<double>::infinity(); ///< weight x impurity, both children together
  LabelCounts left;                            ///< rows per label
};

/// Grows one tree depth first. The sorted rows of every column are kept node by node: a node owns
/// the same interval [begin, end) in each column that is not constant in it.
class Grower {
public:
  Grower(const Table &table,
         const ColumnOrder &order,
         const std::vector<int> &label,
         const TreeOptions &options,
         const std::vector<size_t> &rows);
  Tree grow();

private:
  using Columns = std::vector<uint32_t>;

  int addNode(
      size_t begin, size_t end, int depth, const Columns &columns, const LabelCounts &counts);
  Split bestSplit(
      size_t begin, size_t end, Columns &columns, const LabelCounts &counts, double mass) const;
  void scanColumn(size_t column,
                  size_t begin,
                  size_t end,
                  const LabelCounts &counts,
                  double mass,
                  Split &best) const;
  void partition(size_t begin, size_t end, const Columns &columns, const Split &split);
  double mass(const LabelCounts &counts) const;
  double mass(const LabelCounts &all, const LabelCounts &part) const;
  double massOf(double weight, double sumOfTerms) const;
  double term(double labelWeight) const;

  const Table &table_;
  const std::vector<int> &label_;
  const TreeOptions &options_;
  size_t rows_ = 0;                 ///< rows the tree is grown on
  std::vector<uint32_t> sorted_;    ///< rows_ per column
  std::vector<double> labelWeight_; ///< weight of one row, by label
  LabelCounts counts_;
  std::vector<char> goesLeft_; ///< by row of the table
  std::vector<uint32_t> scratch_;
  Tree tree_;
};

Grower::Grower(const Table &table,
               const ColumnOrder &order,
               const std::vector<int> &label,
               const TreeOptions &options,
               const std::vector<size_t> &rows)
    : table_(table), label_(label), options_(options), goesLeft_(table.rows, 0) {
  std::vector<int> times(table.rows, rows.empty() ? 1 : 0);
  for (size_t row : rows)
    ++times[row];
  int labels = table.labels;
  for (int value : label)
    labels = std::max(labels, value + 1);
  counts_.assign(static_cast<size_t>(labels), 0);
  for (size_t row = 0; row < table.rows; ++row) {
    times[row] = label[row] < 0 ? 0 : times[row];
    if (times[row] > 0)
      counts_[static_cast<size_t>(label[row])] += times[row];
    rows_ += static_cast<size_t>(times[row]);
  }
  sorted_.reserve(rows_ * table.columns.size());
  for (uint32_t row : order.rows)
    sorted_.insert(sorted_.end(), static_cast<size_t>(times[row]), row);
  const auto present = static_cast<double>(
      std::count_if(counts_.begin(), counts_.end(), [](int count) { return count > 0; }));
  for (int count : counts_)
    labelWeight_.push_back(
        options.balanceClasses && count > 0 ? static_cast<double>(rows_) / (present * count) : 1.0);
}

Tree Grower::grow() {
  Columns columns(table_.columns.size());
  for (size_t column = 0; column < columns.size(); ++column)
    columns[column] = static_cast<uint32_t>(column);
  if (rows_ > 0)
    addNode(0, rows_, 0, columns, counts_);
  return std::move(tree_);
}

/// The impurity of a node is (weight - sum of terms) / weight for Gini with term s^2 / weight, and
/// sum of -s log2(s / weight) / weight for entropy; both need one sum over the labels.
double Grower::term(double labelWeight) const {
  if (options_.criterion == Criterion::Gini)
    return labelWeight * labelWeight;
  return labelWeight > 0 ? labelWeight * std::log2(labelWeight) : 0;
}

double Grower::massOf(double weight, double sumOfTerms) const {
  if (weight <= 0)
    return 0;
  const double result = options_.criterion == Criterion::Gini
                            ? weight - sumOfTerms / weight
                            : weight * std::log2(weight) - sumOfTerms;
  return std::max(0.0, result);
}

double Grower::mass(const LabelCounts &counts) const {
  double weight = 0, terms = 0;
  for (size_t label = 0; label < counts.size(); ++label) {
    weight += counts[label] * labelWeight_[label];
    terms += term(counts[label] * labelWeight_[label]);
  }
  return massOf(weight, terms);
}

/// Of what remains of `all` when `part` is taken away.
double Grower::mass(const LabelCounts &all, const LabelCounts &part) const {
  double weight = 0, terms = 0;
  for (size_t label = 0; label < all.size(); ++label) {
    const double labelWeight = (all[label] - part[label]) * labelWeight_[label];
    weight += labelWeight;
    terms += term(labelWeight);
  }
  return massOf(weight, terms);
}

int Grower::addNode(
    size_t begin, size_t end, int depth, const Columns &columns, const LabelCounts &counts) {
  const auto id = static_cast<int>(tree_.nodes.size());
  TreeNode node;
  double heaviest = 0;
  for (size_t label = 0; label < counts.size(); ++label) {
    node.labelWeight.push_back(counts[label] * labelWeight_[label]);
    node.weight += node.labelWeight.back();
    if (node.labelWeight.back() > heaviest * (1 + kTie)) {
      heaviest = node.labelWeight.back();
      node.label = static_cast<int>(label);
    }
  }
  node.labelRows = counts;
  const double nodeMass = mass(counts);
  node.impurity = nodeMass / node.weight;
  tree_.nodes.push_back(std::move(node));
  const bool small = end - begin < 2 * static_cast<size_t>(std::max(1, options_.minLeaf));
  if (depth >= options_.maxDepth || small || tree_.nodes.back().impurity <= kTie)
    return id;
  Columns varying = columns;
  const Split split = bestSplit(begin, end, varying, counts, nodeMass);
  if (!(split.mass < nodeMass * (1 - kTie)))
    return id;
  LabelCounts right = counts;
  size_t leftRows = 0;
  for (size_t label = 0; label < right.size(); ++label) {
    right[label] -= split.left[label];
    leftRows += static_cast<size_t>(split.left[label]);
  }
  if (depth + 1 < options_.maxDepth)
    partition(begin, end, varying, split);
  const int left = addNode(begin, begin + leftRows, depth + 1, varying, split.left);
  const int other = addNode(begin + leftRows, end, depth + 1, varying, right);
  TreeNode &parent = tree_.nodes[static_cast<size_t>(id)];
  parent.left = left;
  parent.right = other;
  parent.column = static_cast<uint32_t>(split.column);
  parent.threshold = split.threshold;
  return id;
}

/// Also drops from `columns` those that are constant in the node: they stay so below it.
Split Grower::bestSplit(
    size_t begin, size_t end, Columns &columns, const LabelCounts &counts, double mass) const {
  Split best;
  const auto constant = [&](uint32_t column) {
    const uint32_t *rows = sorted_.data() + column * rows_;
    return !(ordered(table_.value(rows[begin], column)) <
             ordered(table_.value(rows[end - 1], column)));
  };
  columns.erase(std::remove_if(columns.begin(), columns.end(), constant), columns.end());
  for (uint32_t column : columns)
    scanColumn(column, begin, end, counts, mass, best);
  return best;
}

void Grower::scanColumn(size_t column,
                        size_t begin,
                        size_t end,
                        const LabelCounts &counts,
                        double nodeMass,
                        Split &best) const {
  const uint32_t *rows = sorted_.data() + column * rows_;
  const double *values = table_.data.data() + column * table_.rows;
  const auto minLeaf = static_cast<size_t>(std::max(1, options_.minLeaf));
  const uint32_t rank = table_.columns[column].rank;
  LabelCounts left(counts.size(), 0);
  for (size_t i = begin; i + minLeaf < end; ++i) {
    ++left[static_cast<size_t>(label_[rows[i]])];
    const double low = ordered(values[rows[i]]), high = ordered(values[rows[i + 1]]);
    if (!(low < high) || i + 1 - begin < minLeaf)
      continue;
    const double sum = mass(left) + mass(counts, left);
    const double difference = sum - best.mass;
    // Columns and thresholds come in ascending order, so only the rank is left to break ties.
    const bool better = !best.left.empty() && std::abs(difference) <= kTie * nodeMass
                            ? rank < table_.columns[best.column].rank
                            : difference < 0;
    const std::optional<double> threshold = better ? thresholdBetween(low, high) : std::nullopt;
    if (threshold)
      best = {column, *threshold, sum, left};
  }
}

void Grower::partition(size_t begin, size_t end, const Columns &columns, const Split &split) {
  const uint32_t *rows = sorted_.data() + split.column * rows_;
  for (size_t i = begin; i < end; ++i)
    goesLeft_[rows[i]] = table_.value(rows[i], split.column) <= split.threshold ? 1 : 0;
  scratch_.resize(end - begin);
  for (uint32_t column : columns) {
    uint32_t *first = sorted_.data() + column * rows_;
    size_t left = begin, right = 0;
    for (size_t i = begin; i < end; ++i)
      if (goesLeft_[first[i]] != 0)
        first[left++] = first[i];
      else
        scratch_[right++] = first[i];
    std::copy_n(scratch_.begin(), right, first + left);
  }
}

/// A value as an unsigned number of the same order; one zero.
uint64_t orderedBits(double value) {
  const auto bits = std::bit_cast<uint64_t>(ordered(value) + 0.0);
  constexpr uint64_t kSign = uint64_t{1} << 63;
  return (bits & kSign) != 0 ? ~bits : bits | kSign;
}

struct SortKey {
  uint64_t value;
  uint32_t row;
};

/// Stable radix sort, least digit first; digits that all keys share are passed over.
void radixSort(std::vector<SortKey> &keys, std::vector<SortKey> &scratch) {
  constexpr unsigned kBits = 11, kBuckets = 1u << kBits;
  scratch.resize(keys.size());
  for (unsigned shift = 0; shift < 64; shift += kBits) {
    std::array<uint32_t, kBuckets> start{};
    for (const SortKey &key : keys)
      ++start[(key.value >> shift) % kBuckets];
    if (!keys.empty() && start[(keys.front().value >> shift) % kBuckets] == keys.size())
      continue;
    uint32_t sum = 0;
    for (uint32_t &count : start)
      sum += std::exchange(count, sum);
    for (const SortKey &key : keys)
      scratch[start[(key.value >> shift) % kBuckets]++] = key;
    keys.swap(scratch);
  }
}

} // namespace

ColumnOrder sortColumns(const Table &table) {
  ColumnOrder result;
  result.rows.reserve(table.rows * table.columns.size());
  std::vector<SortKey> keys(table.rows), scratch;
  for (size_t column = 0; column < table.columns.size(); ++column) {
    for (size_t row = 0; row < table.rows; ++row)
      keys[row] = {orderedBits(table.value(row, column)), static_cast<uint32_t>(row)};
    radixSort(keys, scratch);
    for (const SortKey &key : keys)
      result.rows.push_back(key.row);
  }
  return result;
}

Tree growTree(const Table &table,
              const ColumnOrder &order,
              const std::vector<int> &label,
              const TreeOptions &options,
              const std::vector<size_t> &rows) {
  return pruneTree(Grower(table, order, label, options, rows).grow(), options.alpha);
}

Tree growTree(const Table &table, const TreeOptions &options, const std::vector<size_t> &rows) {
  return growTree(table, sortColumns(table), table.label, options, rows);
}

int predict(const Tree &tree, const Table &table, size_t row) {
  if (tree.nodes.empty())
    return -1;
  size_t at = 0;
  while (tree.nodes[at].left >= 0) {
    const TreeNode &node = tree.nodes[at];
    at = static_cast<size_t>(table.value(row, node.column) <= node.threshold ? node.left
                                                                             : node.right);
  }
  return tree.nodes[at].label;
}

} // namespace perfidy
