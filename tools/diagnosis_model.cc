#include "tools/diagnosis_model.h"
#include "explainer/validate.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <set>

namespace perfidy {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr int kFolds = 10, kTrees = 120;
constexpr int kWindows[] = {3, 5, 8};

std::vector<std::string> namesOf(const Table &table) {
  std::vector<std::string> names;
  for (const ColumnOrigin &origin : table.columns)
    names.push_back(origin.name);
  return names;
}

double quantile(std::vector<double> values, double share) {
  if (values.empty())
    return kNaN;
  std::sort(values.begin(), values.end());
  return values[static_cast<size_t>(share * static_cast<double>(values.size() - 1))];
}

std::vector<double> valuesOf(const Table &table, size_t column, int label) {
  std::vector<double> values;
  for (size_t row = 0; row < table.rows; ++row)
    if (table.label[row] == label && std::isfinite(table.value(row, column)))
      values.push_back(table.value(row, column));
  return values;
}

void learnUsual(const Table &table, DiagnosisModel &model) {
  for (size_t label = 0; label < kVerdicts.size(); ++label)
    for (size_t column = 0; column < table.columns.size(); ++column)
      model.medians.push_back(quantile(valuesOf(table, column, static_cast<int>(label)), 0.5));
  for (size_t column = 0; column < table.columns.size(); ++column) {
    const std::vector<double> clean =
        valuesOf(table, column, static_cast<int>(kVerdicts.size()) - 1);
    model.cleanLow.push_back(quantile(clean, 0.05));
    model.cleanHigh.push_back(quantile(clean, 0.95));
  }
}

/// Pool adjacent violators: the share that is right never falls as the score rises.
std::vector<DiagnosisModel::Step> calibrated(std::vector<std::pair<double, bool>> judged) {
  std::sort(judged.begin(), judged.end());
  struct Pool {
    double score, right, count;
  };
  std::vector<Pool> pools;
  for (const auto &[score, right] : judged) {
    pools.push_back({score, right ? 1.0 : 0.0, 1});
    while (pools.size() > 1) {
      const Pool &last = pools.back(), &before = pools[pools.size() - 2];
      if (before.right / before.count < last.right / last.count)
        break;
      const Pool both{before.score, before.right + last.right, before.count + last.count};
      pools.pop_back();
      pools.back() = both;
    }
  }
  std::vector<DiagnosisModel::Step> steps;
  double above = 0;
  for (size_t i = pools.size(); i-- > 0;) {
    above += pools[i].count;
    // Laplace's rule keeps a small pool from claiming certainty.
    steps.push_back(
        {pools[i].score, (pools[i].right + 1) / (pools[i].count + 2), static_cast<int>(above)});
  }
  std::reverse(steps.begin(), steps.end());
  return steps;
}

ForestOptions forestOptions() {
  ForestOptions options = DiagnosisChoice().forest;
  options.trees = kTrees;
  return options;
}

LearnerOptions heldOutOptions() {
  LearnerOptions options;
  options.forest = forestOptions();
  options.forest.trees = kTrees / 2;
  return options;
}

EarlyModel trainEarly(const std::vector<TrainingRun> &corpus, int window) {
  EarlyModel model;
  model.window = window;
  Table table = earlyTable(corpus, window);
  table.label = triageLabels(corpus, {window, 1.5, true});
  table.labels = 2;
  LearnerOptions options;
  options.forest = DiagnosisChoice().earlyForest;
  const Scores scores =
      heldOutScores(table, groupedFolds(table.label, table.group, kFolds), options);
  std::vector<int> truth, found;
  double clean = 0, alarms = 0;
  for (size_t row = 0; row < table.rows; ++row) {
    if (table.label[row] < 0 || scores[row].size() < 2)
      continue;
    const bool alarm = scores[row][1] >= DiagnosisChoice().alarm;
    truth.push_back(table.label[row]);
    found.push_back(alarm);
    clean += corpus[row].clean;
    alarms += corpus[row].clean && alarm;
  }
  model.accuracy = balancedAccuracy(truth, found, 2);
  model.falseAlarms = clean > 0 ? alarms / clean : -1;
  model.forest = {namesOf(table), growForest(table, options.forest)};
  return model;
}

} // namespace

