// Counters and trace writer as they are linked into targets, over hand-made records, against the
// reader: what was counted is what is read.
#include "runtime/counters.h"
#include "runtime/harness.h"
#include "runtime/perfidy.h"
#include "runtime/trace.h"
#include "runtime/trace_writer.h"
#include "test/runtime/round_trip_records.h"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

namespace perfidy {
namespace {

// A file of its own for each test, and counters at zero.
class Runtime : public testing::Test {
protected:
  Runtime() {
    char name[] = "/tmp/perfidy_round_trip_XXXXXX";
    close(mkstemp(name));
    path = name;
    std::filesystem::remove(path);
    perfidy_images_start();
    perfidy_reset();
  }
  ~Runtime() override { std::filesystem::remove(path); }

  // Enters `first` once with the given loop count, and `second` if asked.
  static void count(uint64_t loops, uint64_t bytes, bool second) {
    first_counters[0] = 1;
    first_counters[1] = loops;
    first_counters[3] = bytes;
    if (second)
      second_counters[0] = second_counters[1] = 1;
  }

  static std::vector<uint32_t> touched() {
    std::vector<uint32_t> ids(3);
    ids.resize(perfidy_touched(ids.data(), 3));
    return ids;
  }

  // Appends one run of what is counted now.
  static int append(int descriptor, uint64_t size) {
    perfidy_run run{};
    std::vector<uint32_t> ids = touched();
    perfidy_harness_describe(&run);
    run.size = size;
    run.cost = perfidy_read(ids.data(), static_cast<uint32_t>(ids.size()));
    return perfidy_trace_run(descriptor, &run, ids.data(), static_cast<uint32_t>(ids.size()));
  }

  int open() {
    int descriptor = perfidy_trace_open(path.c_str());
    EXPECT_GE(descriptor, 0) << strerror(-descriptor);
    return descriptor;
  }

  void appendRun(uint64_t size) {
    int descriptor = open();
    EXPECT_EQ(append(descriptor, size), 0);
    close(descriptor);
  }

