#include "tools/training_features.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <fmt/format.h>
#include <limits>
#include <set>

namespace perfidy {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr std::array kSummaries{"mean", "std", "min", "max", "last", "slope", "first"};
/// Of most sets only the first six: they are what other studies use.
constexpr size_t kUsualSummaries = 6;

/// Series that are not positive quantities with a scale; everything else of base, act, step and
/// check is taken by its logarithm.
const std::set<std::string> &plainSeries() {
  static const std::set<std::string> names{
      "base.train_score",          "base.val_score",    "base.grad_zero_share",
      "base.theta_big_share",      "act.mean",          "act.dead_share",
      "act.saturated_share",       "act.zero_share",    "free.cos_descent",
      "free.cos_before",           "free.moment_ratio", "check.weight_likeness",
      "check.unit_negative_share", "check.unit_max",    "check.unit_min",
      "check.unit_linearity",      "check.unit_slope",  "check.loss_slope_cosine",
      "check.output_max",          "check.output_min",  "check.output_negative_share",
      "check.output_zero_share",   "check.confidence",  "check.class_spread"};
  return names;
}

std::string setOf(const std::string &series) { return series.substr(0, series.find('.')); }

std::vector<std::string> traceFiles(const std::vector<std::string> &paths) {
  std::vector<std::string> files;
  for (const std::string &path : paths) {
    if (!std::filesystem::is_directory(path)) {
      files.push_back(path);
      continue;
    }
    std::vector<std::string> inside;
    for (const auto &entry : std::filesystem::recursive_directory_iterator(path)) {
      const std::string name = entry.path().string();
      if (name.ends_with(".trace") || name.ends_with(".trace.gz"))
        inside.push_back(name);
    }
    std::sort(inside.begin(), inside.end());
    files.insert(files.end(), inside.begin(), inside.end());
  }
  return files;
}

std::string tagOr(const Run &run, const char *key, const std::string &otherwise) {
  const auto found = run.tags.find(key);
  return found == run.tags.end() ? otherwise : found->second;
}

TrainingRun described(Run &run, const std::string &file) {
  TrainingRun result;
  result.file = file;
  result.program = tagOr(run, "program", std::filesystem::path(file).stem().stem().string());
  result.family = tagOr(run, "family", "unknown");
  result.fault = tagOr(run, "fault", "");
  result.operation = tagOr(run, "operator", result.fault);
  result.clean = result.fault == "none" || tagOr(run, "clean", "no") == "yes";
  result.killed = tagOr(run, "killed", "yes") == "yes" && !result.clean;
  result.died = tagOr(run, "ended", "") == "died";
  const auto seed = run.parameters.find("seed");
  result.seed = seed == run.parameters.end() ? -1 : seed->second;
  for (Series &series : run.series)
    result.series.emplace(series.name, std::move(series));
  return result;
}

/// Value of a series at an epoch, on its scale, or NaN.
struct Points {
  std::vector<double> step, value;
};

Points pointsOf(const Series &series, const FeatureOptions &options) {
  Points points;
  double start = kNaN;
  for (size_t i = 0; i < series.value.size(); ++i) {
    const double value = onScale(series.name, series.value[i]);
    if (!std::isfinite(value) || (options.window > 0 && series.step[i] >= options.window))
      continue;
    start = points.value.empty() ? value : start;
    points.step.push_back(series.step[i]);
    points.value.push_back(options.scaling == Scaling::ToStart ? value - start : value);
  }
  return points;
}

std::array<double, kSummaries.size()> summaries(const Points &points) {
  const size_t count = points.value.size();
  if (count == 0)
    return {kNaN, kNaN, kNaN, kNaN, kNaN, kNaN, kNaN};
  double mean = 0, middle = 0, squares = 0, both = 0, spread = 0;
  for (size_t i = 0; i < count; ++i) {
    mean += points.value[i] / static_cast<double>(count);
    middle += points.step[i] / static_cast<double>(count);
  }
  for (size_t i = 0; i < count; ++i) {
    squares += (points.value[i] - mean) * (points.value[i] - mean);
    both += (points.step[i] - middle) * (points.value[i] - mean);
    spread += (points.step[i] - middle) * (points.step[i] - middle);
  }
  const auto [least, most] = std::minmax_element(points.value.begin(), points.value.end());
  return {mean,
          std::sqrt(squares / static_cast<double>(count)),
          *least,
          *most,
          points.value.back(),
          spread > 0 ? both / spread : 0,
          points.value.front()};
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const size_t half = values.size() / 2;
  return values.size() % 2 ? values[half] : (values[half - 1] + values[half]) / 2;
}

/// Where and how widely the clean runs lie; `sigma` is the column's deviation over all of them.
double standardised(double value, const std::vector<double> &clean, double sigma) {
  if (clean.size() < 2 || !std::isfinite(value))
    return kNaN;
  const double middle = median(clean);
  std::vector<double> distances;
  for (double other : clean)
    distances.push_back(std::abs(other - middle));
  const double result = (value - middle) / (1.4826 * median(distances) + 0.1 * sigma + 1e-12);
  // Far is far: beyond this only the sign says something.
  return std::clamp(result, -100.0, 100.0);
}

double deviationOf(const std::vector<double> &values) {
  double mean = 0, squares = 0;
  for (double value : values)
    mean += value / static_cast<double>(values.size());
  for (double value : values)
    squares += (value - mean) * (value - mean) / static_cast<double>(values.size());
  return std::sqrt(squares);
}

void applyReference(Table &table, const std::vector<TrainingRun> &runs) {
  std::map<int, std::vector<size_t>> cleanRows;
  for (size_t row = 0; row < runs.size(); ++row)
    if (runs[row].clean)
      cleanRows[table.group[row]].push_back(row);
  for (size_t column = 0; column < table.columns.size(); ++column) {
    const std::vector<double> before(
        table.data.begin() + static_cast<std::ptrdiff_t>(column * table.rows),
        table.data.begin() + static_cast<std::ptrdiff_t>((column + 1) * table.rows));
    // Spread of clean values around their program's median: what is usual for this quantity.
    std::vector<double> spread;
    for (const auto &[group, rows] : cleanRows) {
      std::vector<double> values;
      for (size_t row : rows)
        if (std::isfinite(before[row]))
          values.push_back(before[row]);
      for (double value : values)
        spread.push_back(value - median(values));
    }
    const double sigma = spread.empty() ? 0 : deviationOf(spread);
    for (size_t row = 0; row < table.rows; ++row) {
      std::vector<double> clean;
      for (size_t other : cleanRows[table.group[row]])
        if (other != row && std::isfinite(before[other]))
          clean.push_back(before[other]);
      table.data[column * table.rows + row] = standardised(before[row], clean, sigma);
    }
  }
}

void addColumn(Table &table, const std::string &name, const std::vector<double> &values) {
  ColumnOrigin &origin = table.columns.emplace_back();
  origin.name = name;
  origin.input = true;
  table.data.insert(table.data.end(), values.begin(), values.end());
}

void addSeries(Table &table,
               const std::vector<TrainingRun> &runs,
               const std::string &name,
               const FeatureOptions &options) {
  const size_t used = setOf(name) == "check" ? kSummaries.size() : kUsualSummaries;
  std::vector<std::vector<double>> columns(used);
  for (const TrainingRun &run : runs) {
    const auto found = run.series.find(name);
    const auto values =
        summaries(found == run.series.end() ? Points{} : pointsOf(found->second, options));
    for (size_t i = 0; i < used; ++i)
      columns[i].push_back(values[i]);
  }
  for (size_t i = 0; i < used; ++i)
    addColumn(table, fmt::format("{}, {}", name, kSummaries[i]), columns[i]);
}

/// Did it die, and after how many epochs did it end? Nothing of that is known early.
void addRunColumns(Table &table,
                   const std::vector<TrainingRun> &runs,
                   const FeatureOptions &options) {
  if (options.window > 0)
    return;
  std::vector<double> died, epochs;
  for (const TrainingRun &run : runs) {
    double last = 0;
    for (const auto &[name, series] : run.series)
      last = std::max(last, series.step.empty() ? 0 : series.step.back());
    died.push_back(run.died);
    epochs.push_back(last);
  }
  addColumn(table, "run, died", died);
  addColumn(table, "run, epochs", epochs);
}

} // namespace