std::vector<int> verdictLabels(const std::vector<TrainingRun> &runs) {
  std::vector<int> labels;
  for (const TrainingRun &run : runs) {
    const auto found = std::find(kFaultClasses.begin(), kFaultClasses.end(), run.fault);
    int label = static_cast<int>(found - kFaultClasses.begin()); // behind the last: "other"
    if (run.clean)
      label = static_cast<int>(kVerdicts.size()) - 1;
    else if (run.fault.empty() || !run.killed)
      label = -1;
    labels.push_back(label);
  }
  return labels;
}

Table diagnosisTable(const std::vector<TrainingRun> &runs, bool reference) {
  FeatureOptions options;
  options.sets = DiagnosisChoice().sets;
  Table table = featureTable(runs, options);
  if (!reference)
    return table;
  options.scaling = Scaling::CleanReference;
  Table relative = featureTable(runs, options);
  for (ColumnOrigin &origin : relative.columns)
    origin.name += " (against clean runs)";
  table.columns.insert(table.columns.end(), relative.columns.begin(), relative.columns.end());
  table.data.insert(table.data.end(), relative.data.begin(), relative.data.end());
  return table;
}

Table earlyTable(const std::vector<TrainingRun> &runs, int window) {
  FeatureOptions options;
  options.sets = DiagnosisChoice().earlySets;
  options.window = window;
  return featureTable(runs, options);
}

DiagnosisModel trainDiagnosis(const std::vector<TrainingRun> &corpus, bool reference) {
  DiagnosisModel model;
  model.reference = reference;
  Table table = diagnosisTable(corpus, reference);
  table.label = verdictLabels(corpus);
  table.labels = static_cast<int>(kVerdicts.size());
  const std::set<int> groups(table.group.begin(), table.group.end());
  const std::set<int> labels(table.label.begin(), table.label.end());
  if (groups.size() < 2 || labels.size() - labels.count(-1) < 2)
    throw Error("The corpus to learn from needs runs of at least two programs and two classes, "
                "tagged 'program' "
                "and 'fault' ('none' for clean ones).");
  model.programs = static_cast<int>(groups.size());
  model.traces = static_cast<int>(corpus.size());
  model.typing = {namesOf(table), growForest(table, forestOptions())};
  learnUsual(table, model);
  const Scores scores =
      heldOutScores(table, groupedFolds(table.label, table.group, kFolds), heldOutOptions());
  const std::vector<int> guess = guesses(scores);
  std::vector<std::pair<double, bool>> judged;
  std::vector<int> truth, found;
  for (size_t row = 0; row < table.rows; ++row) {
    if (table.label[row] < 0 || guess[row] < 0)
      continue;
    judged.emplace_back(scores[row][static_cast<size_t>(guess[row])],
                        guess[row] == table.label[row]);
    truth.push_back(table.label[row]);
    found.push_back(guess[row]);
  }
  model.calibration = calibrated(std::move(judged));
  model.heldOut = balancedAccuracy(truth, found, table.labels);
  for (int window : kWindows)
    model.early.push_back(trainEarly(corpus, window));
  return model;
}

Table aligned(const Table &table, const std::vector<std::string> &columns) {
  std::map<std::string, size_t> at;
  for (size_t column = 0; column < table.columns.size(); ++column)
    at[table.columns[column].name] = column;
  Table result;
  result.rows = table.rows;
  result.label = table.label;
  result.group = table.group;
  for (const std::string &name : columns) {
    const auto found = at.find(name);
    result.columns.emplace_back().name = name;
    for (size_t row = 0; row < table.rows; ++row)
      result.data.push_back(found == at.end() ? kNaN : table.value(row, found->second));
  }
  return result;
}

} // namespace perfidy
