#include "explainer/outlier.h"

#include "sample_trace.h"

#include <cmath>
#include <gtest/gtest.h>

namespace perfidy {
namespace {

class OutlierTest : public testing::Test {
protected:
  OutlierTest() {
    entry = builder.addFunction("entry");
    worker = builder.addFunction("worker");
    builder.addCall(entry, 0, "worker");
    loop = builder.addLoop(worker);
  }

  void addRun(uint64_t size, uint64_t iterations, RunStatus status = RunStatus::Complete) {
    sample::SampleRun &run = builder.addRun(size);
    run.status = status;
    run.count(entry, 0, 1)
        .count(worker, 0, 1)
        .count(worker, builder.header(worker, loop), iterations);
  }

  sample::TraceBuilder builder;
  uint32_t entry = 0, worker = 0, loop = 0;
};

TEST_F(OutlierTest, BlamesTheLoopThatRunsMoreOftenAndClaimsNoGrowth) {
  addRun(10, 5000);
  addRun(10, 100);
  const std::optional<Finding> finding = explainOutlier(builder.build(), 0);
  ASSERT_TRUE(finding);
  EXPECT_EQ(finding->kind, "outlier");
  ASSERT_FALSE(finding->regions.empty());
  EXPECT_EQ(finding->regions.front().function, "worker");
  EXPECT_EQ(finding->regions.front().kind, "loop");
  EXPECT_EQ(finding->regions.front().why.find("growing"), std::string::npos);
  EXPECT_TRUE(std::isnan(finding->gap.growth));
  EXPECT_NEAR(finding->gap.ratio, 5002.0 / 102, 1);
}

TEST_F(OutlierTest, OnlyRunsOfItsSizeThatAreCheaperAreContrasts) {
  addRun(10, 5000);
  addRun(9, 1);
  addRun(10, 4000);
  EXPECT_FALSE(explainOutlier(builder.build(), 0));
}

TEST_F(OutlierTest, StoppedRunsAreExplainedWithoutAContrastToo) {
  addRun(10, 5000, RunStatus::Censored);
  const std::optional<Finding> finding = explainOutlier(builder.build(), 0);
  ASSERT_TRUE(finding);
  EXPECT_EQ(finding->kind, "timeout");
  EXPECT_EQ(finding->gap.ratio, 0);
  ASSERT_FALSE(finding->regions.empty());
  EXPECT_EQ(finding->regions.front().function, "worker");
}

} // namespace
} // namespace perfidy
