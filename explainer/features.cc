#include "explainer/features.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <fmt/format.h>
#include <set>

namespace perfidy {
namespace {

Table emptyTable(const std::vector<LabelledRun> &rows, int clusters) {
  Table table;
  table.rows = rows.size();
  table.labels = clusters;
  for (const LabelledRun &row : rows) {
    table.label.push_back(row.cluster);
    table.group.push_back(row.runClass);
  }
  return table;
}

void addColumn(Table &table, ColumnOrigin origin, const std::vector<double> &values) {
  table.columns.push_back(std::move(origin));
  table.data.insert(table.data.end(), values.begin(), values.end());
}

double inputFeature(const Run &run, const std::string &name) {
  auto parameter = run.parameters.find(name);
  if (parameter != run.parameters.end())
    return parameter->second;
  auto tag = run.tags.find(kInputFeaturePrefix + name);
  return tag == run.tags.end() ? 0 : std::strtod(tag->second.c_str(), nullptr);
}

// Executed blocks over all rows, so that columns that never ran are not built.
std::vector<bool> executedBlocks(const Trace &trace, const std::vector<LabelledRun> &rows) {
  std::vector<bool> executed(trace.blockTotal);
  for (const LabelledRun &row : rows)
    for (const auto &[index, count] : trace.runs[row.run].blocks)
      executed[index] = true;
  return executed;
}

class InternalColumns {
public:
  InternalColumns(const Trace &trace, const std::vector<LabelledRun> &rows, Table &table)
      : trace(trace), rows(rows), table(table), executed(executedBlocks(trace, rows)) {}

  void add() {
    for (const Function &function : trace.functions) {
      if (!executed[function.firstBlock])
        continue;
      addEntries(function);
      for (const Loop &loop : function.loops)
        if (executed[function.firstBlock + loop.header])
          addLoop(function, loop);
    }
  }

private:
  std::vector<double> perSize(uint32_t block) const {
    std::vector<double> values;
    for (const LabelledRun &row : rows) {
      const Run &run = trace.runs[row.run];
      values.push_back(double(countOf(run.blocks, block)) /
                       double(std::max<uint64_t>(run.size, 1)));
    }
    return values;
  }

  void addEntries(const Function &function) {
    ColumnOrigin origin;
    origin.name = fmt::format("calls of {} per unit of size", function.display);
    origin.function = function.display;
    origin.file = function.file;
    origin.line = function.line;
    origin.subject = function.display;
    origin.verb = "is called";
    origin.unit = "times per unit of size";
    addColumn(table, origin, perSize(function.firstBlock));
  }

  void addLoop(const Function &function, const Loop &loop) {
    ColumnOrigin origin;
    uint32_t line = loop.line ? loop.line : function.line;
    origin.function = function.display;
    origin.file = function.file;
    origin.line = line;
    origin.rank = loop.depth;
    origin.subject = fmt::format("loop at {}:{}", baseName(function.file), line);
    origin.verb = "runs";
    origin.unit = "times per unit of size";
    origin.name = origin.subject + ", executions per unit of size";
    addColumn(table, origin, perSize(function.firstBlock + loop.header));
    if (loop.preheader == kNone)
      return;
    origin.unit = "times per entry";
    origin.name = origin.subject + ", executions per entry";
    std::vector<double> values;
    for (const LabelledRun &row : rows) {
      const Run &run = trace.runs[row.run];
      double entries = double(countOf(run.blocks, function.firstBlock + loop.preheader));
      double count = double(countOf(run.blocks, function.firstBlock + loop.header));
      values.push_back(entries > 0 ? count / entries : 0);
    }
    addColumn(table, origin, values);
  }

