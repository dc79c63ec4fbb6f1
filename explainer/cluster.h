// Clusters of cost curves: classes whose cost functions cannot be told apart.
//
// Pure and deterministic; ties are broken by the smaller index. Owned by the explainer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

namespace perfidy {

/// Cost of one class on its sizes (log2 is taken inside). Sizes present in two curves are compared.
using CostCurve = std::map<uint64_t, double>;

/// Mean over the common sizes of |log2 cost_a - log2 cost_b|, the upper half of the common sizes
/// weighing double (small sizes are dominated by fixed costs). With no common size: infinity.
double curveDistance(const CostCurve &a, const CostCurve &b);

struct ClusterOptions {
  double minRatio = 2; ///< clusters whose costs differ by less than this factor everywhere are one
  int maxClusters = 8;
};

struct Clustering {
  std::vector<int>
      label; ///< per curve; labels 0..count-1, ascending by cost at the top common size
  int count = 0;
  std::vector<size_t>
      medoid;            ///< per cluster: the curve with the least total distance to the others
  double silhouette = 0; ///< mean, 0 for one cluster
};

/// Agglomerative, average linkage on curveDistance. The number of clusters is taken from the data:
/// the best mean silhouette among 2..maxClusters in which every two clusters' medoids differ by at
/// least minRatio (log2) at the upper sizes; if none qualifies (or silhouette < 0.5), one cluster.
/// One curve, or none, gives one (or no) cluster. Sources: Kaufman and Rousseeuw 1990.
Clustering clusterCurves(const std::vector<CostCurve> &curves, const ClusterOptions &options = {});

} // namespace perfidy
