// The reader of traces: what it reads, and that it refuses everything else with a clear error.
#include "runtime/trace.h"
#include "runtime/trace_labels.h"
#include "test/unit/trace_bytes.h"
#include "tools/dump.h"

#include <cmath>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <limits>
#include <random>
#include <sstream>

namespace perfidy {
namespace {

using sample::framed;
using sample::Payload;
using sample::plainFunction;
using sample::plainRun;
using sample::traceHeader;
using sample::traceTable;

Trace read(const std::string &bytes) { return readTraceBytes(bytes, "sample.trace"); }

// The message with which bytes are refused; empty when they are read.
std::string refusal(const std::string &bytes) {
  try {
    read(bytes);
  } catch (const Error &error) {
    return error.what();
  }
  return "";
}

void expectRefused(const std::string &bytes, const std::string &part) {
  std::string message = refusal(bytes);
  EXPECT_NE(message.find(part), std::string::npos) << "message: " << message;
  EXPECT_EQ(message.rfind("sample.trace: ", 0), 0u) << message;
}

std::string smallTable() {
  return traceTable({plainFunction("f", "a.c", 3, 0), plainFunction("g", "a.c", 2, 1)});
}

std::string smallTrace() {
  return smallTable() + plainRun(1, {{0, 1}, {1, 70}, {2, 5}}) + plainRun(2, {{3, 1}, {1, 300}});
}

// Everything a trace can hold, with the extremes of each field.
std::string richTrace() {
  std::string calls = Payload()
                          .numbers({3, 0, 3, 7, 0, 0})
                          .text("_ZN1a1bEv")
                          .numbers({1, 3, 9, 1, 0})
                          .text("")
                          .numbers({1, 3, 9, 2, 2})
                          .text("strlen")
                          .bytes;
  std::string loops = Payload().numbers({2, 1, 1, 0, 1, 2, 4, 3, 2, 0, 1, 2, 3, 3, 5}).bytes;
  Payload first;
  first.number(3)
      .text("LLVMFuzzerTestOneInput")
      .text("src/a.cc")
      .text("/src")
      .numbers({1, 9, 2, 3});
  first.numbers({1, 1, 0, 65535, 3, 1}).numbers({2, 4, 1, 10, 0, 0}).numbers({3, 3, 2, 1, 0, 2});
  first.bytes += loops + calls;
  Payload second;
  second.number(0)
      .text("_ZN1a1bEv")
      .text("")
      .text("")
      .numbers({0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0});
  Payload full;
  full.raw<uint64_t>(~uint64_t(0)).numbers({4096, uint64_t(1) << 40, 1, ~uint64_t(0)});
  full.number(3).text("solver").raw(1.5).text("a b").raw(-0.0).text("").raw(-1e300);
  full.number(2).text("outcome").text("ok").text("bytes").text(std::string("\x00\xff\n", 3));
  full.number(4).text("loss").raw(0.0).raw(2.0).text("norm").raw(0.0);
  full.raw(std::numeric_limits<double>::infinity()).text("loss").raw(1.0).raw(0.5);
  full.text("loss").raw(2.0).raw(std::nan(""));
  full.numbers({3, 0, 1, 2, ~uint64_t(0), 1, 1, 2, 0, 9, 1, uint64_t(1) << 33});
  Payload label;
  label.number(1).text("class").text("fast");
  Payload crashed;
  crashed.raw<uint64_t>(7).numbers({0, 0, 2, 0, 0, 0, 0, 0, 0});
  return traceTable({first.bytes, second.bytes}) + framed(3, full.bytes) +
         framed(3, crashed.bytes) + framed(4, label.bytes);
}

TEST(Trace, ReadsEveryField) {
  Trace trace = read(richTrace());
  EXPECT_FALSE(trace.truncated);
  ASSERT_EQ(trace.functions.size(), 2u);
  const Function &first = trace.functions[0];
  EXPECT_TRUE(first.harness);
  EXPECT_FALSE(first.readsOnly);
  ASSERT_EQ(first.loops.size(), 2u);
  EXPECT_EQ(first.loops[0].preheader, 0u);
  EXPECT_EQ(first.loops[0].parent, kNone);
  EXPECT_EQ(first.loops[1].preheader, kNone);
  EXPECT_EQ(first.loops[1].parent, 0u);
  EXPECT_EQ(first.blocks[2].loop, 1u);
  ASSERT_EQ(first.calls.size(), 3u);
  EXPECT_EQ(first.calls[1].kind, CallKind::Indirect);
  EXPECT_EQ(first.calls[2].work, 1u);
  EXPECT_EQ(trace.functions[1].display, "a::b");
  EXPECT_EQ(trace.functions[1].firstBlock, 3u);
  ASSERT_EQ(trace.runs.size(), 2u);
  const perfidy::Run &full = trace.runs[0];
  EXPECT_EQ(full.status, RunStatus::Censored);
  EXPECT_EQ(full.cost, std::numeric_limits<uint64_t>::max());
  EXPECT_EQ(countOf(full.blocks, 0), 1u);
  EXPECT_EQ(countOf(full.blocks, 1), 1u); // the way to block 2: see completeInFlight()
  EXPECT_EQ(countOf(full.blocks, 2), std::numeric_limits<uint64_t>::max());
  EXPECT_EQ(countOf(full.blocks, 3), 1u);
  EXPECT_EQ(countOf(full.blocks, 4), 0u);
  EXPECT_EQ(countOf(full.work, 1), uint64_t(1) << 33);
  EXPECT_EQ(full.parameters.at("solver"), 1.5);
  EXPECT_EQ(full.tags.at("bytes"), std::string("\x00\xff\n", 3));
  ASSERT_EQ(full.series.size(), 2u);
  EXPECT_EQ(full.series[0].value.size(), 3u);
  EXPECT_EQ(trace.runs[1].status, RunStatus::Crashed);
  EXPECT_EQ(trace.runs[1].tags.at("class"), "fast");
}

// The released version 1: must read for ever. UPDATE_GOLDEN=1 rewrites it, which only a change that
// raises the version may need (under a new name).
TEST(Trace, ReadsVersion1Fixture) {
  const std::string base = PERFIDY_SOURCE_DIR "/test/golden/trace_v1";
  if (std::getenv("UPDATE_GOLDEN")) {
    std::ofstream(base + ".bin", std::ios::binary) << richTrace();
    std::ofstream text(base + ".txt", std::ios::binary);
    dumpTrace(read(richTrace()), DumpFormat::Text, text);
  }
  std::ostringstream actual, expected;
  dumpTrace(readTrace(base + ".bin"), DumpFormat::Text, actual);
  expected << std::ifstream(base + ".txt", std::ios::binary).rdbuf();
  EXPECT_EQ(actual.str(), expected.str());
}

TEST(Trace, RefusesWhatIsNoTrace) {
  expectRefused("", "not a Perfidy trace");
  expectRefused("perfidy\n", "not a Perfidy trace");
  expectRefused("#!/bin/sh\necho something long enough\n", "not a Perfidy trace");
  EXPECT_THROW(readTrace("/nonexistent/trace"), Error);
  EXPECT_THROW(readTrace(PERFIDY_SOURCE_DIR), Error) << "a directory";
}

TEST(Trace, RefusesOtherVersions) {
  for (uint32_t version : {0u, 3u, 0xffffffffu}) {
    std::string bytes = smallTrace();
    bytes.replace(0, 12, traceHeader(version));
    expectRefused(bytes, "trace version " + std::to_string(version));
  }
}

// No byte of a record can change unnoticed: an error, or (a frame that now reaches beyond the end
// of the file) `truncated`.
TEST(Trace, NoticesEveryFlippedByte) {
  const std::string whole = smallTrace();
  std::ostringstream expected;
  dumpTrace(read(whole), DumpFormat::Json, expected);
  for (size_t at = 0; at < whole.size(); ++at) {
    std::string bytes = whole;
    bytes[at] = static_cast<char>(bytes[at] ^ 0x21);
    if (!refusal(bytes).empty())
      continue;
    EXPECT_TRUE(read(bytes).truncated) << "byte " << at;
  }
}

TEST(Trace, NamesFileAndByteOfACorruptRecord) {
  std::string bytes = smallTable();
  size_t start = bytes.size();
  bytes += plainRun(1, {{0, 1}});
  bytes.back() = static_cast<char>(bytes.back() ^ 1);
  expectRefused(bytes, "corrupt trace at byte " + std::to_string(start + 2) + ": the checksum");
}

// A killed run loses at most the record being written, wherever it was cut.
TEST(Trace, ReadsAllWholeRecordsOfATornFile) {
  const std::string table = smallTable(), first = plainRun(1, {{0, 1}, {1, 70}, {2, 5}});
  const std::string whole = smallTrace();
  for (size_t length = 0; length < whole.size(); ++length) {
    std::string bytes = whole.substr(0, length);
    if (length < 12) {
      expectRefused(bytes, "not a Perfidy trace");
      continue;
    }
    Trace trace = read(bytes);
    size_t runs = length < table.size() + first.size() ? 0 : 1;
    EXPECT_EQ(trace.runs.size(), runs) << "cut at " << length;
    bool between = length == table.size() || length == table.size() + first.size();
    EXPECT_EQ(trace.truncated, !between) << "cut at " << length;
  }
}

TEST(Trace, SaysSoWhenTheTableIsIncomplete) {
  std::string bytes = smallTable();
  size_t last = framed(2, plainFunction("g", "a.c", 2, 1)).size();
  Trace trace = read(bytes.substr(0, bytes.size() - last));
  EXPECT_TRUE(trace.truncated);
  EXPECT_EQ(trace.functions.size(), 1u);
}

// Lengths far beyond the file must neither allocate nor crash.
TEST(Trace, RefusesAbsurdLengths) {
  const uint64_t huge = ~uint64_t(0);
  std::string start = Payload().number(0).text("f").text("a.c").text("").bytes;
  auto function = [&](const std::vector<uint64_t> &rest) {
    return traceTable({start + Payload().numbers(rest).bytes});
  };
  expectRefused(traceTable({Payload().numbers({0, huge}).bytes}), "string is longer");
  expectRefused(function({1, 1, 0, huge}), "list is longer");
  expectRefused(function({1, 1, 0, 1000}), "list is longer");
  expectRefused(function({1, 1, 0, 0, 5}), "list is longer");
  expectRefused(function({1, 1, 4000000000, 0, 0, 0}), "more work counters");
  expectRefused(function({1, 1, huge, 0, 0, 0}), "too large");
  expectRefused(smallTable() +
                    framed(3, Payload().raw<uint64_t>(1).numbers({1, 1, 0, 1, huge}).bytes),
                "list is longer");
  // A frame longer than the file is indistinguishable from one cut off.
  EXPECT_TRUE(read(smallTable() + Payload().numbers({3, huge}).bytes + "some bytes").truncated);
  EXPECT_TRUE(read(smallTable() + Payload().numbers({3, huge - 3}).bytes + "some bytes").truncated);
  expectRefused(smallTable() + std::string(30, '\xff'), "more than 64 bits");
}

TEST(Trace, RefusesReferencesToNothing) {
  std::string start = Payload().number(0).text("f").text("a.c").text("").numbers({1, 1}).bytes;
  auto function = [&](const std::vector<uint64_t> &rest) {
    return traceTable({start + Payload().numbers(rest).bytes});
  };
  expectRefused(function({0, 1, 1, 1, 1, 4, 0, 0, 0, 0}), "a block names a loop");
  expectRefused(function({0, 1, 1, 1, 0, 4, 0, 0, 1, 1, 0, 0, 1, 1, 1, 1, 0}), "a loop names");
  expectRefused(function({0, 1, 1, 1, 0, 4, 0, 0, 0, 1, 1, 1, 1, 0, 0, 0}), "a call site names");
  expectRefused(function({0, 1, 1, 1, 0, 4, 0, 0, 0, 1, 0, 1, 1, 4, 0, 0}), "a call site names");
  expectRefused(function({1, 1, 1, 1, 0, 4, 0, 0, 0, 1, 0, 1, 1, 2, 2, 0}), "a call site names");
  expectRefused(smallTable() + plainRun(1, {{5, 1}}), "no region");
  expectRefused(smallTable() + plainRun(1, {{4, 1}, {~uint64_t(0), 1}}), "no region");
  expectRefused(smallTable() + plainRun(1, {{1, 1}, {0, 1}}), "ascending");
  expectRefused(smallTable() + plainRun(1, {{1, 0}}), "not zero");
  expectRefused(smallTable() + framed(4, Payload().number(0).text("a").text("b").bytes),
                "a record belongs");
}

TEST(Trace, RefusesRecordsOutOfPlace) {
  std::string run = plainRun(1, {{0, 1}}), function = framed(2, plainFunction("h", "a.c", 1, 0));
  expectRefused(traceHeader() + run, "before the build record");
  expectRefused(traceHeader() + function, "before the build record");
  expectRefused(smallTable() + function, "another length");
  expectRefused(smallTable() + smallTable().substr(12), "second build");
  expectRefused(smallTable() + framed(5, "x"), "type 5 is unknown");
  expectRefused(smallTable() + framed((uint64_t(1) << 32) + 3, "x"), "is unknown");
  std::string longer = Payload().number(0).text("k").text("v").bytes + "rest";
  expectRefused(smallTrace() + framed(4, longer), "longer than its fields");
}

std::string temporaryPath() {
  return testing::TempDir() + "perfidy_labels_" + std::to_string(std::random_device()()) + ".trace";
}

TEST(Trace, ReadsLabelsThatWereAppended) {
  std::string path = temporaryPath();
  std::ofstream(path, std::ios::binary) << smallTrace();
  appendLabels(path, {{0, "class", "first"}, {1, "class", "x"}, {1, "key with \n", ""}});
  appendLabels(path, {{1, "class", "second"}});
  Trace trace = readTrace(path);
  std::filesystem::resize_file(path, std::filesystem::file_size(path) - 1);
  appendLabels(path, {{1, "class", "third"}});
  Trace repaired = readTrace(path);
  std::filesystem::remove(path);
  EXPECT_FALSE(repaired.truncated);
  EXPECT_EQ(repaired.runs[1].tags.at("class"), "third") << "behind a torn label";
  EXPECT_EQ(trace.runs[0].tags, (std::map<std::string, std::string>{{"class", "first"}}));
  EXPECT_EQ(trace.runs[1].tags,
            (std::map<std::string, std::string>{{"class", "second"}, {"key with \n", ""}}));
  EXPECT_THROW(appendLabels("/nonexistent/trace", {{0, "a", "b"}}), Error);
}

TEST(Trace, AppendsNoLabelsToOtherFiles) {
  std::string path = temporaryPath(), notes = "the user's notes, long enough for a header\n";
  std::ofstream(path) << notes;
  EXPECT_THROW(appendLabels(path, {{0, "a", "b"}}), Error);
  std::ostringstream kept;
  kept << std::ifstream(path).rdbuf();
  std::filesystem::remove(path);
  EXPECT_EQ(kept.str(), notes);
}

TEST(Trace, CountOfFindsEveryIndex) {
  SparseCounts counts = {{2, 5}, {7, 1}, {4000000000u, 9}};
  EXPECT_EQ(countOf(counts, 2), 5u);
  EXPECT_EQ(countOf(counts, 7), 1u);
  EXPECT_EQ(countOf(counts, 4000000000u), 9u);
  for (uint32_t absent : {0u, 1u, 3u, 8u, 0xffffffffu})
    EXPECT_EQ(countOf(counts, absent), 0u);
  EXPECT_EQ(countOf({}, 0), 0u);
}

// Reads names as people write them: C names stay, C++ names lose parameters.
TEST(Trace, DisplaysNames) {
  const std::vector<std::pair<std::string, std::string>> names = {{"f", "f"},
                                                                  {"i", "i"},
                                                                  {"main", "main"},
                                                                  {"_ZN1a1bEi", "a::b"},
                                                                  {"_Znot", "_Znot"},
                                                                  {"_ZN1aclEv", "a::operator()"},
                                                                  {"_Z1fIiEvT_", "void f<int>"}};
  std::vector<std::string> functions;
  for (const auto &[linkage, display] : names)
    functions.push_back(plainFunction(linkage, "a.c", 1, 0));
  Trace trace = read(traceTable(functions));
  for (size_t i = 0; i < names.size(); ++i)
    EXPECT_EQ(trace.functions[i].display, names[i].second);
}

} // namespace
} // namespace perfidy
