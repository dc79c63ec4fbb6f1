// A table of named columns over runs: what the decision tree learns from.
//
// A column keeps its origin (an input feature, a declared parameter or a source region), so that no
// report looks back at a binary. Owned by the explainer.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace perfidy {

/// How the numbers of a declared parameter's column read.
struct ParameterReading {
  bool declared = false; ///< the rest counts only then
  bool integer = false;
  bool logarithmic = false; ///< the column holds log10 of the values; 0 lies below all others
  double low = 0, high = 0; ///< range of the values themselves
  int choice = -1;          ///< enumeration: the column says whether this value was chosen
  std::vector<std::string> choices = {};
};

/// Where a column comes from.
struct ColumnOrigin {
  std::string name; ///< readable quantity: "loop at inlines.c:1221, times per entry"
  std::string function, file;
  uint32_t line = 0;
  bool input = false; ///< input feature or declared parameter, not an internal count
  /// Ties between equally good splits go to the smaller rank (outermost source region first).
  uint32_t rank = 0;
  /// How a threshold reads: "{} runs more than {} times per entry"; first {} = subject, second =
  /// value.
  std::string subject, verb, unit;
  ParameterReading reading = {};
};

/// Rows x columns, dense, column-major: value(row, column) = data[column * rows + row].
struct Table {
  size_t rows = 0;
  std::vector<ColumnOrigin> columns;
  std::vector<double> data;
  std::vector<int> label; ///< cluster per row
  std::vector<int> group; ///< class (or program) per row: the unit that is held out
  int labels = 0;         ///< number of distinct labels

  double value(size_t row, size_t column) const { return data[column * rows + row]; }
};

/// Drops constant columns and merges identical ones (same values in every row; NaN equals NaN): the
/// one with the smallest rank, then the smallest index stands for the group; `merged[i]` lists the
/// names of the columns that were merged into column i of the result, without its own. The columns
/// that stay keep their order.
Table mergeColumns(const Table &table, std::vector<std::vector<std::string>> *merged = nullptr);

/// Table::group; if that is empty, every row is its own group.
std::vector<int> groupsOf(const Table &table);

/// Fold (0..folds-1) per row for grouped cross-validation: rows of one group share a fold, and the
/// groups of each label, rarest label first, are dealt over the folds in turn. Never more folds
/// than groups. Labels are passed apart from the table so that they can be permuted. Deterministic.
std::vector<int>
groupFolds(const std::vector<int> &label, const std::vector<int> &group, int folds);

} // namespace perfidy
