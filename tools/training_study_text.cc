#include "tools/escape.h"
#include "tools/training_study.h"

#include <fmt/ostream.h>

namespace perfidy {
namespace {

using Json = nlohmann::ordered_json;

/// A table of texts: how both writers see the study.
struct Grid {
  std::string title;
  std::vector<std::vector<std::string>> rows; ///< first: heads
};

std::string cell(const Json &value) {
  if (value.is_object() && value.contains("low"))
    return fmt::format("{:.3f} [{:.3f}, {:.3f}]",
                       value["value"].get<double>(),
                       value["low"].get<double>(),
                       value["high"].get<double>());
  if (value.is_number_float())
    return fmt::format("{:.3f}", value.get<double>());
  return value.is_string() ? value.get<std::string>() : value.dump();
}

/// An array of objects with the same keys.
Grid gridOf(const std::string &title, const Json &rows) {
  Grid grid{title, {}};
  for (const Json &row : rows) {
    std::vector<std::string> heads, cells;
    for (const auto &[key, value] : row.items()) {
      heads.push_back(key);
      cells.push_back(cell(value));
    }
    if (grid.rows.empty())
      grid.rows.push_back(heads);
    grid.rows.push_back(cells);
  }
  return grid;
}

/// An object, a row for each key.
Grid listOf(const std::string &title, const Json &object) {
  Grid grid{title, {{"", ""}}};
  for (const auto &[key, value] : object.items())
    if (!value.is_array() && !(value.is_object() && !value.contains("low") &&
                               !value.contains("verdict") && value.size() > 8))
      grid.rows.push_back({key,
                           value.contains("verdict") ? value["verdict"].get<std::string>() + ": " +
                                                           value["why"].get<std::string>()
                                                     : cell(value)});
  return grid;
}

std::vector<Grid> grids(const Json &study) {
  std::vector<Grid> result{listOf("Corpus", study.at("corpus")),
                           listOf("Verdicts", study.at("verdicts")),
                           listOf("Scored on programs that no choice has seen", study.at("scored")),
                           gridOf("Fault typing, balanced accuracy by split", study.at("typing")),
                           listOf("What the gap comes from", study.at("structure")),
                           gridOf("Instability triage from epochs 0 to 4", study.at("triage"))};
  if (study.contains("mismatch"))
    result.push_back(
        gridOf("Training and validation mismatch from epochs 0 to 4", study.at("mismatch")));
  result.push_back(gridOf("Abstention: share of runs judged, and accuracy on them",
                          study.at("scored").at("coverage")));
  return result;
}

} // namespace

void writeStudyText(const Json &study, std::ostream &out) {
  fmt::print(out, "{}\n", study.at("statement").get<std::string>());
  for (const Grid &grid : grids(study)) {
    fmt::print(out, "\n{}\n", grid.title);
    std::vector<size_t> widths;
    for (const auto &row : grid.rows)
      for (size_t i = 0; i < row.size(); ++i) {
        widths.resize(std::max(widths.size(), row.size()), 0);
        widths[i] = std::max(widths[i], row[i].size());
      }
    for (const auto &row : grid.rows) {
      std::string line;
      for (size_t i = 0; i < row.size(); ++i)
        line += fmt::format("  {:{}}", row[i], i + 1 < row.size() ? widths[i] : 0);
      fmt::print(out, "{}\n", line);
    }
  }
}

void writeStudyHtml(const Json &study, std::ostream &out) {
  fmt::print(
      out,
      "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta "
      "http-equiv=\"Content-Security-Policy\" "
      "content=\"default-src 'none'; style-src 'unsafe-inline'\"><title>Perfidy: diagnosis of "
      "training programs</title>\n"
      "<style>body{{font:15px sans-serif;margin:2em auto;max-width:90em;color-scheme:light dark}}"
      "table{{border-collapse:collapse;display:block;overflow-x:auto}}"
      "td,th{{border-bottom:1px solid #8888;padding:.3em "
      ".7em;text-align:left}}</style></head><body>\n"
      "<h1>Diagnosis of training programs</h1>\n<p>{}</p>\n",
      htmlText(study.at("statement").get<std::string>()));
  for (const Grid &grid : grids(study)) {
    fmt::print(out, "<h2>{}</h2>\n<table>\n", htmlText(grid.title));
    for (size_t i = 0; i < grid.rows.size(); ++i) {
      const char *tag = i == 0 ? "th" : "td";
      std::string line;
      for (const std::string &text : grid.rows[i])
        line += fmt::format("<{0}>{1}</{0}>", tag, htmlText(text));
      fmt::print(out, "<tr>{}</tr>\n", line);
    }
    fmt::print(out, "</table>\n");
  }
  fmt::print(out, "</body></html>\n");
}

} // namespace perfidy