  std::string path;
};

TEST_F(Runtime, FindsRecordsInLinkOrder) {
  ASSERT_EQ(perfidy_images.function_count, 3u);
  EXPECT_STREQ(perfidy_function_at(0)->name, "first");
  EXPECT_STREQ(perfidy_function_at(2)->name, "second");
}

TEST_F(Runtime, TouchedListsEnteredFunctionsOnly) {
  EXPECT_TRUE(touched().empty());
  count(5, 0, false);
  EXPECT_EQ(touched(), (std::vector<uint32_t>{0}));
  count(5, 0, true);
  EXPECT_EQ(touched(), (std::vector<uint32_t>{0, 2}));
  // Says how many there are even when there is no room for them.
  uint32_t one[2] = {77, 77};
  EXPECT_EQ(perfidy_touched(one, 1), 2u);
  EXPECT_EQ(one[0], 0u);
  EXPECT_EQ(one[1], 77u);
}

TEST_F(Runtime, CostIsWeightedCountsAndWork) {
  uint32_t ids[] = {0, 2};
  count(10, 0, true);
  EXPECT_EQ(perfidy_read(ids, 2), 5 + 10 * 7 + 2 + 3);
  EXPECT_EQ(perfidy_read(ids, 1), 5 + 10 * 7);
  count(10, 8 * 100 + 7, true);
  EXPECT_EQ(perfidy_read(ids, 2), 5 + 10 * 7 + 2 + 3 + 100) << "work is rounded down once";
  first_counters[1] = uint64_t(1) << 40;
  EXPECT_EQ(perfidy_read(ids, 1), 5 + (uint64_t(7) << 40) + 100) << "64 bits throughout";
}

TEST_F(Runtime, ResetClearsBlocksAndWork) {
  count(10, 99, true);
  perfidy_reset();
  for (uint64_t counter : first_counters)
    EXPECT_EQ(counter, 0u);
  for (uint64_t counter : second_counters)
    EXPECT_EQ(counter, 0u);
  EXPECT_TRUE(touched().empty());
}

// A diamond 0 -> 1 | 2 -> 3 with counters for entry and block 1, once entered and left twice.
TEST_F(Runtime, ReadsSumsAndNeverBelowZero) {
  uint64_t counters[] = {5, 3}, counts[4];
  perfidy_block blocks[4] = {};
  blocks[1].value = 1;
  blocks[2].value = 2;
  blocks[3].value = 3;
  uint32_t terms[] = {0, 1 | PERFIDY_TERM_MINUS | PERFIDY_TERM_LAST, 1, 2 | PERFIDY_TERM_LAST};
  perfidy_function *kept = perfidy_images.functions[1];
  perfidy_function diamond = *kept;
  diamond.counters = counters;
  diamond.counts = counts;
  diamond.blocks = blocks;
  diamond.terms = terms;
  diamond.block_count = 4;
  diamond.counter_count = 2;
  diamond.value_count = 4;
  perfidy_images.functions[1] = &diamond;
  uint64_t *room = perfidy_images.values, values[4];
  perfidy_images.values = values;
  uint32_t id = 1;
  perfidy_read(&id, 1);
  EXPECT_EQ((std::vector<uint64_t>(counts, counts + 4)), (std::vector<uint64_t>{5, 3, 2, 5}));
  counters[1] = 6; // one activation is still between the two
  perfidy_read(&id, 1);
  EXPECT_EQ((std::vector<uint64_t>(counts, counts + 4)), (std::vector<uint64_t>{5, 6, 0, 5}));
  perfidy_images.values = room;
  perfidy_images.functions[1] = kept;
}

TEST_F(Runtime, RefusesRecordsOfAnotherAbi) {
  perfidy_function other[2] = {round_trip_records[0], round_trip_records[1]};
  other[1].abi_version = PERFIDY_ABI_VERSION + 1;
  EXPECT_EXIT(perfidy_image_add(other, other + 2), testing::ExitedWithCode(2), "Rebuild");
}

// The ids of another image go on where the first image's end.
TEST_F(Runtime, ReadsSeveralImages) {
  static uint64_t counters[4] = {2, 9};
  static perfidy_function other[1] = {round_trip_records[0]};
  other[0].counters = counters;
  perfidy_image_add(other, other + 1);
  ASSERT_EQ(other[0].id, 3u);
  count(5, 0, true);
  std::vector<uint32_t> ids(4);
  ASSERT_EQ(perfidy_touched(ids.data(), 4), 3u);
  EXPECT_EQ(ids, (std::vector<uint32_t>{0, 2, 3, 0}));
  perfidy_read(ids.data(), 3);
  EXPECT_EQ(perfidy_function_at(3)->counts[0], 2u);
  EXPECT_EQ(perfidy_function_at(3)->counts[1], 9u);
  perfidy_reset();
  EXPECT_EQ(counters[0], 0u);
  EXPECT_EQ(perfidy_touched(ids.data(), 4), 0u);
  --perfidy_images.image_count;
  --perfidy_images.function_count;
}

// A million counters of which a few are touched: only their pages are looked at, and reading leaves
// the others untouched.
TEST_F(Runtime, LooksAtTouchedPagesOnly) {
  constexpr uint32_t kFunctions = 100000, kCounters = 10;
  size_t bytes = size_t(kFunctions) * kCounters * sizeof(uint64_t);
  void *memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  auto *counters = static_cast<uint64_t *>(memory);
  static std::vector<perfidy_function> many(kFunctions, round_trip_records[0]);
  for (uint32_t i = 0; i < kFunctions; ++i) {
    many[i].counters = counters + size_t(i) * kCounters;
    many[i].counter_count = kCounters - 1;
    many[i].work_count = 1;
  }
  perfidy_image_add(many.data(), many.data() + kFunctions);
  uint32_t base = many[0].id;
  for (uint32_t i : {7u, 50000u, 99999u})
    many[i].counters[9] = i;
  std::vector<uint32_t> ids(kFunctions);
  ASSERT_EQ(perfidy_touched(ids.data(), kFunctions), 3u);
  EXPECT_EQ(ids[1], base + 50000);
  perfidy_reset();
  EXPECT_EQ(many[50000].counters[9], 0u);
  const perfidy_image &image = perfidy_images.images[perfidy_images.image_count - 1];
  EXPECT_GT(image.page_count, 1900u);
  EXPECT_LE(std::count(image.touched, image.touched + image.page_count, 1), 9)
      << "the pages that were touched and their neighbours, into which counters reach";
  --perfidy_images.image_count;
  perfidy_images.function_count = base;
  munmap(memory, bytes);
}

TEST_F(Runtime, ReaderSeesTheTable) {
  close(open());
  Trace trace = readTrace(path);
  EXPECT_FALSE(trace.truncated);
  ASSERT_EQ(trace.functions.size(), 3u);
  const Function &first = trace.functions[0];
  EXPECT_EQ(first.name, "first");
  EXPECT_EQ(first.file, "a.c");
  EXPECT_EQ(first.directory, "/src");
  EXPECT_EQ(first.line, 2u);
  EXPECT_EQ(first.endLine, 7u);
  EXPECT_TRUE(first.harness);
  EXPECT_FALSE(first.readsOnly);
  EXPECT_EQ(first.blocks[0].loop, kNone);
  EXPECT_EQ(first.blocks[1].loop, 0u);
  EXPECT_EQ(first.blocks[2].instructions, 65535u);
  EXPECT_EQ(first.loops[0].preheader, 0u);
  EXPECT_EQ(first.loops[0].parent, kNone);
  EXPECT_EQ(first.loops[0].column, 3u);
  EXPECT_EQ(first.calls[0].work, 0u);
  EXPECT_EQ(first.calls[0].callee, "strlen");
  EXPECT_EQ(first.calls[1].kind, CallKind::Indirect);
  EXPECT_EQ(first.calls[1].callee, "");
  EXPECT_EQ(trace.functions[1].file, "") << "a null string reads as empty";
  EXPECT_EQ(trace.functions[2].firstBlock, 4u);
}

TEST_F(Runtime, ReaderSeesTheRun) {
  perfidy_harness_begin(12);
  perfidy_param("density", 0.25);
  perfidy_param("density", 0.75);
  perfidy_tag("outcome", "rejected");
  EXPECT_EQ(perfidy_scale("n", 99, 1, 50), 50u);
  for (int step = 0; step < 20000; ++step) // larger than one buffer
    perfidy_series(step % 2 ? "loss" : "norm", step, -step);
  count(uint64_t(1) << 62, 300, true);
  appendRun(50);
  Trace trace = readTrace(path);
  ASSERT_EQ(trace.runs.size(), 1u);
  const perfidy::Run &run = trace.runs[0];
  EXPECT_EQ(run.size, 50u);
  EXPECT_EQ(run.blocks, (SparseCounts{{0, 1}, {1, uint64_t(1) << 62}, {4, 1}, {5, 1}}));
  EXPECT_EQ(run.work, (SparseCounts{{0, 300}}));
  EXPECT_EQ(run.parameters, (std::map<std::string, double>{{"density", 0.75}, {"n", 50}}));
  EXPECT_EQ(run.tags,
            (std::map<std::string, std::string>{
                {"outcome", "rejected"}, {"parameter n", "scale 1 50"}, {"scale", "n"}}));
  const DeclaredParameter n = declaredParameters(trace).at("n");
  EXPECT_EQ(n.kind, ParameterKind::Scale);
  EXPECT_EQ(n.low, 1);
  EXPECT_EQ(n.high, 50);
  ASSERT_EQ(run.series.size(), 2u);
  ASSERT_EQ(run.series[1].step.size(), 10000u);
  EXPECT_EQ(run.series[1].step[9999], 19999);
  EXPECT_EQ(run.series[1].value[9999], -19999);
}

TEST_F(Runtime, AppendsToItsOwnTrace) {
  for (uint64_t size : {1, 2, 3}) {
    perfidy_harness_begin(0);
    count(size, 0, size == 2);
    appendRun(size);
    perfidy_reset();
  }
  Trace trace = readTrace(path);
  ASSERT_EQ(trace.runs.size(), 3u);
  EXPECT_EQ(countOf(trace.runs[2].blocks, 1), 3u);
  EXPECT_EQ(countOf(trace.runs[2].blocks, 4), 0u);
}

TEST_F(Runtime, RefusesATraceOfAnotherBuildOrOtherFiles) {
  appendRun(1);
  round_trip_records[0].line = 3;
  EXPECT_EQ(perfidy_trace_open(path.c_str()), -EINVAL);
  round_trip_records[0].line = 2;
  EXPECT_EQ(readTrace(path).runs.size(), 1u) << "refusing must not change the file";
  std::ofstream(path) << "the user's notes\n";
  EXPECT_EQ(perfidy_trace_open(path.c_str()), -EINVAL);
  EXPECT_EQ(std::filesystem::file_size(path), 17u);
  EXPECT_EQ(perfidy_trace_open("/nonexistent/trace"), -ENOENT);
}

// Wherever a process was killed while writing, the next one appends behind what is whole.
TEST_F(Runtime, CutsOffATornEnd) {
  close(open());
  uintmax_t table = std::filesystem::file_size(path);
  count(7, 9, true);
  appendRun(1);
  uintmax_t whole = std::filesystem::file_size(path);
  for (uintmax_t length = 1; length <= whole; ++length) {
    std::filesystem::remove(path);
    appendRun(1);
    std::filesystem::resize_file(path, length);
    appendRun(2);
    Trace trace = readTrace(path);
    EXPECT_FALSE(trace.truncated) << "cut at " << length;
    ASSERT_EQ(trace.runs.size(), length == whole ? 2u : 1u) << "cut at " << length;
    EXPECT_EQ(trace.runs.back().size, 2u);
    EXPECT_EQ(std::filesystem::file_size(path), length == whole ? 2 * whole - table : whole);
  }
}

// What looks torn may be a record that another process is just writing.
TEST_F(Runtime, LeavesTheEndAloneWhileOthersWrite) {
  appendRun(1);
  int other = open();
  std::filesystem::resize_file(path, std::filesystem::file_size(path) - 3);
  uintmax_t size = std::filesystem::file_size(path);
  close(open());
  EXPECT_EQ(std::filesystem::file_size(path), size);
  close(other);
  close(open());
  EXPECT_LT(std::filesystem::file_size(path), size);
}

TEST_F(Runtime, ManyProcessesAppendToOneTrace) {
  constexpr int kProcesses = 8, kRuns = 50;
  std::vector<pid_t> children;
  for (int i = 0; i < kProcesses; ++i) {
    pid_t child = fork();
    if (child == 0) {
      int descriptor = perfidy_trace_open(path.c_str()), errors = descriptor < 0;
      for (int r = 0; r < kRuns; ++r) {
        count(1 + uint64_t(r) * 1000000, 5, r % 2);
        errors += append(descriptor, uint64_t(i)) != 0;
      }
      _exit(errors);
    }
    children.push_back(child);
  }
  for (pid_t child : children) {
    int status = -1;
    waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
  }
  Trace trace = readTrace(path);
  EXPECT_FALSE(trace.truncated);
  EXPECT_EQ(trace.runs.size(), size_t(kProcesses) * kRuns);
}

TEST_F(Runtime, ReportsAFullDisk) { EXPECT_EQ(perfidy_trace_open("/dev/full"), -ENOSPC); }

TEST_F(Runtime, BuffersGrowAndKeepWhatTheyHold) {
  perfidy_buffer buffer = {};
  std::string expected;
  for (int i = 0; i < 100000; ++i) {
    std::string word = std::to_string(i);
    perfidy_put_bytes(&buffer, word.data(), word.size());
    expected += word;
  }
  ASSERT_EQ(buffer.length, expected.size());
  EXPECT_EQ(std::string(reinterpret_cast<char *>(buffer.data), buffer.length), expected);
}

// A buffer that cannot grow marks itself, and a run that holds it is refused, not written in part.
TEST_F(Runtime, RefusesARunThatDoesNotFitInMemory) {
  appendRun(1);
  uintmax_t size = std::filesystem::file_size(path);
  int descriptor = open();
  perfidy_buffer broken = {};
  broken.length = 1; // as after a failed growth: longer than its capacity
  perfidy_run run{};
  run.tags = 1;
  run.tag_bytes = &broken;
  EXPECT_EQ(perfidy_trace_run(descriptor, &run, nullptr, 0), -ENOMEM);
  close(descriptor);
  EXPECT_EQ(std::filesystem::file_size(path), size);
}

} // namespace
} // namespace perfidy
