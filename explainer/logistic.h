// Multinomial logistic regression with an L2 penalty: the linear model beside the trees.
//
// Columns are standardised on the training rows, missing values (NaN, infinities) replaced by the
// training rows' median. Fitted by L-BFGS (Nocedal 1980). Checked against scikit-learn's
// LogisticRegression (tests only). Owned by the explainer.
#pragma once

#include "explainer/table.h"

namespace perfidy {

struct LogisticOptions {
  double penalty = 1; ///< lambda of lambda/2 |w|² + sum of the rows' losses
  bool balanceClasses = true;
  int iterations = 150; ///< at most
};

struct Logistic {
  int labels = 0;
  std::vector<double> median, mean, scale; ///< per column
  std::vector<double> weights;             ///< labels x (columns + 1), row by row; last: intercept
};

/// Fits on the given rows (all when empty) with Table::label; rows with a negative label are left
/// out.
Logistic fitLogistic(const Table &table,
                     const LogisticOptions &options,
                     const std::vector<size_t> &rows = {});

/// Probability of each label.
std::vector<double> probabilities(const Logistic &model, const Table &table, size_t row);

} // namespace perfidy
