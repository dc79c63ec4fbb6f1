#include "explainer/cluster.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>

namespace perfidy {
namespace {

/// (size, log2 cost), ascending. The unit of cost is one instruction: less than one counts as one.
using LogCurve = std::vector<std::pair<uint64_t, double>>;
using Groups = std::vector<std::vector<size_t>>;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
/// Stands for the distance of curves without a common size: no 64-bit costs are further apart.
constexpr double kFar = 64;
constexpr double kLeastSilhouette = 0.5;
constexpr double kTie = 1e-12;

LogCurve logCurve(const CostCurve &curve) {
  LogCurve result;
  for (const auto &[size, cost] : curve)
    if (std::isfinite(cost))
      result.emplace_back(size, std::log2(std::max(cost, 1.0)));
  return result;
}

/// log2 cost_a - log2 cost_b at the common sizes, ascending by size.
std::vector<double> differences(const LogCurve &a, const LogCurve &b) {
  std::vector<double> result;
  size_t i = 0, j = 0;
  while (i < a.size() && j < b.size()) {
    if (a[i].first == b[j].first)
      result.push_back(a[i++].second - b[j++].second);
    else
      ++(a[i].first < b[j].first ? i : j);
  }
  return result;
}

double distanceOf(const LogCurve &a, const LogCurve &b) {
  const std::vector<double> difference = differences(a, b);
  double sum = 0, weights = 0;
  for (size_t i = 0; i < difference.size(); ++i) {
    const double weight = i >= difference.size() / 2 ? 2 : 1;
    sum += weight * std::abs(difference[i]);
    weights += weight;
  }
  return weights > 0 ? sum / weights : kInfinity;
}

/// Symmetric, dense.
class Distances {
public:
  explicit Distances(size_t count) : count_(count), values_(count * count, 0) {}
  double operator()(size_t a, size_t b) const { return values_[a * count_ + b]; }
  void set(size_t a, size_t b, double value) {
    values_[a * count_ + b] = value;
    values_[b * count_ + a] = value;
  }
  size_t count() const { return count_; }

private:
  size_t count_;
  std::vector<double> values_;
};

Distances allDistances(const std::vector<LogCurve> &curves) {
  Distances result(curves.size());
  for (size_t a = 0; a < curves.size(); ++a)
    for (size_t b = a + 1; b < curves.size(); ++b)
      result.set(a, b, std::min(kFar, distanceOf(curves[a], curves[b])));
  return result;
}

/// Average linkage. Each living cluster goes by its smallest member and remembers its nearest
/// cluster of greater index, so that most merges look at one row only.
class Agglomeration {
public:
  explicit Agglomeration(const Distances &distances)
      : between_(distances), members_(distances.count()), nearest_(distances.count(), 0),
        living_(distances.count()) {
    for (size_t i = 0; i < members_.size(); ++i)
      members_[i] = {i};
    for (size_t i = 0; i < members_.size(); ++i)
      findNearest(i);
  }

  size_t count() const { return living_; }

  Groups groups() const {
    Groups result;
    for (const std::vector<size_t> &cluster : members_)
      if (!cluster.empty())
        result.push_back(cluster);
    return result;
  }

  void mergeNearest() {
    size_t a = members_.size();
    for (size_t i = 0; i < members_.size(); ++i)
      if (nearest_[i] != i &&
          (a == members_.size() || between_(i, nearest_[i]) < between_(a, nearest_[a])))
        a = i;
    const size_t b = nearest_[a];
    const auto sizeA = static_cast<double>(members_[a].size());
    const auto sizeB = static_cast<double>(members_[b].size());
    for (size_t i = 0; i < members_.size(); ++i)
      if (!members_[i].empty() && i != a && i != b)
        between_.set(a, i, (sizeA * between_(a, i) + sizeB * between_(b, i)) / (sizeA + sizeB));
    members_[a].insert(members_[a].end(), members_[b].begin(), members_[b].end());
    std::sort(members_[a].begin(), members_[a].end());
    members_[b].clear();
    --living_;
    for (size_t i = 0; i < members_.size(); ++i)
      if (i == a || i == b || nearest_[i] == a || nearest_[i] == b)
        findNearest(i);
      else if (!members_[i].empty() && i < a && between_(i, a) < between_(i, nearest_[i]))
        nearest_[i] = a;
  }

private:
  /// Itself where there is none: dead, or the last living cluster.
  void findNearest(size_t i) {
    nearest_[i] = i;
    for (size_t j = i + 1; j < members_.size() && !members_[i].empty(); ++j)
      if (!members_[j].empty() && (nearest_[i] == i || between_(i, j) < between_(i, nearest_[i])))
        nearest_[i] = j;
  }

