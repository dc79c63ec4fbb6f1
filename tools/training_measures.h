// Measures of the study: what tells programs apart, how abstaining pays, which classes are
// confused.
#pragma once

#include "tools/training_study.h"

namespace perfidy {

/// The groups of the labelled rows (label >= 0) in random order: groups of the same sizes without
/// structure. Others: 0.
std::vector<int> shuffled(const std::vector<int> &group, const std::vector<int> &label);

/// Median over the columns of the share of the ranks' variance that lies between the groups (rank
/// eta squared), over the labelled rows.
double medianEta(const Table &table, const std::vector<int> &group, const std::vector<int> &label);

/// The columns of both; rows as in a.
Table joinedTable(const Table &a, const Table &b);

/// Per class of fault typing: how often each class was guessed.
nlohmann::ordered_json recalls(const std::vector<int> &guess, const std::vector<int> &truth);

/// Per threshold on the largest probability: share of runs judged, and accuracy on them.
nlohmann::ordered_json coverage(const Scores &scores, const std::vector<int> &truth);

} // namespace perfidy
