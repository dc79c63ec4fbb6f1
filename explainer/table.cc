#include "explainer/table.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <unordered_map>
#include <utility>

namespace perfidy {
namespace {

/// Bits by which two values are the same value: one zero, one NaN.
uint64_t bitsOf(double value) {
  if (std::isnan(value))
    return std::bit_cast<uint64_t>(std::numeric_limits<double>::quiet_NaN());
  return std::bit_cast<uint64_t>(value + 0.0); // -0.0 + 0.0 is 0.0
}

/// One multiplication and rotation per value: enough to tell columns apart, since equal hashes are
/// compared value by value anyway.
uint64_t hashColumn(const double *column, size_t rows) {
  constexpr uint64_t kOdd = 0x9e3779b97f4a7c15u;
  uint64_t hash = kOdd;
  for (size_t row = 0; row < rows; ++row)
    hash = std::rotl((hash ^ bitsOf(column[row])) * kOdd, 29);
  return hash;
}

bool sameColumn(const double *a, const double *b, size_t rows) {
  for (size_t row = 0; row < rows; ++row)
    if (bitsOf(a[row]) != bitsOf(b[row]))
      return false;
  return true;
}

bool constantColumn(const double *column, size_t rows) {
  for (size_t row = 1; row < rows; ++row)
    if (bitsOf(column[row]) != bitsOf(column[0]))
      return false;
  return true;
}

/// The columns that are not constant, equal ones together, in order of their first appearance.
std::vector<std::vector<size_t>> equalColumns(const Table &table) {
  std::vector<std::vector<size_t>> result;
  std::unordered_map<uint64_t, std::vector<size_t>> byHash; // looked up only, never walked
  for (size_t column = 0; column < table.columns.size(); ++column) {
    const double *values = table.data.data() + column * table.rows;
    if (constantColumn(values, table.rows))
      continue;
    std::vector<size_t> &candidates = byHash[hashColumn(values, table.rows)];
    const auto found = std::find_if(candidates.begin(), candidates.end(), [&](size_t group) {
      return sameColumn(table.data.data() + result[group].front() * table.rows, values, table.rows);
    });
    if (found != candidates.end()) {
      result[*found].push_back(column);
      continue;
    }
    candidates.push_back(result.size());
    result.push_back({column});
  }
  return result;
}

} // namespace

Table mergeColumns(const Table &table, std::vector<std::vector<std::string>> *merged) {
  std::map<size_t, std::vector<size_t>> kept; // representative -> its group
  for (std::vector<size_t> &group : equalColumns(table)) {
    const size_t chosen = *std::min_element(group.begin(), group.end(), [&](size_t a, size_t b) {
      return std::pair(table.columns[a].rank, a) < std::pair(table.columns[b].rank, b);
    });
    kept.emplace(chosen, std::move(group));
  }
  Table result;
  result.rows = table.rows;
  result.label = table.label;
  result.group = table.group;
  result.labels = table.labels;
  result.columns.reserve(kept.size());
  result.data.reserve(kept.size() * table.rows);
  if (merged != nullptr)
    merged->clear();
  for (const auto &[chosen, group] : kept) {
    result.columns.push_back(table.columns[chosen]);
    const auto first = table.data.begin() + static_cast<std::ptrdiff_t>(chosen * table.rows);
    result.data.insert(result.data.end(), first, first + static_cast<std::ptrdiff_t>(table.rows));
    if (merged == nullptr)
      continue;
    std::vector<std::string> &names = merged->emplace_back();
    for (size_t column : group)
      if (column != chosen)
        names.push_back(table.columns[column].name);
  }
  return result;
}

std::vector<int> groupsOf(const Table &table) {
  std::vector<int> result = table.group;
  if (result.empty()) {
    result.resize(table.rows);
    std::iota(result.begin(), result.end(), 0);
  }
  return result;
}

std::vector<int>
groupFolds(const std::vector<int> &label, const std::vector<int> &group, int folds) {
  std::map<int, std::map<int, size_t>> rowsOf; // group -> label -> rows
  for (size_t row = 0; row < label.size(); ++row)
    ++rowsOf[group[row]][label[row]];
  std::map<int, std::vector<int>> members; // most frequent label of a group -> groups
  for (const auto &[id, rows] : rowsOf) {
    const auto most = std::max_element(
        rows.begin(), rows.end(), [](const auto &a, const auto &b) { return a.second < b.second; });
    members[most->first].push_back(id);
  }
  std::vector<std::pair<size_t, int>> rarestFirst;
  rarestFirst.reserve(members.size());
  for (const auto &[id, groups] : members)
    rarestFirst.emplace_back(groups.size(), id);
  std::sort(rarestFirst.begin(), rarestFirst.end());
  const int count = std::max(1, std::min(folds, static_cast<int>(rowsOf.size())));
  std::map<int, int> foldOf;
  int next = 0; // runs on from label to label, so that the folds stay equally large
  for (const auto &[size, id] : rarestFirst)
    for (int member : members[id])
      foldOf[member] = next++ % count;
  std::vector<int> result;
  result.reserve(label.size());
  for (size_t row = 0; row < label.size(); ++row)
    result.push_back(foldOf[group[row]]);
  return result;
}

} // namespace perfidy