  const Trace &trace;
  const std::vector<LabelledRun> &rows;
  Table &table;
  std::vector<bool> executed;
};

// Smallest magnitude of a log-scaled parameter other than 0 (perfidy.h).
double smallestMagnitude(double low, double high) { return low > 0 ? low : high * 1e-18; }

void addParameter(const Trace &trace,
                  const std::vector<LabelledRun> &rows,
                  const std::string &name,
                  const DeclaredParameter &declared,
                  Table &table) {
  if (declared.kind == ParameterKind::Scale)
    return;
  ColumnOrigin origin;
  origin.name = origin.subject = name;
  origin.verb = "is";
  origin.input = true;
  origin.reading = {true,
                    declared.kind == ParameterKind::Integer,
                    declared.kind == ParameterKind::Log,
                    declared.low,
                    declared.high};
  std::vector<double> values;
  for (const LabelledRun &row : rows)
    values.push_back(inputFeature(trace.runs[row.run], name));
  if (declared.kind == ParameterKind::Log)
    for (double &value : values)
      value = value > 0 ? std::log10(value)
                        : std::log10(smallestMagnitude(declared.low, declared.high)) - 1;
  if (declared.kind != ParameterKind::Enum)
    return addColumn(table, origin, values);
  origin.reading.choices = declared.values;
  // The second of two values says nothing that the first does not.
  const size_t columns = declared.values.size() == 2 ? 1 : declared.values.size();
  for (size_t choice = 0; choice < columns; ++choice) {
    origin.reading.choice = static_cast<int>(choice);
    std::vector<double> chosen;
    for (double value : values)
      chosen.push_back(value == double(choice));
    addColumn(table, origin, chosen);
  }
}

std::string shortNumber(double value) {
  return value >= 100 && value < 1e6 ? fmt::format("{:.0f}", value) : fmt::format("{:.3g}", value);
}

std::string parameterCondition(const ColumnOrigin &origin, double threshold, bool above) {
  const ParameterReading &reading = origin.reading;
  const std::string &name = origin.subject;
  if (reading.choice >= 0) {
    const std::string &value = reading.choices[static_cast<size_t>(reading.choice)];
    if (!above && reading.choices.size() == 2)
      return fmt::format("{} = {}", name, reading.choices[1 - static_cast<size_t>(reading.choice)]);
    return fmt::format("{} {} {}", name, above ? "=" : "is not", value);
  }
  if (reading.integer) {
    const double below = std::floor(threshold);
    if (above)
      return below + 1 >= reading.high ? fmt::format("{} = {:.0f}", name, reading.high)
                                       : fmt::format("{} > {:.0f}", name, below);
    return below <= reading.low ? fmt::format("{} = {:.0f}", name, reading.low)
                                : fmt::format("{} <= {:.0f}", name, below);
  }
  double value = threshold;
  if (reading.logarithmic) {
    if (threshold < std::log10(smallestMagnitude(reading.low, reading.high)) - 0.01)
      return name + (above ? " > 0" : " = 0");
    value = std::pow(10, threshold);
  }
  return fmt::format("{} {} {}", name, above ? ">" : "<=", shortNumber(value));
}

} // namespace

Table inputTable(const Trace &trace, const std::vector<LabelledRun> &rows, int clusters) {
  Table table = emptyTable(rows, clusters);
  std::set<std::string> names;
  size_t prefix = std::strlen(kInputFeaturePrefix);
  const std::map<std::string, DeclaredParameter> declared = declaredParameters(trace);
  for (const LabelledRun &row : rows) {
    for (const auto &[name, value] : trace.runs[row.run].parameters)
      names.insert(name);
    for (const auto &[key, value] : trace.runs[row.run].tags)
      if (key.compare(0, prefix, kInputFeaturePrefix) == 0)
        names.insert(key.substr(prefix));
  }
  for (const std::string &name : names) {
    if (auto known = declared.find(name); known != declared.end()) {
      addParameter(trace, rows, name, known->second, table);
      continue;
    }
    ColumnOrigin origin;
    origin.name = origin.subject = name;
    origin.verb = "is";
    origin.input = true;
    std::vector<double> values;
    for (const LabelledRun &row : rows)
      values.push_back(inputFeature(trace.runs[row.run], name));
    addColumn(table, origin, values);
  }
  return table;
}

Table internalTable(const Trace &trace, const std::vector<LabelledRun> &rows, int clusters) {
  Table table = emptyTable(rows, clusters);
  InternalColumns(trace, rows, table).add();
  return table;
}

std::string baseName(const std::string &path) { return path.substr(path.find_last_of('/') + 1); }

std::string conditionText(const ColumnOrigin &origin, double threshold, bool above) {
  if (origin.reading.declared)
    return parameterCondition(origin, threshold, above);
  std::string value =
      threshold >= 100 ? fmt::format("{:.0f}", threshold) : fmt::format("{:.3g}", threshold);
  return fmt::format("{} {} {} {}{}{}",
                     origin.subject,
                     origin.verb,
                     above ? "more than" : "at most",
                     value,
                     origin.unit.empty() ? "" : " ",
                     origin.unit);
}

} // namespace perfidy
