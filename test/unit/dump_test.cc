#include "tools/dump.h"

#include "sample_trace.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sstream>

namespace perfidy {
namespace {

using Json = nlohmann::json;

Trace smallTrace() {
  sample::TraceBuilder builder;
  const uint32_t run = builder.addFunction("run"), leaf = builder.addFunction("leaf", "b.c");
  builder.function(run).harness = true;
  builder.function(leaf).readsOnly = true;
  builder.addLoop(run);
  builder.addCall(run, 1, "leaf");
  builder.addCall(leaf, 0, "strlen", CallKind::Library);
  builder.addCall(leaf, 0, "", CallKind::Indirect);
  builder.addCall(leaf, 0, "run", CallKind::Passed);
  builder.addRun(8, "p01").count(run, 0, 1).count(run, 1, 8).count(leaf, 0, 7).bytes(leaf, 0, 80);
  builder.addRun(16).status = RunStatus::Censored;
  builder.addRun(32).status = RunStatus::Crashed;
  Trace trace = builder.build();
  trace.runs[0].inputBytes = 9;
  trace.runs[0].parameters["level"] = 2.5;
  trace.runs[0].tags["pump"] = std::string("a\\\n\0\xff", 5);
  trace.runs[0].series.push_back({"loss", {1, 2}, {0.5, 0.25}});
  return trace;
}

std::string dump(const Trace &trace, DumpFormat format) {
  std::ostringstream out;
  dumpTrace(trace, format, out);
  return out.str();
}

std::vector<std::string> linesOf(const std::string &text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);)
    lines.push_back(line);
  return lines;
}

TEST(DumpText, ShowsEverything) {
  EXPECT_EQ(dump(smallTrace(), DumpFormat::Text), R"(trace version 1 build 0123456789abcdef
function 0 run src/sample.c:100-199 harness
  block 0 lines 100-100 loop - instructions 4 memory 0 calls 0
  block 1 lines 102-102 loop 0 instructions 4 memory 0 calls 0
  loop 0 header 1 preheader 0 parent - depth 1 lines 102-103 column 3
  call direct leaf block 1 line 102 column 5 work -
function 1 leaf b.c:200-299 reads-only
  block 0 lines 200-200 loop - instructions 4 memory 0 calls 0
  call library strlen block 0 line 200 column 5 work 0
  call indirect - block 0 line 200 column 5 work -
  call passed run block 0 line 200 column 5 work -
run 0 input 0000000000000001 bytes 9 size 8 status complete cost 74
  parameter level 2.5
  tag class p01
  tag pump a\x5c\x0a\x00\xff
  series loss 1 0.5
  series loss 2 0.25
  count run 0 1
  count run 1 8
  count leaf 0 7
  work 0 80
run 1 input 0000000000000002 bytes 16 size 16 status censored cost 0
run 2 input 0000000000000003 bytes 32 size 32 status crashed cost 0
)");
}

TEST(DumpText, SaysThatTheTraceIsCut) {
  Trace trace = smallTrace();
  trace.truncated = true;
  EXPECT_EQ(linesOf(dump(trace, DumpFormat::Text)).back(), "truncated");
}

TEST(DumpCsv, OneLinePerRun) {
  const Trace trace = smallTrace();
  const std::vector<std::string> lines = linesOf(dump(trace, DumpFormat::Csv));
  ASSERT_EQ(lines.size(), 4u);
  EXPECT_EQ(lines[0], "run,input,bytes,size,status,cost,path");
  EXPECT_EQ(lines[1], "0,0000000000000001,9,8,complete,74," + pathKey(trace, trace.runs[0]));
  EXPECT_EQ(lines[2], "1,0000000000000002,16,16,censored,0," + pathKey(trace, trace.runs[1]));
  EXPECT_EQ(pathKey(trace, trace.runs[0]).size(), 32u);
  EXPECT_NE(pathKey(trace, trace.runs[0]), pathKey(trace, trace.runs[1]));
}

TEST(DumpJson, OneObjectPerLineFunctionsFirst) {
  const Trace trace = smallTrace();
  const std::vector<std::string> lines = linesOf(dump(trace, DumpFormat::Json));
  ASSERT_EQ(lines.size(), 6u);
  EXPECT_EQ(Json::parse(lines[0]),
            Json({{"type", "build"}, {"build", "0123456789abcdef"}, {"version", 1}}));
  const Json leaf = Json::parse(lines[2]);
  EXPECT_EQ(leaf["type"], "function");
  EXPECT_EQ(leaf["name"], "leaf");
  EXPECT_EQ(leaf["file"], "b.c");
  EXPECT_EQ(leaf["first_block"], 2);
  EXPECT_EQ(leaf["blocks"], 1);
  const Json run = Json::parse(lines[3]);
  EXPECT_EQ(run["type"], "run");
  EXPECT_EQ(run["size"], 8);
  EXPECT_EQ(run["bytes"], 9);
  EXPECT_EQ(run["cost"], 74);
  EXPECT_EQ(run["path"], pathKey(trace, trace.runs[0]));
  EXPECT_EQ(run["parameters"]["level"], 2.5);
  EXPECT_EQ(run["tags"]["pump"], "a\\x5c\\x0a\\x00\\xff") << "raw bytes would be no JSON";
  EXPECT_EQ(run["blocks"], Json({{0, 1}, {1, 8}, {2, 7}}));
  EXPECT_EQ(run["work"], Json::parse("[[0, 80]]"));
  EXPECT_EQ(Json::parse(lines[5])["status"], "crashed");
}

TEST(Dump, SameBytesEachTime) {
  for (DumpFormat format : {DumpFormat::Text, DumpFormat::Csv, DumpFormat::Json}) {
    const std::string first = dump(smallTrace(), format);
    EXPECT_FALSE(first.empty());
    EXPECT_EQ(first, dump(smallTrace(), format));
  }
}

TEST(Dump, EmptyTrace) {
  EXPECT_EQ(dump(Trace(), DumpFormat::Text), "trace version 0 build \n");
  EXPECT_EQ(linesOf(dump(Trace(), DumpFormat::Csv)).size(), 1u);
  EXPECT_EQ(linesOf(dump(Trace(), DumpFormat::Json)).size(), 1u);
}

} // namespace
} // namespace perfidy
