// One dear run against cheaper runs of about its size: an explanation without growth.
//
// For inputs that no pattern stands for: one size is all there is, so nothing is said about how
// cost grows. Owned by the explainer.
#pragma once

#include "explainer/explain.h"

#include <optional>

namespace perfidy {

/// Compares run `dear` with the best contrast among the other complete runs of the same size: of
/// those that show a good part of the largest gap, the one whose executed blocks are most alike.
/// Kind "timeout" when the dear run is censored (explained from its partial counts; the gap is a
/// lower bound, and without a contrast the counts alone are explained), else "outlier". None when
/// no run of its size is cheaper by options.minRatio.
std::optional<Finding>
explainOutlier(const Trace &trace, size_t dear, const ExplainOptions &options = {});

} // namespace perfidy
