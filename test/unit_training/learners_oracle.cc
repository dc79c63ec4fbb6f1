// The C++ side of learners_oracle.py: fits one model to each question and answers with predictions.
//
//   forest|logistic|tree TRAIN TEST COLUMNS LABELS, then TRAIN + TEST lines of COLUMNS values and a
//   label -> one line of predictions for the test rows
#include "explainer/forest.h"
#include "explainer/logistic.h"
#include "tools/training_splits.h"

#include <fmt/format.h>
#include <iostream>

int main() {
  using namespace perfidy;
  std::string kind;
  size_t train = 0, test = 0, columns = 0;
  Table table;
  while (std::cin >> kind >> train >> test >> columns >> table.labels) {
    table.rows = train + test;
    table.columns.assign(columns, {});
    table.data.assign(table.rows * columns, 0);
    table.label.assign(table.rows, 0);
    for (size_t row = 0; row < table.rows; ++row) {
      for (size_t column = 0; column < columns; ++column)
        std::cin >> table.data[column * table.rows + row];
      std::cin >> table.label[row];
    }
    Fold fold;
    for (size_t row = 0; row < table.rows; ++row)
      (row < train ? fold.train : fold.test).push_back(row);
    LearnerOptions options;
    options.learner = kind == "forest"     ? Learner::Forest
                      : kind == "logistic" ? Learner::Logistic
                                           : Learner::Tree;
    options.forest.trees = 200;
    options.logistic.penalty = 1;
    const std::vector<int> guess = guesses(heldOutScores(table, {fold}, options));
    for (size_t row : fold.test)
      fmt::print("{} ", guess[row]);
    fmt::print("\n");
  }
  return 0;
}
