#include "tools/import_series.h"
#include "runtime/series.h"
#include "runtime/trace.h"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>
#include <vector>

namespace perfidy {
namespace {

/// One line of a log: column and value.
using Line = std::vector<std::pair<std::string, double>>;

/// A number, or NaN for an empty field and for what logs write for one that is not finite.
double numberOf(const std::string &text, const std::string &where) {
  size_t used = 0;
  try {
    if (text.find_first_not_of(" \t\r") == std::string::npos)
      return std::numeric_limits<double>::quiet_NaN();
    const double value = std::stod(text, &used);
    if (text.find_first_not_of(" \t\r", used) == std::string::npos)
      return value;
  } catch (const std::out_of_range &) {
    return std::numeric_limits<double>::infinity();
  } catch (const std::invalid_argument &) {
  }
  throw Error(fmt::format(
      "{}: '{}' is no number. A log has one line per epoch and numbers only.", where, text));
}

std::vector<std::string> fieldsOf(const std::string &line) {
  const char separator =
      line.find('\t') != std::string::npos                                         ? '\t'
      : line.find(',') == std::string::npos && line.find(';') != std::string::npos ? ';'
                                                                                   : ',';
  std::vector<std::string> fields(1);
  bool quoted = false;
  for (char c : line) {
    if (c == '"')
      quoted = !quoted;
    else if (c == separator && !quoted)
      fields.emplace_back();
    else if (c != '\r')
      fields.back() += c;
  }
  return fields;
}

Line csvLine(const std::vector<std::string> &heads,
             const std::string &text,
             const std::string &where) {
  const std::vector<std::string> fields = fieldsOf(text);
  if (fields.size() != heads.size())
    throw Error(fmt::format(
        "{}: {} fields, but the head line names {}.", where, fields.size(), heads.size()));
  Line line;
  for (size_t i = 0; i < fields.size(); ++i)
    line.emplace_back(heads[i], numberOf(fields[i], where));
  return line;
}

Line jsonLine(const std::string &text, const std::string &where) {
  const nlohmann::ordered_json object = nlohmann::ordered_json::parse(text, nullptr, false);
  if (!object.is_object())
    throw Error(
        fmt::format("{}: is not a JSON object. JSON lines have one object per epoch.", where));
  Line line;
  for (const auto &[key, value] : object.items())
    if (value.is_number() || value.is_null())
      line.emplace_back(
          key, value.is_null() ? std::numeric_limits<double>::quiet_NaN() : value.get<double>());
    else if (value.is_string())
      line.emplace_back(key, numberOf(value.get<std::string>(), where));
  return line;
}

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) {
    return c == ' ' || c == '-' || c == '/' ? '_' : static_cast<char>(std::tolower(c));
  });
  return text;
}

bool isStep(const std::string &column) {
  const std::string name = lower(column);
  return name == "epoch" || name == "step" || name == "iteration";
}

} // namespace

std::string seriesName(const std::string &column) {
  static const std::map<std::string, std::string> known{{"loss", "base.train_loss"},
                                                        {"train_loss", "base.train_loss"},
                                                        {"training_loss", "base.train_loss"},
                                                        {"val_loss", "base.val_loss"},
                                                        {"validation_loss", "base.val_loss"},
                                                        {"valid_loss", "base.val_loss"},
                                                        {"test_loss", "base.val_loss"},
                                                        {"acc", "base.train_score"},
                                                        {"accuracy", "base.train_score"},
                                                        {"train_acc", "base.train_score"},
                                                        {"train_accuracy", "base.train_score"},
                                                        {"val_acc", "base.val_score"},
                                                        {"val_accuracy", "base.val_score"},
                                                        {"validation_accuracy", "base.val_score"},
                                                        {"test_acc", "base.val_score"},
                                                        {"lr", "step.rate"},
                                                        {"learning_rate", "step.rate"},
                                                        {"grad_norm", "base.grad_max"},
                                                        {"gradient_norm", "base.grad_max"},
                                                        {"weight_norm", "base.theta_norm"},
                                                        {"param_norm", "base.theta_norm"}};
  const auto found = known.find(lower(column));
  return found == known.end() ? column : found->second;
}

void importSeries(const ImportCommand &command) {
  std::ifstream file(command.log);
  if (!file)
    throw Error(fmt::format("{}: cannot be opened. Give a CSV or JSON-lines log.", command.log));
  std::vector<std::string> heads;
  std::vector<Line> lines;
  size_t number = 0;
  for (std::string text; std::getline(file, text);) {
    const std::string where = fmt::format("{}:{}", command.log, ++number);
    const size_t begin = text.find_first_not_of(" \t\r");
    if (begin == std::string::npos)
      continue;
    if (heads.empty() && text[begin] == '{')
      lines.push_back(jsonLine(text, where));
    else if (heads.empty() && lines.empty())
      heads = fieldsOf(text);
    else
      lines.push_back(csvLine(heads, text, where));
  }
  if (lines.empty())
    throw Error(fmt::format("{}: holds no epoch. Give a CSV with a head line, or JSON lines.",
                            command.log));
  SeriesRecorder recorder(command.output);
  for (const auto &[key, value] :
       {std::pair{"program", command.program}, {"fault", command.fault}, {"clean", command.clean}})
    if (!value.empty())
      recorder.tag(key, value);
  for (size_t i = 0; i < lines.size(); ++i) {
    double step = static_cast<double>(i);
    for (const auto &[column, value] : lines[i])
      step = isStep(column) ? value : step;
    for (const auto &[column, value] : lines[i])
      if (!isStep(column))
        recorder.point(seriesName(column), step, value);
  }
}

} // namespace perfidy
