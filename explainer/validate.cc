#include "explainer/validate.h"
#include "explainer/random.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <numeric>
#include <set>
#include <tuple>
#include <utility>

namespace perfidy {
namespace {

constexpr int kResamples = 1000;
constexpr int kPermutations = 20;
/// Below this many groups the bootstrap cannot show how much another sample would differ.
constexpr int kFewGroups = 10;

/// What every split of the validation has in common. No label is negative.
struct Study {
  const Table &table;
  const TreeOptions &options;
  ColumnOrder order;
  std::vector<int> group;
  int labels = 0; ///< labels are 0 .. labels - 1
  int folds = 0;
};

/// Predictions of trees that have not seen the row's fold.
std::vector<int> heldOutPredictions(const Study &study,
                                    const std::vector<int> &label,
                                    const std::vector<int> &fold) {
  std::vector<int> result(label.size(), -1);
  const std::set<int> folds(fold.begin(), fold.end());
  for (int held : folds) {
    std::vector<size_t> train;
    for (size_t row = 0; row < label.size(); ++row)
      if (fold[row] != held)
        train.push_back(row);
    if (train.empty()) // one fold: nothing to learn from, and no rows would mean all rows
      continue;
    const Tree tree = growTree(study.table, study.order, label, study.options, train);
    for (size_t row = 0; row < label.size(); ++row)
      if (fold[row] == held)
        result[row] = predict(tree, study.table, row);
  }
  return result;
}

double groupedAccuracy(const Study &study, const std::vector<int> &label) {
  const std::vector<int> fold = groupFolds(label, study.group, study.folds);
  return balancedAccuracy(label, heldOutPredictions(study, label, fold), study.labels);
}

/// Row by row, stratified by label.
double randomAccuracy(const Study &study) {
  const std::vector<int> &label = study.table.label;
  std::vector<size_t> rows(label.size());
  std::iota(rows.begin(), rows.end(), size_t{0});
  Drawing(1).shuffle(rows);
  std::stable_sort(
      rows.begin(), rows.end(), [&](size_t a, size_t b) { return label[a] < label[b]; });
  std::vector<int> fold(label.size(), 0);
  for (size_t i = 0; i < rows.size(); ++i)
    fold[rows[i]] = static_cast<int>(i % static_cast<size_t>(study.folds));
  return balancedAccuracy(label, heldOutPredictions(study, label, fold), study.labels);
}

using RowsByGroup = std::map<int, std::vector<size_t>>;

RowsByGroup rowsByGroup(const std::vector<int> &group) {
  RowsByGroup result;
  for (size_t row = 0; row < group.size(); ++row)
    result[group[row]].push_back(row);
  return result;
}

bool oneLabelEach(const RowsByGroup &groups, const std::vector<int> &label) {
  return std::all_of(groups.begin(), groups.end(), [&](const auto &entry) {
    const std::vector<size_t> &rows = entry.second;
    return std::all_of(
        rows.begin(), rows.end(), [&](size_t row) { return label[row] == label[rows[0]]; });
  });
}

std::vector<int> permutedLabels(const Study &study, const RowsByGroup &groups, Drawing &shuffler) {
  const std::vector<int> &label = study.table.label;
  std::vector<int> result = label;
  std::vector<int> pool;
  if (oneLabelEach(groups, label)) {
    for (const auto &[group, rows] : groups)
      pool.push_back(label[rows[0]]);
    shuffler.shuffle(pool);
    size_t next = 0;
    for (const auto &[group, rows] : groups) {
      for (size_t row : rows)
        result[row] = pool[next];
      ++next;
    }
    return result;
  }
  for (const auto &[group, rows] : groups) {
    pool.clear();
    for (size_t row : rows)
      pool.push_back(label[row]);
    shuffler.shuffle(pool);
    for (size_t i = 0; i < rows.size(); ++i)
      result[rows[i]] = pool[i];
  }
  return result;
}

double permutationBaseline(const Study &study, const RowsByGroup &groups) {
  Drawing shuffler(2);
  double sum = 0;
  for (int i = 0; i < kPermutations; ++i)
    sum += groupedAccuracy(study, permutedLabels(study, groups, shuffler));
  return sum / kPermutations;
}

/// 2.5 and 97.5 % of the balanced accuracy over groups drawn with replacement (Efron's percentile
/// interval). The predictions stay as they are: what varies is which groups one happened to have.
std::pair<double, double> bootstrapInterval(const Study &study,
                                            const RowsByGroup &groups,
                                            const std::vector<int> &predicted) {
  const auto labels = static_cast<size_t>(study.labels);
  std::vector<std::vector<double>> counts; // per group: rows, then hits, by label
  for (const auto &[group, rows] : groups) {
    std::vector<double> &count = counts.emplace_back(2 * labels, 0.0);
    for (size_t row : rows) {
      const auto truth = static_cast<size_t>(study.table.label[row]);
      count[truth] += 1;
      count[labels + truth] += predicted[row] == study.table.label[row] ? 1 : 0;
    }
  }
  Drawing shuffler(3);
  std::vector<double> accuracies;
  for (int sample = 0; sample < kResamples; ++sample) {
    std::vector<double> total(2 * labels, 0.0);
    for (size_t i = 0; i < counts.size(); ++i) {
      const std::vector<double> &drawn = counts[shuffler.below(counts.size())];
      for (size_t j = 0; j < total.size(); ++j)
        total[j] += drawn[j];
    }
    double recalls = 0, present = 0;
    for (size_t label = 0; label < labels; ++label) {
      recalls += total[label] > 0 ? total[labels + label] / total[label] : 0;
      present += total[label] > 0 ? 1 : 0;
    }
    accuracies.push_back(recalls / present);
  }
  std::sort(accuracies.begin(), accuracies.end());
  return {accuracies[kResamples / 40], accuracies[kResamples - 1 - kResamples / 40]};
}

/// Why whole groups cannot be held out; empty when they can.
std::string obstacle(const std::vector<int> &label, const std::vector<int> &group, int folds) {
  std::map<int, std::set<int>> members;
  for (size_t row = 0; row < label.size(); ++row)
    members[label[row]].insert(group[row]);
  if (members.empty())
    return "There are no runs to learn from.";
  if (members.size() < 2)
    return "All runs belong to one cluster: there is nothing to tell apart.";
  if (folds < 2)
    return "Fewer than two folds were asked for: nothing can be held out.";
  if (members.begin()->first < 0)
    return "Some runs have no cluster: leave them out of the table.";
  for (const auto &[value, groups] : members)
    if (groups.size() < 2)
      return "Cannot be tested on unseen classes: one side has a single class, and holding it out "
             "leaves nothing to learn it from.";
  return {};
}

std::string verdictOf(const Validation &validation) {
  const double chance = std::max(validation.majority, validation.permutation);
  const std::string numbers =
      fmt::format("{:.0f} % balanced accuracy on classes never seen (95 % interval {:.0f} to "
                  "{:.0f} %), {:.0f} % by chance",
                  100 * validation.heldOutClasses,
                  100 * validation.heldOutLow,
                  100 * validation.heldOutHigh,
                  100 * chance);
  const std::string few =
      validation.classes < kFewGroups
          ? fmt::format("; only {} classes, so the interval is optimistic", validation.classes)
          : std::string();
  return validation.beatsBaselines
             ? "The tree holds beyond the classes it was grown on: " + numbers + few + "."
             : "The tree is no better than chance and explains nothing: " + numbers + few + ".";
}

} // namespace

double
balancedAccuracy(const std::vector<int> &truth, const std::vector<int> &predicted, int labels) {
  std::vector<double> rows(static_cast<size_t>(std::max(labels, 0)), 0.0), hits = rows;
  for (size_t i = 0; i < truth.size(); ++i) {
    const auto label = static_cast<size_t>(truth[i]);
    if (label >= rows.size())
      continue;
    rows[label] += 1;
    hits[label] += predicted[i] == truth[i] ? 1 : 0;
  }
  double recalls = 0, present = 0;
  for (size_t label = 0; label < rows.size(); ++label) {
    recalls += rows[label] > 0 ? hits[label] / rows[label] : 0;
    present += rows[label] > 0 ? 1 : 0;
  }
  return present > 0 ? recalls / present : -1;
}

Validation validateTree(const Table &table, const TreeOptions &options, int folds) {
  Validation result;
  const std::vector<int> group = groupsOf(table);
  const RowsByGroup groups = rowsByGroup(group);
  result.classes = static_cast<int>(groups.size());
  result.runs = static_cast<int>(table.rows);
  const std::set<int> labels(table.label.begin(), table.label.end());
  if (!labels.empty())
    result.majority = 1.0 / static_cast<double>(labels.size());
  result.verdict = obstacle(table.label, group, folds);
  if (labels.size() < 2 || folds < 2 || *labels.begin() < 0)
    return result;
  const Study study{table,
                    options,
                    sortColumns(table),
                    group,
                    std::max(table.labels, *labels.rbegin() + 1),
                    folds};
  result.randomSplit = randomAccuracy(study);
  if (!result.verdict.empty())
    return result;
  const std::vector<int> predicted =
      heldOutPredictions(study, table.label, groupFolds(table.label, group, folds));
  result.heldOutClasses = balancedAccuracy(table.label, predicted, study.labels);
  std::tie(result.heldOutLow, result.heldOutHigh) = bootstrapInterval(study, groups, predicted);
  result.permutation = permutationBaseline(study, groups);
  result.beatsBaselines = result.heldOutLow > std::max(result.majority, result.permutation);
  result.verdict = verdictOf(result);
  return result;
}

} // namespace perfidy
