#include "runtime/trace.h"
#include "test/programs/training/faults.h"
#include "test/programs/training/observe.h"
#include "test/unit/temporary_directory.h"

#include <gtest/gtest.h>
#include <set>

namespace perfidy {
namespace {

/// Minimises c/2 x² from 1 and says how large x is in the end.
double afterSteps(Optimizer kind, double momentum, double rate, double curvature, int steps) {
  Stepper stepper(kind, momentum, 1);
  Eigen::VectorXd x = Eigen::VectorXd::Ones(1);
  for (int i = 0; i < steps && std::abs(x[0]) < 1e9; ++i)
    x += stepper.step(curvature * x, rate);
  return std::abs(x[0]);
}

TEST(Stepper, GradientDescentIsStableBelowItsLimit) {
  EXPECT_LT(afterSteps(Optimizer::Sgd, 0, 0.199, 10, 3000), 1e-3);
  EXPECT_GT(afterSteps(Optimizer::Sgd, 0, 0.201, 10, 3000), 1e3);
  const double limit = Stepper(Optimizer::Momentum, 0.9, 1).stabilityLimit();
  EXPECT_DOUBLE_EQ(limit, 3.8);
  EXPECT_LT(afterSteps(Optimizer::Momentum, 0.9, 0.99 * limit / 10, 10, 5000), 1e-3);
  EXPECT_GT(afterSteps(Optimizer::Momentum, 0.9, 1.01 * limit / 10, 10, 5000), 1e3);
}

// With its second moment all but constant (many steps at one curvature, then a large epsilon's
// worth of history), rate x curvature / preconditioner may be 38.
TEST(Stepper, AdamIsStableBelow38) {
  EXPECT_NEAR(Stepper(Optimizer::Adam, 0, 1).stabilityLimit(), 38, 1e-9);
  const auto growth = [](double share) {
    Stepper stepper(Optimizer::Adam, 0, 1);
    // Alternating gradients of size 1 leave the second moment at 1 and the first one near 0.
    for (int i = 0; i < 20000; ++i)
      stepper.step(Eigen::VectorXd::Constant(1, i % 2 ? 1 : -1), 0);
    // Tiny gradients: the second moment fades by 1/1000 a step, so only a few steps are looked at.
    const double curvature = 1e-6, rate = share * 38 / curvature;
    double x = 1e-6, early = 0, late = 0;
    for (int i = 0; i < 120; ++i) {
      const double preconditioner = stepper.preconditioner()[0];
      x += stepper.step(Eigen::VectorXd::Constant(1, curvature * x), rate * preconditioner)[0];
      early = i >= 20 && i < 40 ? std::max(early, std::abs(x)) : early;
      late = i >= 100 ? std::max(late, std::abs(x)) : late;
    }
    return late / early;
  };
  EXPECT_LT(growth(0.9), 1);
  EXPECT_GT(growth(1.1), 1);
}

TEST(Training, ObserverChangesNothing) {
  const sample::TemporaryDirectory directory;
  for (const char *name :
       {"digits-relu", "wine-tanh", "bars-cnn", "symbol-attention", "cancer-autoencoder"}) {
    const Program &program = programNamed(name);
    SeriesRecorder recorder(directory.path(name));
    TrainingObserver observer(recorder, true, true);
    const Trained with = train(program, 3, std::ref(observer)), without = train(program, 3);
    ASSERT_EQ(with.theta.size(), without.theta.size());
    EXPECT_EQ(with.theta, without.theta) << name << ": bit for bit";
    EXPECT_NE(without.theta, train(program, 4).theta) << "seeds differ";
    recorder.end();
    const Trace trace = readTrace(directory.path(name));
    ASSERT_EQ(trace.runs.size(), 1u);
    EXPECT_EQ(trace.runs[0].series[0].value.size(), static_cast<size_t>(program.epochs) + 1);
  }
}

TEST(Training, ProgramsAre38AndReachTheirScores) {
  std::set<std::string> names;
  for (const Program &program : programs())
    names.insert(program.name);
  EXPECT_EQ(names.size(), 38u);
  // All programs: perfidy-training targets. Here the quick ones, ten seeds each.
  for (const char *name : {"digits-linear",
                           "cancer-relu",
                           "spiral-tanh",
                           "moons-sigmoid",
                           "diabetes-relu",
                           "friedman1-tanh",
                           "patches-autoencoder"}) {
    const Program &program = programNamed(name);
    int reached = 0;
    for (uint64_t seed = 1; seed <= 10; ++seed)
      reached += train(program, seed).validationScore >= program.target;
    EXPECT_GE(reached, 9) << name;
  }
  EXPECT_THROW(programNamed("no-such"), Error);
}

TEST(Faults, EachChangesTheRun) {
  for (const char *name : {"diabetes-linear", "digits-relu", "bars-cnn", "copy-gru"}) {
    Program program = programNamed(name);
    program.epochs = 2;
    const Eigen::VectorXd clean = train(program, 1).theta;
    std::set<std::string> names, groups;
    for (const Fault &fault : faultsFor(program, 8)) {
      EXPECT_TRUE(names.insert(fault.name).second) << fault.name;
      EXPECT_EQ(fault.name.rfind(fault.group + ".", 0), 0u) << fault.name;
      groups.insert(fault.group);
      Program faulty = program;
      fault.apply(faulty);
      const Trained trained = train(faulty, 1);
      const bool same = trained.theta.size() == clean.size() && trained.theta == clean;
      EXPECT_EQ(same, fault.name == "data.shift") << name << " " << fault.name;
    }
    EXPECT_GE(groups.size(), 7u) << name;
  }
}

TEST(Faults, EdgeIsWhereTrainingDiverges) {
  Program program = programNamed("digits-linear");
  const double edge = divergenceEdge(program);
  EXPECT_GT(edge, 1);
  EXPECT_EQ(edge, divergenceEdge(program));
}

TEST(Faults, KilledNeedsSizeAndSignificance) {
  const std::vector<double> clean{0.90, 0.91, 0.92, 0.90, 0.91, 0.89, 0.9, 0.91};
  EXPECT_TRUE(killed(clean, {0.5, 0.52, 0.51, 0.5, 0.49}));
  EXPECT_FALSE(killed(clean, {0.90, 0.91, 0.92, 0.90, 0.90}));
  EXPECT_FALSE(killed(clean, {0.95, 0.2})) << "two runs that disagree prove nothing";
  EXPECT_TRUE(killed({0.5, 0.5, 0.5}, {0.4, 0.4, 0.4})) << "without any spread a difference counts";
  EXPECT_FALSE(killed(clean, {0.1}));
}

} // namespace
} // namespace perfidy
