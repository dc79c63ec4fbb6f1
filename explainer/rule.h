// The rule of a decision tree: its ways to the slow leaves, as people write conditions.
//
// Owned by the explainer. Pure.
#pragma once

#include "explainer/tree.h"

#include <string>

namespace perfidy {

/// The conjunctions that lead to the leaves of `label`, largest leaf first, joined by " or ";
/// leaves with less than a seventh of the label's rows are left out. Of several conditions on one
/// column the tightest stand; where all but one value of an enumeration are excluded, that one is
/// named. Empty for a tree without such a leaf or of one leaf only.
std::string ruleOf(const Tree &tree, const Table &table, int label);

} // namespace perfidy
