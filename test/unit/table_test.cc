#include "explainer/table.h"

#include <chrono>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <map>
#include <set>

namespace perfidy {
namespace {

struct Column {
  std::string name;
  uint32_t rank;
  std::vector<double> values;
};

Table makeTable(const std::vector<Column> &columns) {
  Table table;
  table.rows = columns.empty() ? 0 : columns.front().values.size();
  for (const Column &column : columns) {
    ColumnOrigin &origin = table.columns.emplace_back();
    origin.name = column.name;
    origin.rank = column.rank;
    table.data.insert(table.data.end(), column.values.begin(), column.values.end());
  }
  return table;
}

std::vector<std::string> names(const Table &table) {
  std::vector<std::string> result;
  for (const ColumnOrigin &column : table.columns)
    result.push_back(column.name);
  return result;
}

TEST(MergeColumns, ConstantGoesAndEqualMerge) {
  Table table = makeTable({{"a", 5, {1, 2, 3}},
                           {"constant", 0, {7, 7, 7}},
                           {"b", 2, {1, 2, 4}},
                           {"a again", 5, {1, 2, 3}},
                           {"a outermost", 1, {1, 2, 3}}});
  table.label = {0, 1, 1};
  table.group = {4, 5, 6};
  table.labels = 2;
  std::vector<std::vector<std::string>> merged = {{"left over"}};
  const Table result = mergeColumns(table, &merged);
  EXPECT_EQ(names(result), (std::vector<std::string>{"b", "a outermost"}));
  EXPECT_EQ(result.data, (std::vector<double>{1, 2, 4, 1, 2, 3}));
  ASSERT_EQ(merged.size(), 2u);
  EXPECT_TRUE(merged[0].empty());
  EXPECT_EQ(merged[1], (std::vector<std::string>{"a", "a again"}));
  EXPECT_EQ(result.label, table.label);
  EXPECT_EQ(result.group, table.group);
  EXPECT_EQ(result.labels, 2);
  EXPECT_EQ(result.value(2, 1), 3);
}

TEST(MergeColumns, EqualRanksGoToTheFirst) {
  const Table result = mergeColumns(makeTable({{"x", 3, {0, 1}}, {"y", 3, {0, 1}}}));
  EXPECT_EQ(names(result), std::vector<std::string>{"x"});
}

TEST(MergeColumns, EmptyAndOneRow) {
  EXPECT_EQ(mergeColumns(Table{}).columns.size(), 0u);
  EXPECT_EQ(mergeColumns(makeTable({{"a", 0, {1}}, {"b", 0, {2}}})).columns.size(), 0u);
}

TEST(MergeColumns, ZeroHasOneSignAndNanEqualsNan) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  std::vector<std::vector<std::string>> merged;
  const Table result = mergeColumns(makeTable({{"zero", 0, {0.0, 1}},
                                               {"minus zero", 0, {-0.0, 1}},
                                               {"constant zero", 0, {0.0, -0.0}},
                                               {"nan", 0, {nan, 1}},
                                               {"other nan", 0, {-nan, 1}},
                                               {"all nan", 0, {nan, nan}}}),
                                    &merged);
  EXPECT_EQ(names(result), (std::vector<std::string>{"zero", "nan"}));
  EXPECT_EQ(merged[0], std::vector<std::string>{"minus zero"});
  EXPECT_EQ(merged[1], std::vector<std::string>{"other nan"});
}

TEST(MergeColumns, ManyColumnsInSeconds) {
  constexpr size_t kRows = 1000, kColumns = 10000;
  Table table;
  table.rows = kRows;
  table.columns.resize(kColumns);
  table.data.resize(kRows * kColumns);
  for (size_t column = 0; column < kColumns; ++column)
    for (size_t row = 0; row < kRows; ++row) // pairs of equal columns, all with the same beginning
      table.data[column * kRows + row] = row < 900 ? 1.0 : static_cast<double>(column / 2 * row);
  const auto start = std::chrono::steady_clock::now();
  const Table result = mergeColumns(table);
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  EXPECT_EQ(result.columns.size(), kColumns / 2);
  // Comparing all pairs would take minutes even where this limit is generous.
  EXPECT_LT(seconds.count(), 20);
}

TEST(GroupFolds, GroupsStayWholeAndLabelsAreSpread) {
  std::vector<int> label, group;
  for (int id = 0; id < 12; ++id)
    for (int row = 0; row < 1 + id % 3; ++row) {
      group.push_back(100 - id);
      label.push_back(id < 2 ? 1 : 0);
    }
  const std::vector<int> fold = groupFolds(label, group, 4);
  std::map<int, std::set<int>> foldsOf;
  for (size_t row = 0; row < fold.size(); ++row)
    foldsOf[group[row]].insert(fold[row]);
  std::map<int, int> size;
  for (const auto &[id, folds] : foldsOf) {
    EXPECT_EQ(folds.size(), 1u);
    ++size[*folds.begin()];
  }
  EXPECT_EQ(size.size(), 4u);
  for (const auto &[id, groups] : size)
    EXPECT_EQ(groups, 3);
  EXPECT_NE(*foldsOf[100].begin(), *foldsOf[99].begin()) << "the two groups of the rare label";
}

TEST(GroupFolds, DegenerateCases) {
  EXPECT_TRUE(groupFolds({}, {}, 5).empty());
  EXPECT_EQ(groupFolds({0, 1}, {3, 3}, 5), (std::vector<int>{0, 0}));
  EXPECT_EQ(groupFolds({0, 1}, {3, 4}, 0), (std::vector<int>{0, 0}));
  Table table;
  table.rows = 3;
  EXPECT_EQ(groupsOf(table), (std::vector<int>{0, 1, 2}));
}

} // namespace
} // namespace perfidy
