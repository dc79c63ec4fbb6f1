#include "explainer/logistic.h"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <deque>

namespace perfidy {
namespace {

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;

constexpr size_t kMemory = 10;      ///< pairs that L-BFGS keeps
constexpr double kTolerance = 1e-4; ///< on the largest component of the gradient, per row

double medianOf(std::vector<double> values) {
  if (values.empty())
    return 0;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

/// Learns median, mean and scale of every column.
void learnScales(const Table &table, const std::vector<size_t> &rows, Logistic &model) {
  for (size_t column = 0; column < table.columns.size(); ++column) {
    std::vector<double> values;
    for (size_t row : rows)
      if (std::isfinite(table.value(row, column)))
        values.push_back(table.value(row, column));
    const double median = medianOf(values);
    double sum = 0, squares = 0;
    const auto count = static_cast<double>(rows.size());
    for (size_t row : rows) {
      const double value = table.value(row, column);
      sum += std::isfinite(value) ? value : median;
    }
    for (size_t row : rows) {
      const double value =
          std::isfinite(table.value(row, column)) ? table.value(row, column) : median;
      squares += (value - sum / count) * (value - sum / count);
    }
    const double deviation = std::sqrt(squares / count);
    model.median.push_back(median);
    model.mean.push_back(sum / count);
    model.scale.push_back(deviation > 1e-12 ? deviation : 1);
  }
}

double standard(const Logistic &model, const Table &table, size_t row, size_t column) {
  const double value = table.value(row, column);
  return ((std::isfinite(value) ? value : model.median[column]) - model.mean[column]) /
         model.scale[column];
}

/// The penalised loss and its gradient.
struct Objective {
  Matrix x; ///< rows x (columns + 1)
  std::vector<int> label;
  Vector weight; ///< per row
  int labels = 0;
  double penalty = 1;

  double operator()(const Vector &at, Vector &gradient) const {
    const Eigen::Map<const Matrix> w(at.data(), x.cols(), labels);
    Matrix p = x * w;
    double loss = 0;
    for (Eigen::Index i = 0; i < p.rows(); ++i) {
      const double top = p.row(i).maxCoeff();
      const double sum = (p.row(i).array() - top).exp().sum();
      const int truth = label[static_cast<size_t>(i)];
      loss += weight[i] * (std::log(sum) + top - p(i, truth));
      p.row(i) = (p.row(i).array() - top).exp() / sum;
      p(i, truth) -= 1;
      p.row(i) *= weight[i];
    }
    gradient.resize(at.size());
    Eigen::Map<Matrix> g(gradient.data(), x.cols(), labels);
    g.noalias() = x.transpose() * p;
    g.topRows(x.cols() - 1) += penalty * w.topRows(x.cols() - 1);
    return loss + penalty / 2 * w.topRows(x.cols() - 1).squaredNorm();
  }
};

/// Two-loop recursion of L-BFGS: minus the inverse Hessian's estimate times the gradient.
Vector descent(const std::deque<std::pair<Vector, Vector>> &pairs, const Vector &gradient) {
  Vector q = gradient;
  std::vector<double> alpha(pairs.size());
  for (size_t i = pairs.size(); i-- > 0;) {
    alpha[i] = pairs[i].first.dot(q) / pairs[i].first.dot(pairs[i].second);
    q -= alpha[i] * pairs[i].second;
  }
  if (!pairs.empty())
    q *= pairs.back().first.dot(pairs.back().second) / pairs.back().second.squaredNorm();
  for (size_t i = 0; i < pairs.size(); ++i) {
    const double beta = pairs[i].second.dot(q) / pairs[i].first.dot(pairs[i].second);
    q += (alpha[i] - beta) * pairs[i].first;
  }
  return -q;
}

Vector minimise(const Objective &objective, int iterations) {
  Vector at = Vector::Zero(objective.x.cols() * objective.labels), gradient, nextGradient;
  double value = objective(at, gradient);
  std::deque<std::pair<Vector, Vector>> pairs;
  for (int i = 0; i < iterations; ++i) {
    if (gradient.cwiseAbs().maxCoeff() < kTolerance * static_cast<double>(objective.x.rows()) / 100)
      break;
    const Vector direction = descent(pairs, gradient);
    const double slope = direction.dot(gradient);
    double step = pairs.empty() ? 1 / gradient.norm() : 1, next = value;
    Vector tried;
    for (int halving = 0; halving < 30; ++halving, step /= 2) {
      tried = at + step * direction;
      next = objective(tried, nextGradient);
      if (next <= value + 1e-4 * step * slope)
        break;
    }
    if (!(next < value))
      break;
    const Vector moved = tried - at, turned = nextGradient - gradient;
    if (moved.dot(turned) > 1e-12 * turned.squaredNorm())
      pairs.emplace_back(moved, turned);
    if (pairs.size() > kMemory)
      pairs.pop_front();
    at = tried;
    gradient = nextGradient;
    value = next;
  }
  return at;
}

} // namespace

Logistic
fitLogistic(const Table &table, const LogisticOptions &options, const std::vector<size_t> &rows) {
  std::vector<size_t> used;
  for (size_t i = 0; i < (rows.empty() ? table.rows : rows.size()); ++i)
    if (const size_t row = rows.empty() ? i : rows[i]; table.label[row] >= 0)
      used.push_back(row);
  Logistic model;
  model.labels = table.labels;
  for (size_t row : used)
    model.labels = std::max(model.labels, table.label[row] + 1);
  learnScales(table, used, model);
  const auto columns = static_cast<Eigen::Index>(table.columns.size());
  Objective objective;
  objective.labels = model.labels;
  objective.penalty = options.penalty;
  objective.x.setOnes(static_cast<Eigen::Index>(used.size()), columns + 1);
  objective.weight.setOnes(static_cast<Eigen::Index>(used.size()));
  std::vector<double> count(static_cast<size_t>(model.labels), 0);
  for (size_t i = 0; i < used.size(); ++i) {
    objective.label.push_back(table.label[used[i]]);
    count[static_cast<size_t>(objective.label.back())] += 1;
    for (Eigen::Index c = 0; c < columns; ++c)
      objective.x(static_cast<Eigen::Index>(i), c) =
          standard(model, table, used[i], static_cast<size_t>(c));
  }
  const auto present = static_cast<double>(
      std::count_if(count.begin(), count.end(), [](double n) { return n > 0; }));
  for (size_t i = 0; i < used.size() && options.balanceClasses; ++i)
    objective.weight[static_cast<Eigen::Index>(i)] =
        static_cast<double>(used.size()) /
        (present * count[static_cast<size_t>(objective.label[i])]);
  const Vector found = used.empty() ? Vector(Vector::Zero((columns + 1) * model.labels))
                                    : minimise(objective, options.iterations);
  model.weights.assign(found.data(), found.data() + found.size());
  return model;
}

std::vector<double> probabilities(const Logistic &model, const Table &table, size_t row) {
  const size_t columns = model.mean.size();
  std::vector<double> result;
  for (int label = 0; label < model.labels; ++label) {
    const double *w = model.weights.data() + static_cast<size_t>(label) * (columns + 1);
    double sum = w[columns];
    for (size_t c = 0; c < columns; ++c)
      sum += w[c] * standard(model, table, row, c);
    result.push_back(sum);
  }
  const double top = *std::max_element(result.begin(), result.end());
  double sum = 0;
  for (double &value : result)
    sum += value = std::exp(value - top);
  for (double &value : result)
    value /= sum;
  return result;
}

} // namespace perfidy
