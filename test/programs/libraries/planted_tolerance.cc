// Ridge regression with three solvers. The coordinate solver stops when the largest change is
// *less* than the tolerance, where the others stop at equality: with tolerance 0 it never sees that
// nothing changes any more and runs until the iteration limit.
//
// EXPECT kind=differential function=fitCoordinate rule=solver,tolerance
#include <perfidy.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace {

constexpr int kMostIterations = 500;
constexpr double kFixedPoint = 1 << 20;

struct Problem {
  size_t samples, features;
  std::vector<double> x, y; // x by rows
  double penalty, tolerance;
};

double noise(uint64_t &state) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return double(state >> 33) / double(1u << 31) - 0.5;
}

Problem makeProblem(size_t samples, double overlap) {
  Problem problem{samples, 4, {}, {}, 1, 0};
  uint64_t state = 7;
  for (size_t i = 0; i < samples; ++i) {
    double label = 0;
    for (size_t f = 0; f < problem.features; ++f) {
      problem.x.push_back(noise(state));
      label += double(f + 1) * problem.x.back();
    }
    problem.y.push_back(label + overlap * noise(state));
  }
  return problem;
}

double residualOf(const Problem &problem, const std::vector<double> &w, size_t row) {
  double value = problem.y[row];
  for (size_t f = 0; f < problem.features; ++f)
    value -= w[f] * problem.x[row * problem.features + f];
  return value;
}

double lossOf(const Problem &problem, const std::vector<double> &w) {
  double loss = 0;
  for (size_t f = 0; f < problem.features; ++f)
    loss += problem.penalty * w[f] * w[f];
  for (size_t i = 0; i < problem.samples; ++i) {
    const double residual = residualOf(problem, w, i);
    loss += residual * residual;
  }
  return loss;
}

// One pass over all coordinates; returns the largest change.
double passOver(const Problem &problem, std::vector<double> &w) {
  double largest = 0;
  for (size_t f = 0; f < problem.features; ++f) {
    double above = 0, below = problem.penalty;
    for (size_t i = 0; i < problem.samples; ++i) {
      const double x = problem.x[i * problem.features + f];
      above += x * (residualOf(problem, w, i) + w[f] * x);
      below += x * x;
    }
    const double fitted = std::round(above / below * kFixedPoint) / kFixedPoint;
    const double change = std::fabs(fitted - w[f]);
    w[f] = fitted;
    largest = change > largest ? change : largest;
  }
  return largest;
}

std::vector<double> fitCoordinate(const Problem &problem) {
  std::vector<double> w(problem.features);
  for (int i = 0; i < kMostIterations; ++i) // GUILTY
    if (passOver(problem, w) < problem.tolerance)
      break;
  return w;
}

std::vector<double> fitGradient(const Problem &problem) {
  std::vector<double> w(problem.features), next;
  double curvature = problem.penalty;
  for (double x : problem.x)
    curvature += x * x / double(problem.features);
  const double step = 0.5 / curvature;
  double loss = lossOf(problem, w);
  for (int iteration = 0; iteration < kMostIterations; ++iteration) {
    next = w;
    for (size_t f = 0; f < problem.features; ++f)
      next[f] -= step * problem.penalty * w[f];
    for (size_t i = 0; i < problem.samples; ++i) {
      const double residual = residualOf(problem, w, i);
      for (size_t f = 0; f < problem.features; ++f)
        next[f] += step * residual * problem.x[i * problem.features + f];
    }
    const double reached = lossOf(problem, next);
    // Relative, so that rounding ends it as well.
    if (loss - reached <= problem.tolerance + 1e-4 * loss)
      break;
    loss = reached;
    w = next;
  }
  return w;
}

// Normal equations by Gauss elimination.
std::vector<double> fitDirect(const Problem &problem) {
  const size_t n = problem.features;
  std::vector<double> a(n * n), b(n);
  for (size_t i = 0; i < problem.samples; ++i)
    for (size_t f = 0; f < n; ++f) {
      b[f] += problem.y[i] * problem.x[i * n + f];
      for (size_t g = 0; g < n; ++g)
        a[f * n + g] += problem.x[i * n + f] * problem.x[i * n + g];
    }
  for (size_t f = 0; f < n; ++f)
    a[f * n + f] += problem.penalty;
  for (size_t f = 0; f < n; ++f)
    for (size_t g = f + 1; g < n; ++g) {
      const double factor = a[g * n + f] / a[f * n + f];
      for (size_t k = f; k < n; ++k)
        a[g * n + k] -= factor * a[f * n + k];
      b[g] -= factor * b[f];
    }
  for (size_t f = n; f-- > 0;) {
    for (size_t g = f + 1; g < n; ++g)
      b[f] -= a[f * n + g] * b[g];
    b[f] /= a[f * n + f];
  }
  return b;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *, size_t) {
  static const char *const kSolvers[] = {"direct", "gradient", "coordinate"};
  static const char *const kAnswers[] = {"no", "yes"};
  Problem problem =
      makeProblem(perfidy_scale("samples", 64, 16, 2048), perfidy_param_real("overlap", 0.1, 0, 5));
  problem.penalty = perfidy_param_log("penalty", 1, 1e-6, 1e6);
  problem.tolerance = perfidy_param_log("tolerance", 1e-4, 0, 1);
  const uint32_t solver = perfidy_param_enum("solver", 0, kSolvers, 3);
  const bool rescale = perfidy_param_enum("rescale", 0, kAnswers, 2);
  const double scale = perfidy_param_log("feature_scale", 1, 0.1, 10);
  if (!rescale)
    for (double &x : problem.x)
      x *= scale > 1 ? 1 : scale;
  const std::vector<double> w = solver == 0   ? fitDirect(problem)
                                : solver == 1 ? fitGradient(problem)
                                              : fitCoordinate(problem);
  perfidy_tag("outcome", std::isfinite(w[0]) ? "fitted" : "not finite");
  return 0;
}
