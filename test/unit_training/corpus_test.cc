#include "runtime/trace.h"
#include "test/programs/training/corpus.h"
#include "test/unit/temporary_directory.h"

#include <gtest/gtest.h>
#include <map>
#include <sstream>

namespace perfidy {
namespace {

using sample::bytesOf;

TEST(Corpus, IsTheSameForOneJobAndTwoAndAfterAnInterruption) {
  const sample::TemporaryDirectory directory;
  CorpusOptions options;
  options.programs = {"cancer-linear", "diabetes-linear"};
  options.clean = 3;
  options.repeats = 2;
  const int runs = writeCorpus(directory.path("a"), options);
  EXPECT_GT(runs, 100);
  options.jobs = 2;
  std::filesystem::create_directories(directory.path("b"));
  directory.write("b/cancer-linear.trace", "what a killed process left");
  EXPECT_EQ(writeCorpus(directory.path("b"), options), runs);
  for (const char *name : {"/cancer-linear.trace.gz", "/diabetes-linear.trace.gz"})
    EXPECT_EQ(bytesOf(directory.path("a") + name), bytesOf(directory.path("b") + name));
  const auto written = std::filesystem::last_write_time(directory.path("b/cancer-linear.trace.gz"));
  EXPECT_EQ(writeCorpus(directory.path("b"), options), runs) << "nothing left to do";
  EXPECT_EQ(std::filesystem::last_write_time(directory.path("b/cancer-linear.trace.gz")), written);
  options.seed = 2;
  writeCorpus(directory.path("c"), options);
  EXPECT_NE(bytesOf(directory.path("a/cancer-linear.trace.gz")),
            bytesOf(directory.path("c/cancer-linear.trace.gz")));
}

TEST(Corpus, RunsCarryTheirLabels) {
  const sample::TemporaryDirectory directory;
  CorpusOptions options;
  options.programs = {"cancer-linear"};
  options.clean = 4;
  options.repeats = 3;
  writeCorpus(directory.path("a"), options);
  const Trace trace = readTrace(directory.path("a/cancer-linear.trace.gz"));
  std::map<std::string, int> faults, kills;
  for (const perfidy::Run &run : trace.runs) {
    EXPECT_EQ(run.tags.at("program"), "cancer-linear");
    EXPECT_EQ(run.tags.at("family"), "linear");
    ++faults[run.tags.at("fault")];
    if (run.tags.at("fault") != "none")
      ++kills[run.tags.at("killed")];
  }
  EXPECT_EQ(faults["none"], 4);
  for (const char *group : {"hyper", "loss", "act", "init"})
    EXPECT_GE(faults[group], 3) << group;
  EXPECT_GT(kills["yes"], 10);
  EXPECT_GT(kills["no"], 0);
}

} // namespace
} // namespace perfidy
