#include "tools/training_splits.h"
#include "explainer/random.h"
#include "explainer/validate.h"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>

namespace perfidy {
namespace {

constexpr int kResamples = 2000;

/// Names to numbers in order of first appearance.
template <typename Name>
std::vector<int> numbered(const std::vector<TrainingRun> &runs, Name name) {
  std::map<std::string, int> known;
  std::vector<int> result;
  for (const TrainingRun &run : runs)
    result.push_back(known.emplace(name(run), static_cast<int>(known.size())).first->second);
  return result;
}

/// Rows dealt over the folds label by label after a shuffle.
std::vector<int>
stratified(const std::vector<int> &label, const std::vector<size_t> &rows, int folds) {
  std::vector<size_t> order = rows;
  Drawing random(17);
  for (size_t i = order.size(); i > 1; --i)
    std::swap(order[i - 1], order[random.below(i)]);
  std::stable_sort(
      order.begin(), order.end(), [&](size_t a, size_t b) { return label[a] < label[b]; });
  std::vector<int> fold(label.size(), -1);
  for (size_t i = 0; i < order.size(); ++i)
    fold[order[i]] = static_cast<int>(i % static_cast<size_t>(folds));
  return fold;
}

/// One Fold per number; rows with -1 are in none.
std::vector<Fold> foldsOf(const std::vector<int> &fold) {
  int count = 0;
  for (int value : fold)
    count = std::max(count, value + 1);
  std::vector<Fold> result(static_cast<size_t>(count));
  for (size_t row = 0; row < fold.size(); ++row)
    for (int i = 0; i < count && fold[row] >= 0; ++i)
      (fold[row] == i ? result[static_cast<size_t>(i)].test : result[static_cast<size_t>(i)].train)
          .push_back(row);
  return result;
}

std::vector<size_t> labelled(const std::vector<int> &label) {
  std::vector<size_t> rows;
  for (size_t row = 0; row < label.size(); ++row)
    if (label[row] >= 0)
      rows.push_back(row);
  return rows;
}

std::vector<Fold>
withinFolds(const std::vector<TrainingRun> &runs, const std::vector<int> &label, int folds) {
  const std::vector<int> program =
      numbered(runs, [](const TrainingRun &run) { return run.program; });
  std::map<int, std::vector<size_t>> rows;
  for (size_t row : labelled(label))
    rows[program[row]].push_back(row);
  std::vector<Fold> result;
  for (const auto &[number, own] : rows)
    for (Fold &fold : foldsOf(stratified(label, own, folds)))
      result.push_back(std::move(fold));
  return result;
}

std::vector<double> oneHot(int label, int labels) {
  std::vector<double> result(static_cast<size_t>(labels), 0);
  if (label >= 0)
    result[static_cast<size_t>(label)] = 1;
  return result;
}

} // namespace

std::vector<Fold>
groupedFolds(const std::vector<int> &label, const std::vector<int> &group, int folds) {
  const std::vector<size_t> rows = labelled(label);
  std::vector<int> labels, groups;
  for (size_t row : rows) {
    labels.push_back(label[row]);
    groups.push_back(group[row]);
  }
  const std::vector<int> found = groupFolds(labels, groups, folds);
  std::vector<int> fold(label.size(), -1);
  for (size_t i = 0; i < rows.size(); ++i)
    fold[rows[i]] = found[i];
  return foldsOf(fold);
}

std::vector<Fold> makeFolds(Split split,
                            const std::vector<TrainingRun> &runs,
                            const std::vector<int> &label,
                            int folds) {
  switch (split) {
  case Split::Row: return foldsOf(stratified(label, labelled(label), folds));
  case Split::Within: return withinFolds(runs, label, folds);
  case Split::Seed:
    return groupedFolds(
        label,
        numbered(runs, [](const TrainingRun &run) { return run.program + "\n" + run.operation; }),
        folds);
  case Split::Program:
    return groupedFolds(
        label, numbered(runs, [](const TrainingRun &run) { return run.program; }), folds);
  case Split::Family:
    return groupedFolds(
        label, numbered(runs, [](const TrainingRun &run) { return run.family; }), 1000);
  case Split::Operator: break;
  }
  return groupedFolds(
      label, numbered(runs, [](const TrainingRun &run) { return run.operation; }), folds);
}

Scores
heldOutScores(const Table &table, const std::vector<Fold> &folds, const LearnerOptions &options) {
  Scores scores(table.rows);
  int labels = table.labels;
  for (int label : table.label)
    labels = std::max(labels, label + 1);
  for (const Fold &fold : folds) {
    if (fold.train.empty())
      continue;
    if (options.learner == Learner::Forest) {
      const Forest forest = growForest(table, options.forest, fold.train);
      for (size_t row : fold.test)
        scores[row] = probabilities(forest, table, row);
    } else if (options.learner == Learner::Logistic) {
      const Logistic model = fitLogistic(table, options.logistic, fold.train);
      for (size_t row : fold.test)
        scores[row] = probabilities(model, table, row);
    } else {
      TreeOptions tree;
      tree.maxDepth = 12;
      tree.minLeaf = 5;
      const Tree grown = growTree(table, tree, fold.train);
      for (size_t row : fold.test)
        scores[row] = oneHot(predict(grown, table, row), labels);
    }
  }
  return scores;
}

std::vector<int> guesses(const Scores &scores) {
  std::vector<int> result;
  for (const std::vector<double> &score : scores)
    result.push_back(score.empty() ? -1
                                   : static_cast<int>(std::max_element(score.begin(), score.end()) -
                                                      score.begin()));
  return result;
}

Bootstrap::Bootstrap(std::vector<int> truth, std::vector<int> group, int labels)
    : truth_(std::move(truth)), group_(std::move(group)), labels_(static_cast<size_t>(labels)) {
  for (int value : group_)
    groups_ = std::max(groups_, static_cast<size_t>(value) + 1);
}

int Bootstrap::add(const std::vector<int> &guess) {
  std::vector<double> &counts = counts_.emplace_back(groups_ * labels_ * 2, 0.0);
  for (size_t row = 0; row < truth_.size(); ++row) {
    if (truth_[row] < 0 || guess[row] < 0)
      continue;
    const size_t place =
        (static_cast<size_t>(group_[row]) * labels_ + static_cast<size_t>(truth_[row])) * 2;
    counts[place] += 1;
    counts[place + 1] += guess[row] == truth_[row];
  }
  return static_cast<int>(counts_.size()) - 1;
}

double Bootstrap::at(size_t which, const std::vector<int> &times) const {
  double recalls = 0, present = 0;
  for (size_t label = 0; label < labels_; ++label) {
    double rows = 0, hits = 0;
    for (size_t group = 0; group < groups_; ++group) {
      const size_t place = (group * labels_ + label) * 2;
      rows += times[group] * counts_[which][place];
      hits += times[group] * counts_[which][place + 1];
    }
    recalls += rows > 0 ? hits / rows : 0;
    present += rows > 0 ? 1 : 0;
  }
  return present > 0 ? recalls / present : -1;
}

Figure Bootstrap::accuracy(int which) const { return combination({{1, which}}); }

Figure Bootstrap::combination(const std::vector<std::pair<double, int>> &terms) const {
  const auto value = [&](const std::vector<int> &times) {
    double sum = 0;
    for (const auto &[factor, which] : terms)
      sum += factor * at(static_cast<size_t>(which), times);
    return sum;
  };
  Figure figure;
  figure.value = value(std::vector<int>(groups_, 1));
  Drawing random(5);
  std::vector<double> samples;
  for (int i = 0; i < kResamples; ++i) {
    std::vector<int> times(groups_, 0);
    for (size_t k = 0; k < groups_; ++k)
      ++times[random.below(groups_)];
    samples.push_back(value(times));
  }
  std::sort(samples.begin(), samples.end());
  figure.low = samples[kResamples / 40];
  figure.high = samples[kResamples - 1 - kResamples / 40];
  return figure;
}

} // namespace perfidy
