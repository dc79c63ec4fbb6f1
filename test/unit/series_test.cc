#include "runtime/series.h"
#include "runtime/trace.h"
#include "runtime/trace_labels.h"
#include "test/unit/temporary_directory.h"
#include "tools/dump.h"

#include <cmath>
#include <cstdlib>
#include <gtest/gtest.h>
#include <sstream>
#include <zlib.h>

namespace perfidy {
namespace {

using sample::bytesOf;

/// Two runs: one written at once, one that grows, with what arrives late.
void recordTwo(const std::string &path) {
  SeriesRecorder recorder(path);
  recorder.parameter("rate", 0.5);
  recorder.tag("program", "line");
  recorder.point("loss", 0, 2);
  recorder.point("loss", 1, NAN);
  recorder.end();
  recorder.tag("program", "curve");
  recorder.point("loss", 0, 4);
  recorder.flush();
  recorder.point("loss", 1, 1);
  recorder.point("score", 1, 0.25);
  recorder.tag("ended", "early");
}

TEST(Series, RunsReadBackAsRecorded) {
  const sample::TemporaryDirectory directory;
  recordTwo(directory.path("t"));
  const Trace trace = readTrace(directory.path("t"));
  ASSERT_EQ(trace.runs.size(), 2u);
  EXPECT_TRUE(trace.functions.empty());
  EXPECT_EQ(trace.runs[0].parameters.at("rate"), 0.5);
  EXPECT_EQ(trace.runs[0].tags.at("program"), "line");
  ASSERT_EQ(trace.runs[0].series.size(), 1u);
  EXPECT_TRUE(std::isnan(trace.runs[0].series[0].value[1]));
  ASSERT_EQ(trace.runs[1].series.size(), 2u);
  EXPECT_EQ(trace.runs[1].series[0].value, (std::vector<double>{4, 1}));
  EXPECT_EQ(trace.runs[1].series[1].step, std::vector<double>{1});
  EXPECT_EQ(trace.runs[1].tags.at("ended"), "early");
}

// What one process has flushed can be read while it goes on.
TEST(Series, GrowsInSightOfReaders) {
  const sample::TemporaryDirectory directory;
  SeriesRecorder recorder(directory.path("t"));
  for (int epoch = 0; epoch < 4; ++epoch) {
    recorder.point("loss", epoch, 8 >> epoch);
    recorder.flush();
    const Trace trace = readTrace(directory.path("t"));
    ASSERT_EQ(trace.runs.size(), 1u);
    EXPECT_EQ(trace.runs[0].series[0].value.size(), static_cast<size_t>(epoch) + 1);
  }
}

TEST(Series, AppendsBehindATornEnd) {
  const sample::TemporaryDirectory directory;
  const std::string path = directory.path("t");
  recordTwo(path);
  std::filesystem::resize_file(path, std::filesystem::file_size(path) - 3);
  {
    SeriesRecorder recorder(path);
    recorder.point("loss", 0, 7);
  }
  const Trace trace = readTrace(path);
  EXPECT_FALSE(trace.truncated);
  ASSERT_EQ(trace.runs.size(), 3u);
  EXPECT_EQ(trace.runs[1].tags.count("ended"), 0u) << "the torn record is gone";
  EXPECT_EQ(trace.runs[2].series[0].value, std::vector<double>{7});
}

TEST(Series, RefusesOtherFilesAndSecondWriters) {
  const sample::TemporaryDirectory directory;
  const std::string other = directory.write("other", "something that is no trace of series");
  EXPECT_THROW(SeriesRecorder{other}, Error);
  EXPECT_EQ(bytesOf(other), "something that is no trace of series");
  EXPECT_THROW(SeriesRecorder{directory.path("no/such/folder")}, Error);
  EXPECT_THROW(SeriesRecorder{PERFIDY_SOURCE_DIR "/test/golden/trace_v1.bin"}, Error);
  SeriesRecorder first(directory.path("t"));
  EXPECT_THROW(SeriesRecorder{directory.path("t")}, Error);
}

TEST(Series, ParametersComeBeforeTheFirstFlush) {
  const sample::TemporaryDirectory directory;
  SeriesRecorder recorder(directory.path("t"));
  recorder.point("loss", 0, 1);
  recorder.flush();
  EXPECT_THROW(recorder.parameter("rate", 1), Error);
}

TEST(Series, WithoutAFileRecordsNothing) {
  unsetenv("PERFIDY_TRACE");
  SeriesRecorder recorder;
  EXPECT_FALSE(recorder.recording());
  recorder.point("loss", 0, 1);
  recorder.end();
  const sample::TemporaryDirectory directory;
  setenv("PERFIDY_TRACE", directory.path("t").c_str(), 1);
  {
    SeriesRecorder named;
    EXPECT_TRUE(named.recording());
    named.point("loss", 0, 1);
  }
  unsetenv("PERFIDY_TRACE");
  EXPECT_EQ(readTrace(directory.path("t")).runs.size(), 1u);
}

TEST(Series, CompressedTracesReadButTakeNoLabels) {
  const sample::TemporaryDirectory directory;
  recordTwo(directory.path("t"));
  const std::string bytes = bytesOf(directory.path("t")), packed = directory.path("t.gz");
  gzFile file = gzopen(packed.c_str(), "wb");
  gzwrite(file, bytes.data(), static_cast<unsigned>(bytes.size()));
  gzclose(file);
  EXPECT_LT(std::filesystem::file_size(packed), bytes.size());
  EXPECT_EQ(readTrace(packed).runs.size(), 2u);
  EXPECT_THROW(appendLabels(packed, {{0, "killed", "yes"}}), Error);
  appendLabels(directory.path("t"), {{1, "killed", "yes"}});
  EXPECT_EQ(readTrace(directory.path("t")).runs[1].tags.at("killed"), "yes");
}

// Version 1 has no points records, whatever a file says.
TEST(Series, PointsNeedVersion2) {
  const sample::TemporaryDirectory directory;
  recordTwo(directory.path("t"));
  std::string bytes = bytesOf(directory.path("t"));
  bytes[8] = 1;
  EXPECT_THROW(readTraceBytes(bytes, "t"), Error);
}

// The released version 2: must read for ever. UPDATE_GOLDEN=1 rewrites it.
TEST(Series, ReadsVersion2Fixture) {
  const std::string base = PERFIDY_SOURCE_DIR "/test/golden/trace_v2";
  if (std::getenv("UPDATE_GOLDEN")) {
    std::filesystem::remove(base + ".bin");
    recordTwo(base + ".bin");
    std::ofstream text(base + ".txt", std::ios::binary);
    dumpTrace(readTrace(base + ".bin"), DumpFormat::Text, text);
  }
  std::ostringstream actual;
  dumpTrace(readTrace(base + ".bin"), DumpFormat::Text, actual);
  EXPECT_EQ(actual.str(), bytesOf(base + ".txt"));
}

} // namespace
} // namespace perfidy
