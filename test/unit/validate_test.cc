#include "explainer/validate.h"

#include <gtest/gtest.h>

namespace perfidy {
namespace {

/// Deterministic numbers 0 .. 99.99.
class Numbers {
public:
  double next() {
    state_ = state_ * 1664525u + 1013904223u;
    return (state_ >> 8) % 10000 / 100.0;
  }

private:
  uint32_t state_ = 5;
};

/// `groups` groups of `rows` rows, labels in turn. Column 0 tells the label if `telling`; column 1
/// is the same within a group and says nothing of the label; column 2 is noise.
Table makeTable(int groups, int rows, bool telling) {
  Table table;
  table.rows = static_cast<size_t>(groups * rows);
  table.columns.resize(3);
  table.labels = 2;
  std::vector<double> columns[3];
  Numbers numbers;
  for (int group = 0; group < groups; ++group) {
    const double mark = numbers.next();
    for (int row = 0; row < rows; ++row) {
      table.label.push_back(group % 2);
      table.group.push_back(group);
      columns[0].push_back(numbers.next() + (telling ? 200.0 * (group % 2) : 0.0));
      columns[1].push_back(mark + row * 0.001);
      columns[2].push_back(numbers.next());
    }
  }
  for (const auto &column : columns)
    table.data.insert(table.data.end(), column.begin(), column.end());
  return table;
}

TEST(BalancedAccuracy, IsTheMeanRecallOfTheLabelsPresent) {
  EXPECT_EQ(balancedAccuracy({0, 0, 0, 1}, {0, 0, 0, 0}, 2), 0.5);
  EXPECT_EQ(balancedAccuracy({0, 0, 0, 1}, {0, 0, 1, 1}, 5), (2.0 / 3 + 1) / 2);
  EXPECT_EQ(balancedAccuracy({2, 2}, {2, -1}, 3), 0.5);
  EXPECT_EQ(balancedAccuracy({}, {}, 3), -1);
  EXPECT_EQ(balancedAccuracy({-1}, {0}, 3), -1);
}

TEST(ValidateTree, SignalBeatsItsBaselines) {
  const Validation result = validateTree(makeTable(20, 4, true), {});
  EXPECT_EQ(result.heldOutClasses, 1);
  EXPECT_EQ(result.heldOutLow, 1);
  EXPECT_EQ(result.heldOutHigh, 1);
  EXPECT_EQ(result.randomSplit, 1);
  EXPECT_EQ(result.majority, 0.5);
  EXPECT_NEAR(result.permutation, 0.5, 0.15);
  EXPECT_EQ(result.classes, 20);
  EXPECT_EQ(result.runs, 80);
  EXPECT_TRUE(result.beatsBaselines);
  EXPECT_NE(result.verdict.find("100 % balanced accuracy"), std::string::npos) << result.verdict;
}

TEST(ValidateTree, MemorisedGroupsDoNotCount) {
  TreeOptions deep;
  deep.maxDepth = 12;
  const Validation result = validateTree(makeTable(24, 8, false), deep);
  EXPECT_GT(result.randomSplit, 0.9) << "column 1 gives each group away";
  EXPECT_LT(result.heldOutClasses, 0.8);
  EXPECT_FALSE(result.beatsBaselines) << result.verdict;
  EXPECT_LE(result.heldOutLow, result.heldOutClasses);
  EXPECT_GE(result.heldOutHigh, result.heldOutClasses);
  EXPECT_NE(result.verdict.find("no better than chance"), std::string::npos) << result.verdict;
}

TEST(ValidateTree, LabelWithOneGroupCannotBeValidated) {
  Table table = makeTable(9, 4, true);
  for (size_t row = 0; row < table.rows; ++row)
    table.label[row] = table.group[row] == 3 ? 1 : 0;
  const Validation result = validateTree(table, {});
  EXPECT_EQ(result.heldOutClasses, -1);
  EXPECT_FALSE(result.beatsBaselines);
  EXPECT_GE(result.randomSplit, 0);
  EXPECT_EQ(
      result.verdict.rfind("Cannot be tested on unseen classes: one side has a single class", 0),
      0u)
      << result.verdict;
}

TEST(ValidateTree, DegenerateTables) {
  EXPECT_EQ(validateTree(Table{}, {}).heldOutClasses, -1);
  EXPECT_EQ(validateTree(Table{}, {}).verdict, "There are no runs to learn from.");
  Table same = makeTable(6, 2, true);
  same.label.assign(same.rows, 0);
  const Validation result = validateTree(same, {});
  EXPECT_EQ(result.heldOutClasses, -1);
  EXPECT_EQ(result.majority, 1);
  EXPECT_FALSE(result.beatsBaselines);
  Table missing = makeTable(6, 2, true);
  missing.label[0] = -1;
  EXPECT_EQ(validateTree(missing, {}).heldOutClasses, -1);
  EXPECT_EQ(validateTree(makeTable(6, 2, true), {}, 1).heldOutClasses, -1);
}

TEST(ValidateTree, FewGroupsAreSaidToBeFew) {
  const Validation result = validateTree(makeTable(4, 3, true), {});
  EXPECT_EQ(result.heldOutClasses, 1);
  EXPECT_NE(result.verdict.find("only 4 classes"), std::string::npos) << result.verdict;
}

TEST(ValidateTree, WithoutGroupsEveryRowIsOne) {
  Table table = makeTable(20, 1, true);
  table.group.clear();
  const Validation result = validateTree(table, {});
  EXPECT_EQ(result.classes, 20);
  EXPECT_EQ(result.heldOutClasses, 1);
}

TEST(ValidateTree, GroupsWithSeveralLabels) {
  Table table = makeTable(8, 10, false);
  for (size_t row = 0; row < table.rows; ++row) {
    table.label[row] = static_cast<int>(row % 2);
    table.data[row] += 200.0 * static_cast<double>(row % 2);
  }
  const Validation result = validateTree(table, {});
  EXPECT_EQ(result.heldOutClasses, 1);
  EXPECT_NEAR(result.permutation, 0.5, 0.15);
  EXPECT_TRUE(result.beatsBaselines);
}

TEST(ValidateTree, SameAnswerEachTime) {
  TreeOptions deep;
  deep.maxDepth = 12;
  const Table table = makeTable(24, 8, false);
  const Validation one = validateTree(table, deep), two = validateTree(table, deep);
  EXPECT_EQ(one.permutation, two.permutation);
  EXPECT_EQ(one.heldOutLow, two.heldOutLow);
  EXPECT_EQ(one.randomSplit, two.randomSplit);
  EXPECT_EQ(one.verdict, two.verdict);
}

} // namespace
} // namespace perfidy
