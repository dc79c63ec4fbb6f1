#include "tools/dump.h"

#include <fmt/ostream.h>
#include <nlohmann/json.hpp>

namespace perfidy {
namespace {

using Json = nlohmann::ordered_json;

const char *statusName(RunStatus status) {
  switch (status) {
  case RunStatus::Complete: return "complete";
  case RunStatus::Censored: return "censored";
  case RunStatus::Crashed: break;
  }
  return "crashed";
}

const char *kindName(CallKind kind) {
  switch (kind) {
  case CallKind::Direct: return "direct";
  case CallKind::Indirect: return "indirect";
  case CallKind::Library: return "library";
  case CallKind::Passed: break;
  }
  return "passed";
}

std::string index(uint32_t value) { return value == kNone ? "-" : fmt::format("{}", value); }

// Tags hold raw bytes; text shows what is not printable as \xNN.
std::string printable(const std::string &text) {
  std::string out;
  for (unsigned char c : text)
    out += c >= 32 && c < 127 && c != '\\' ? std::string(1, static_cast<char>(c))
                                           : fmt::format("\\x{:02x}", c);
  return out;
}

void dumpFunction(const Function &function, size_t id, std::ostream &out) {
  fmt::print(out,
             "function {} {} {}:{}-{}{}{}{}\n",
             id,
             printable(function.name),
             printable(function.file),
             function.line,
             function.endLine,
             function.readsOnly ? " reads-only" : "",
             function.walks ? " walks" : "",
             function.harness ? " harness" : "");
  for (size_t b = 0; b < function.blocks.size(); ++b) {
    const Block &block = function.blocks[b];
    fmt::print(out,
               "  block {} lines {}-{} loop {} instructions {} memory {} calls {}\n",
               b,
               block.line,
               block.endLine,
               index(block.loop),
               block.instructions,
               block.memory,
               block.calls);
  }
  for (size_t l = 0; l < function.loops.size(); ++l) {
    const Loop &loop = function.loops[l];
    fmt::print(out,
               "  loop {} header {} preheader {} parent {} depth {} lines {}-{} column {}\n",
               l,
               loop.header,
               index(loop.preheader),
               index(loop.parent),
               loop.depth,
               loop.line,
               loop.endLine,
               loop.column);
  }
  for (const CallSite &call : function.calls)
    fmt::print(out,
               "  call {} {} block {} line {} column {} work {}\n",
               kindName(call.kind),
               call.callee.empty() ? "-" : printable(call.callee),
               call.block,
               call.line,
               call.column,
               index(call.work));
}

void dumpRun(const Trace &trace, size_t number, std::ostream &out) {
  const Run &run = trace.runs[number];
  fmt::print(out,
             "run {} input {:016x} bytes {} size {} status {} cost {}\n",
             number,
             run.inputHash,
             run.inputBytes,
             run.size,
             statusName(run.status),
             run.cost);
  for (const auto &[name, value] : run.parameters)
    fmt::print(out, "  parameter {} {}\n", printable(name), value);
  for (const auto &[key, value] : run.tags)
    fmt::print(out, "  tag {} {}\n", printable(key), printable(value));
  for (const Series &series : run.series)
    for (size_t i = 0; i < series.value.size(); ++i)
      fmt::print(
          out, "  series {} {} {}\n", printable(series.name), series.step[i], series.value[i]);
  size_t id = 0;
  for (const auto &[block, count] : run.blocks) {
    while (id + 1 < trace.functions.size() && trace.functions[id + 1].firstBlock <= block)
      ++id;
    fmt::print(out,
               "  count {} {} {}\n",
               printable(trace.functions[id].name),
               block - trace.functions[id].firstBlock,
               count);
  }
  for (const auto &[work, bytes] : run.work)
    fmt::print(out, "  work {} {}\n", work, bytes);
}

Json runJson(const Trace &trace, const Run &run, size_t number) {
  Json json;
  json["type"] = "run";
  json["run"] = number;
  json["input"] = fmt::format("{:016x}", run.inputHash);
  json["bytes"] = run.inputBytes;
  json["size"] = run.size;
  json["status"] = statusName(run.status);
  json["cost"] = run.cost;
  json["path"] = pathKey(trace, run);
  json["parameters"] = Json::object();
  for (const auto &[name, value] : run.parameters)
    json["parameters"][printable(name)] = value;
  json["tags"] = Json::object();
  for (const auto &[key, value] : run.tags)
    json["tags"][printable(key)] = printable(value);
  json["blocks"] = run.blocks;
  json["work"] = run.work;
  return json;
}

void dumpJson(const Trace &trace, std::ostream &out) {
  out << Json{{"type", "build"}, {"build", trace.build}, {"version", trace.version}}.dump() << '\n';
  for (size_t id = 0; id < trace.functions.size(); ++id) {
    const Function &function = trace.functions[id];
    Json json;
    json["type"] = "function";
    json["function"] = id;
    json["name"] = printable(function.name);
    json["display"] = printable(function.display);
    json["file"] = printable(function.file);
    json["line"] = function.line;
    json["end_line"] = function.endLine;
    json["first_block"] = function.firstBlock;
    json["blocks"] = function.blocks.size();
    json["loops"] = function.loops.size();
    out << json.dump() << '\n';
  }
  for (size_t i = 0; i < trace.runs.size(); ++i)
    out << runJson(trace, trace.runs[i], i).dump() << '\n';
}

} // namespace

void dumpTrace(const Trace &trace, DumpFormat format, std::ostream &out) {
  if (format == DumpFormat::Json)
    return dumpJson(trace, out);
  if (format == DumpFormat::Csv) {
    out << "run,input,bytes,size,status,cost,path\n";
    for (size_t i = 0; i < trace.runs.size(); ++i) {
      const Run &run = trace.runs[i];
      fmt::print(out,
                 "{},{:016x},{},{},{},{},{}\n",
                 i,
                 run.inputHash,
                 run.inputBytes,
                 run.size,
                 statusName(run.status),
                 run.cost,
                 pathKey(trace, run));
    }
    return;
  }
  fmt::print(out, "trace version {} build {}\n", trace.version, trace.build);
  for (size_t id = 0; id < trace.functions.size(); ++id)
    dumpFunction(trace.functions[id], id, out);
  for (size_t i = 0; i < trace.runs.size(); ++i)
    dumpRun(trace, i, out);
  if (trace.truncated)
    out << "truncated\n";
}

} // namespace perfidy
