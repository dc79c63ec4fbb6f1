// libsvm: training of a C-SVM by sequential minimal optimisation. The guide of its authors asks to
// scale the data first; with wide features or a large C on overlapping classes the solver takes up
// to ten million iterations (NVIDIA/cuml issue 2857 explains the same for its copy of the solver,
// scikit-learn issue 11020 asks for a limit).
//
// LIBRARY package=libsvm sources=svm.cpp
// EXPECT kind=differential function=Solve,select_working_set
// rule=C,feature_scale,kernel
#include <perfidy_data.h>

#include "svm.h"

#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *, size_t) {
  static const char *const kKernels[] = {"linear", "poly", "rbf", "sigmoid"};
  static const char *const kAnswers[] = {"no", "yes"};
  const size_t samples = perfidy_scale("samples", 64, 16, 512), features = 4;
  svm_parameter parameter = {};
  parameter.svm_type = C_SVC;
  parameter.kernel_type = static_cast<int>(perfidy_param_enum("kernel", 2, kKernels, 4));
  parameter.degree = static_cast<int>(perfidy_param_integer("degree", 3, 1, 4));
  parameter.gamma = perfidy_param_log("gamma", 0.25, 1e-3, 10);
  parameter.C = perfidy_param_log("C", 1, 1e-4, 1e6);
  parameter.eps = perfidy_param_log("tolerance", 1e-3, 1e-5, 0.1);
  parameter.shrinking = static_cast<int>(perfidy_param_enum("shrinking", 1, kAnswers, 2));
  parameter.cache_size = 16;
  perfidy_data knobs = perfidy_data_knobs();
  std::vector<double> points(samples * features), targets;
  std::vector<int> labels(samples);
  perfidy_data_fill(&knobs, points.data(), labels.data(), samples, features, 2);
  std::vector<svm_node> nodes;
  std::vector<svm_node *> rows;
  for (size_t i = 0; i < samples; ++i) {
    targets.push_back(labels[i] ? 1 : -1);
    for (size_t f = 0; f < features; ++f)
      nodes.push_back({static_cast<int>(f) + 1, points[i * features + f]});
    nodes.push_back({-1, 0});
  }
  for (size_t i = 0; i < samples; ++i)
    rows.push_back(&nodes[i * (features + 1)]);
  svm_problem problem = {static_cast<int>(samples), targets.data(), rows.data()};
  svm_set_print_string_function([](const char *) {});
  srand(1);
  svm_model *model = svm_train(&problem, &parameter);
  svm_free_and_destroy_model(&model);
  return 0;
}
