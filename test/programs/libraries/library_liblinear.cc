// liblinear: its README warns that the default solver (dual coordinate descent) may be slow when
// data are not scaled or C is large, and the solver itself prints that -s 2 may be faster when it
// reaches the limit of 1,000 iterations.
//
// LIBRARY package=liblinear sources=linear.cpp,tron.cpp
// EXPECT kind=differential
// function=solve_l2r_l1l2_svc,solve_l2r_lr_dual,solve_l1r_l2_svc,solve_l1r_lr,Solve
// rule=C,feature_scale,solver
#include <perfidy_data.h>

#include "linear.h"

#include <cstdlib>
#include <vector>

// The four routines of BLAS that the trust region solver asks for.
extern "C" {
double ddot_(int *n, double *x, int *, double *y, int *) {
  double sum = 0;
  for (int i = 0; i < *n; ++i)
    sum += x[i] * y[i];
  return sum;
}
double dnrm2_(int *n, double *x, int *step) { return sqrt(ddot_(n, x, step, x, step)); }
int daxpy_(int *n, double *factor, double *x, int *, double *y, int *) {
  for (int i = 0; i < *n; ++i)
    y[i] += *factor * x[i];
  return 0;
}
int dscal_(int *n, double *factor, double *x, int *) {
  for (int i = 0; i < *n; ++i)
    x[i] *= *factor;
  return 0;
}
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *, size_t) {
  static const char *const kSolvers[] = {"l2_logistic_primal",
                                         "l2_hinge2_dual",
                                         "l2_hinge2_primal",
                                         "l2_hinge_dual",
                                         "l1_hinge2",
                                         "l1_logistic",
                                         "l2_logistic_dual"};
  static const int kTypes[] = {L2R_LR,
                               L2R_L2LOSS_SVC_DUAL,
                               L2R_L2LOSS_SVC,
                               L2R_L1LOSS_SVC_DUAL,
                               L1R_L2LOSS_SVC,
                               L1R_LR,
                               L2R_LR_DUAL};
  const size_t samples = perfidy_scale("samples", 64, 16, 1024), features = 4;
  parameter parameter = {};
  parameter.solver_type = kTypes[perfidy_param_enum("solver", 2, kSolvers, 7)];
  parameter.C = perfidy_param_log("C", 1, 1e-4, 1e6);
  parameter.eps = perfidy_param_log("tolerance", 1e-2, 1e-6, 1);
  parameter.p = 0.1;
  const double bias = perfidy_param_real("bias", 0, 0, 1);
  perfidy_data knobs = perfidy_data_knobs();
  std::vector<double> points(samples * features), targets;
  std::vector<int> labels(samples);
  perfidy_data_fill(&knobs, points.data(), labels.data(), samples, features, 2);
  std::vector<feature_node> nodes;
  std::vector<feature_node *> rows;
  for (size_t i = 0; i < samples; ++i) {
    targets.push_back(labels[i] ? 1 : -1);
    for (size_t f = 0; f < features; ++f)
      nodes.push_back({static_cast<int>(f) + 1, points[i * features + f] + bias});
    nodes.push_back({-1, 0});
  }
  for (size_t i = 0; i < samples; ++i)
    rows.push_back(&nodes[i * (features + 1)]);
  problem problem = {
      static_cast<int>(samples), static_cast<int>(features), targets.data(), rows.data(), -1};
  set_print_string_function([](const char *) {});
#ifndef KEEP_RANDOM_STATE
  srand(1); // the library draws permutations from rand()
#endif
  model *trained = train(&problem, &parameter);
  free_and_destroy_model(&trained);
  return 0;
}