double onScale(const std::string &series, double value) {
  if (!std::isfinite(value))
    return kNaN;
  const std::string set = setOf(series);
  if (set == "curv" || set == "edge")
    return std::copysign(std::log10(1 + 1e4 * std::abs(value)), value);
  if (plainSeries().count(series) > 0)
    return std::clamp(value, -1e6, 1e6);
  return std::log10(std::max(value, 1e-9));
}

std::vector<TrainingRun> readTrainingRuns(const std::vector<std::string> &paths) {
  std::vector<TrainingRun> runs;
  for (const std::string &file : traceFiles(paths)) {
    Trace trace = readTrace(file);
    for (Run &run : trace.runs)
      if (!run.series.empty())
        runs.push_back(described(run, file));
  }
  if (runs.empty())
    throw Error("No training run with series in what was given. Record one with runtime/series.h, "
                "or import a "
                "log with 'perfidy import'.");
  return runs;
}

Table featureTable(const std::vector<TrainingRun> &runs, const FeatureOptions &options) {
  Table table;
  table.rows = runs.size();
  table.label.assign(runs.size(), -1);
  std::map<std::string, int> groups;
  std::set<std::string> names;
  for (const TrainingRun &run : runs) {
    table.group.push_back(
        groups.emplace(run.program, static_cast<int>(groups.size())).first->second);
    for (const auto &[name, series] : run.series)
      if (std::find(options.sets.begin(), options.sets.end(), setOf(name)) != options.sets.end())
        names.insert(name);
  }
  addRunColumns(table, runs, options);
  for (const std::string &name : names)
    addSeries(table, runs, name, options);
  if (options.scaling == Scaling::CleanReference)
    applyReference(table, runs);
  return table;
}

} // namespace perfidy
