// Features: runs -> table for the decision tree, first over inputs, then over internals.
#pragma once

#include "explainer/classes.h"
#include "explainer/table.h"

namespace perfidy {

/// A run with its cluster and class.
struct LabelledRun {
  size_t run = 0; ///< index into Trace::runs
  int cluster = 0, runClass = 0;
};

/// Tags with this prefix are numeric features of the input ("input.entropy").
inline constexpr const char *kInputFeaturePrefix = "input.";

/// Columns: parameters by name and input features. Of those declared with a kind, an enumeration
/// has one column per value, log-scaled ones hold their logarithm, and scales are left out: runs of
/// equal size are compared.
Table inputTable(const Trace &trace, const std::vector<LabelledRun> &rows, int clusters);

/// Columns: loops' executions per entry, loops' and functions' executions per unit of size.
Table internalTable(const Trace &trace, const std::vector<LabelledRun> &rows, int clusters);

/// File name without its folders.
std::string baseName(const std::string &path);

/// Condition of a split as people read it: "loop at inlines.c:1221 runs more than 31 times per
/// entry", "kernel = linear", "C > 31". `above` is the branch taken (value > threshold) or its
/// opposite.
std::string conditionText(const ColumnOrigin &origin, double threshold, bool above);

} // namespace perfidy
