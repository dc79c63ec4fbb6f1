#include "explainer/features.h"
#include "explainer/rule.h"

#include <cmath>
#include <gtest/gtest.h>

namespace perfidy {
namespace {

/// Runs that declare a kernel, C, a depth and a tolerance.
struct Runs {
  Trace trace;
  std::vector<LabelledRun> rows;

  void add(double kernel, double C, double depth, double tolerance, bool slow) {
    Run run;
    run.size = 64;
    run.parameters = {
        {"kernel", kernel}, {"C", C}, {"depth", depth}, {"tolerance", tolerance}, {"samples", 64}};
    if (trace.runs.empty())
      run.tags = {{"parameter kernel", "enum linear|poly|rbf"},
                  {"parameter C", "log 1e-06 1e+06"},
                  {"parameter depth", "integer 0 20"},
                  {"parameter tolerance", "log 0 1"},
                  {"parameter samples", "scale 16 4096"}};
    rows.push_back({trace.runs.size(), slow ? 1 : 0, static_cast<int>(trace.runs.size())});
    trace.runs.push_back(run);
  }

  std::string rule() const {
    const Table table = inputTable(trace, rows, 2);
    return ruleOf(growTree(table, {}), table, 1);
  }
};

TEST(Rule, NamesAndValuesOfTheUser) {
  Runs runs;
  for (int kernel = 0; kernel < 3; ++kernel)
    for (double C : {1e-5, 1e-2, 1.0, 10.0, 100.0, 1e4})
      runs.add(kernel, C, int(C) % 7, 1e-4, kernel == 0 && C > 31);
  EXPECT_EQ(runs.rule(), "C > 31.6 and kernel = linear");
}

TEST(Rule, TheOneChoiceThatIsLeftIsNamed) {
  Runs runs;
  for (int kernel = 0; kernel < 3; ++kernel)
    for (double C : {1.0, 2.0, 5.0})
      runs.add(kernel, C, 3, 1e-4, kernel == 2);
  const std::string rule = runs.rule();
  EXPECT_TRUE(rule == "kernel = rbf") << rule;
}

TEST(Rule, EndsOfARangeReadAsEqualities) {
  Runs zero;
  for (double tolerance : {0.0, 0.0, 1e-18, 1e-9, 1e-3, 1.0})
    zero.add(1, 1, 3, tolerance, tolerance == 0);
  EXPECT_EQ(zero.rule(), "tolerance = 0");
  Runs depth;
  for (int value : {0, 1, 5, 19, 20})
    depth.add(1, 1, value, 1, value == 20);
  EXPECT_EQ(depth.rule(), "depth = 20");
  Runs shallow;
  for (int value : {0, 1, 5, 19})
    shallow.add(1, 1, value, 1, value == 0);
  EXPECT_EQ(shallow.rule(), "depth = 0");
}

TEST(Rule, ScalesAreNoExplanation) {
  Runs runs;
  for (int i = 0; i < 8; ++i) {
    runs.add(1, 1, 3, 1, i > 3);
    runs.trace.runs.back().parameters["samples"] = 16 << i;
  }
  EXPECT_EQ(runs.rule(), "");
  EXPECT_TRUE(declaredParameters(runs.trace).count("samples"));
}

TEST(Rule, SeveralLeavesAreAlternatives) {
  Runs runs;
  for (int depth = 0; depth <= 20; ++depth)
    for (int kernel = 0; kernel < 2; ++kernel)
      runs.add(kernel, 1, depth, 1, depth < 5 || depth > 15);
  EXPECT_NE(runs.rule().find(" or "), std::string::npos);
}

} // namespace
} // namespace perfidy