  Distances between_;
  Groups members_;
  std::vector<size_t> nearest_;
  size_t living_;
};

double meanDistance(const Distances &distances, size_t from, const std::vector<size_t> &to) {
  double sum = 0;
  for (size_t other : to)
    sum += distances(from, other);
  return sum / static_cast<double>(to.size());
}

/// Mean silhouette. A cluster of one has no inner distance; the usual value of 0 would hide the
/// commonest case, one slow input against the rest. It gets the spread that a cluster may have
/// unnoticed, half of the ratio that counts as a difference.
double meanSilhouette(const Distances &distances, const Groups &groups, double minLogRatio) {
  double sum = 0;
  for (size_t own = 0; own < groups.size(); ++own)
    for (size_t curve : groups[own]) {
      const auto size = static_cast<double>(groups[own].size());
      const double inner = groups[own].size() == 1
                               ? minLogRatio / 2
                               : meanDistance(distances, curve, groups[own]) * size / (size - 1);
      double outer = kInfinity;
      for (size_t other = 0; other < groups.size(); ++other)
        if (other != own)
          outer = std::min(outer, meanDistance(distances, curve, groups[other]));
      const double larger = std::max(inner, outer);
      sum += larger > 0 ? (outer - inner) / larger : 0;
    }
  return sum / static_cast<double>(distances.count());
}

size_t medoidOf(const Distances &distances, const std::vector<size_t> &members) {
  size_t best = members.front();
  double least = kInfinity;
  for (size_t candidate : members) {
    const double total = meanDistance(distances, candidate, members);
    if (total < least - kTie) {
      least = total;
      best = candidate;
    }
  }
  return best;
}

std::vector<size_t> medoidsOf(const Distances &distances, const Groups &groups) {
  std::vector<size_t> result;
  result.reserve(groups.size());
  for (const std::vector<size_t> &members : groups)
    result.push_back(medoidOf(distances, members));
  return result;
}

/// Largest |log2 ratio| over the upper half of the common sizes; nothing without a common size.
std::optional<double> upperRatio(const LogCurve &a, const LogCurve &b) {
  const std::vector<double> difference = differences(a, b);
  std::optional<double> result;
  for (size_t i = difference.size() / 2; i < difference.size(); ++i)
    result = std::max(result.value_or(0), std::abs(difference[i]));
  return result;
}

/// Whether every two medoids that can be compared differ enough, and at least two can be compared.
bool allDiffer(const std::vector<LogCurve> &curves,
               const std::vector<size_t> &medoids,
               double minLogRatio) {
  bool compared = false;
  for (size_t a = 0; a < medoids.size(); ++a)
    for (size_t b = a + 1; b < medoids.size(); ++b) {
      const std::optional<double> ratio = upperRatio(curves[medoids[a]], curves[medoids[b]]);
      if (ratio && *ratio < minLogRatio - kTie)
        return false;
      compared = compared || ratio;
    }
  return compared;
}

/// log2 cost of each medoid at the largest size that all have; at its own largest if there is none.
std::vector<double> costAtTop(const std::vector<LogCurve> &curves,
                              const std::vector<size_t> &medoids) {
  std::map<uint64_t, size_t> seen;
  for (size_t medoid : medoids)
    for (const auto &point : curves[medoid])
      ++seen[point.first];
  std::optional<uint64_t> top;
  for (const auto &[size, times] : seen)
    top = times == medoids.size() ? size : top;
  std::vector<double> result;
  for (size_t medoid : medoids) {
    double cost = 0;
    for (const auto &[size, logCost] : curves[medoid])
      cost = !top || size <= *top ? logCost : cost;
    result.push_back(cost);
  }
  return result;
}

} // namespace

double curveDistance(const CostCurve &a, const CostCurve &b) {
  return distanceOf(logCurve(a), logCurve(b));
}

Clustering clusterCurves(const std::vector<CostCurve> &curves, const ClusterOptions &options) {
  Clustering result;
  if (curves.empty())
    return result;
  std::vector<LogCurve> logs;
  logs.reserve(curves.size());
  for (const CostCurve &curve : curves)
    logs.push_back(logCurve(curve));
  const Distances distances = allDistances(logs);
  const double minLogRatio = std::log2(std::max(options.minRatio, 1.0));
  Groups best;
  for (Agglomeration tree(distances); tree.count() > 1; tree.mergeNearest()) {
    if (tree.count() > static_cast<size_t>(std::max(options.maxClusters, 1)))
      continue;
    const Groups groups = tree.groups();
    const double silhouette = meanSilhouette(distances, groups, minLogRatio);
    // Fewer clusters win a tie: they come later.
    if (silhouette >= std::max(kLeastSilhouette, result.silhouette) - kTie &&
        allDiffer(logs, medoidsOf(distances, groups), minLogRatio)) {
      best = groups;
      result.silhouette = silhouette;
    }
  }
  if (best.empty()) {
    best.emplace_back(curves.size());
    std::iota(best.front().begin(), best.front().end(), size_t{0});
  }
  const std::vector<size_t> medoids = medoidsOf(distances, best);
  const std::vector<double> cost = costAtTop(logs, medoids);
  std::vector<size_t> order(best.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(
      order.begin(), order.end(), [&](size_t a, size_t b) { return cost[a] < cost[b]; });
  result.label.assign(curves.size(), 0);
  for (size_t group : order) {
    for (size_t curve : best[group])
      result.label[curve] = result.count;
    result.medoid.push_back(medoids[group]);
    ++result.count;
  }
  return result;
}

} // namespace perfidy
