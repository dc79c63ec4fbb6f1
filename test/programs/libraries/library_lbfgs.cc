// libLBFGS: minimisation of a chain of Rosenbrock valleys. lbfgs.h documents that max_iterations 0
// goes on until convergence or error and that a tolerance below the precision is never met, so what
// remains is the limit of the line search; the shape of the valley decides how many steps it takes.
//
// LIBRARY package=liblbfgs sources=lib/lbfgs.c include=include
// EXPECT kind=differential
// function=lbfgs,valley,line_search_morethuente,line_search_backtracking,line_search_backtracking_owlqn
// rule=steepness,max_iterations
#include <perfidy.h>

#include <lbfgs.h>

#include <cstddef>
#include <cstdint>

namespace {

lbfgsfloatval_t valley(void *steepness, const double *x, double *g, const int n, const double) {
  const double a = *static_cast<double *>(steepness);
  double value = 0;
  for (int i = 0; i + 1 < n; i += 2) {
    const double t1 = 1 - x[i], t2 = a * (x[i + 1] - x[i] * x[i]);
    g[i + 1] = 2 * a * t2;
    g[i] = -2 * (x[i] * g[i + 1] + t1);
    value += t1 * t1 + t2 * t2;
  }
  return value;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *, size_t) {
  static const char *const kSearches[] = {"morethuente", "armijo", "wolfe", "strong_wolfe"};
  const int n = 2 * static_cast<int>(perfidy_scale("valleys", 16, 4, 1024));
  lbfgs_parameter_t parameter;
  lbfgs_parameter_init(&parameter);
  parameter.m = static_cast<int>(perfidy_param_integer("memory", 6, 1, 20));
  parameter.epsilon = perfidy_param_log("tolerance", 1e-5, 0, 0.1);
  parameter.linesearch = static_cast<int>(perfidy_param_enum("linesearch", 0, kSearches, 4));
  parameter.max_iterations = static_cast<int>(perfidy_param_integer("max_iterations", 100, 0, 200));
  double steepness = perfidy_param_log("steepness", 10, 0.1, 1e6);
  double *x = lbfgs_malloc(n);
  for (int i = 0; i < n; ++i)
    x[i] = i % 2 ? 1 : -1.2 - 0.01 * (i % 7);
  const int status = lbfgs(n, x, nullptr, valley, nullptr, &steepness, &parameter);
  perfidy_tag("outcome", status < 0 && status != LBFGSERR_MAXIMUMITERATION ? "error" : "minimised");
  lbfgs_free(x);
  return 0;
}
