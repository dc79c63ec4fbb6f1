// Honest validation: accuracy with whole groups held out, beside the baselines.
//
// Owned by the explainer. Deterministic: the shuffles use a fixed-seed generator of our own.
#pragma once

#include "explainer/findings.h"
#include "explainer/tree.h"

namespace perfidy {

/// Mean over labels present in `truth` of the recall. Rows: same length. -1 when empty.
double
balancedAccuracy(const std::vector<int> &truth, const std::vector<int> &predicted, int labels);

/// Group-wise held-out accuracy (leave whole groups out, at most `folds` folds, groups of rare
/// labels spread over folds), interval by bootstrap over groups (1,000 resamples), random-split
/// accuracy (stratified, the same number of folds), majority baseline (1 / labels in balanced
/// accuracy) and permutation baseline (labels permuted between groups, mean of 20; where groups
/// hold several labels, permuted between the rows of each group, so that only what a group does not
/// tell is put to the test). An empty Table::group means that every row is its own group. A label
/// with only one group cannot be validated: heldOutClasses is then -1 and the verdict says so.
/// Fills everything but `runs` semantics stated in findings.h. beatsBaselines: heldOutLow >
/// max(majority, permutation).
Validation validateTree(const Table &table, const TreeOptions &options, int folds = 5);

} // namespace perfidy
