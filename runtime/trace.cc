#include "runtime/trace.h"
#include "runtime/abi.h"
#include "runtime/trace_cursor.h"
#include "runtime/trace_derive.h"
#include "runtime/trace_in_flight.h"
#include "runtime/trace_writer.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <fmt/format.h>
#include <optional>
#include <zlib.h>

namespace perfidy {
namespace {

void readBlocks(Cursor &in, Function &function) {
  function.blocks.resize(in.count());
  for (Block &block : function.blocks) {
    block.line = in.number();
    block.endLine = in.number();
    block.loop = in.optionalIndex();
    block.instructions = in.number();
    block.memory = in.number();
    block.calls = in.number();
  }
}

void readLoops(Cursor &in, Function &function) {
  function.loops.resize(in.count());
  for (Loop &loop : function.loops) {
    loop.header = in.number();
    loop.preheader = in.optionalIndex();
    loop.parent = in.optionalIndex();
    loop.depth = in.number();
    loop.line = in.number();
    loop.endLine = in.number();
    loop.column = in.number();
    if (loop.header >= function.blocks.size() ||
        (loop.preheader != kNone && loop.preheader >= function.blocks.size()) ||
        (loop.parent != kNone && loop.parent >= function.loops.size()))
      in.fail("a loop names a block or loop that is not there");
  }
  for (const Block &block : function.blocks)
    if (block.loop != kNone && block.loop >= function.loops.size())
      in.fail("a block names a loop that is not there");
}

void readCalls(Cursor &in, Function &function) {
  function.calls.resize(in.count());
  for (CallSite &call : function.calls) {
    call.block = in.number();
    call.line = in.number();
    call.column = in.number();
    call.kind = static_cast<CallKind>(in.number());
    call.work = in.optionalIndex();
    call.callee = in.string();
    if (call.block >= function.blocks.size() || call.kind > CallKind::Passed ||
        (call.work != kNone && call.work >= function.workCount))
      in.fail("a call site names a block, kind or counter that is not there");
  }
}

void readFunction(Cursor &in, Trace &trace) {
  Function function;
  uint32_t flags = in.number();
  function.readsOnly = !(flags & PERFIDY_FN_WRITES);
  function.harness = flags & PERFIDY_FN_HARNESS;
  function.walks = flags & PERFIDY_FN_FOLLOWS;
  function.name = in.string();
  function.display = displayName(function.name);
  function.file = in.string();
  function.directory = in.string();
  function.line = in.number();
  function.endLine = in.number();
  function.workCount = in.number();
  function.firstBlock = trace.blockTotal;
  function.firstWork = trace.workTotal;
  readBlocks(in, function);
  readLoops(in, function);
  readCalls(in, function);
  // Every work counter belongs to a call site, which also keeps the totals within 32 bits.
  if (function.workCount > function.calls.size())
    in.fail("a function has more work counters than call sites");
  trace.blockTotal += static_cast<uint32_t>(function.blocks.size());
  trace.workTotal += function.workCount;
  trace.functions.push_back(std::move(function));
}

SparseCounts readCounts(Cursor &in, uint32_t total) {
  SparseCounts counts;
  uint32_t number = in.count();
  counts.reserve(number);
  uint64_t index = 0;
  for (uint32_t i = 0; i < number; ++i) {
    uint64_t step = in.varint();
    // Compared before adding: the sum of two 64-bit numbers could wrap around.
    if (step >= total - index)
      in.fail("a count belongs to no region of this build");
    index += step;
    uint64_t value = in.varint();
    if (value == 0 || (i > 0 && step == 0))
      in.fail("counts must be ascending and not zero");
    counts.emplace_back(static_cast<uint32_t>(index), value);
  }
  return counts;
}

void addPoint(Run &run, const std::string &name, double step, double value) {
  auto found = std::find_if(
      run.series.begin(), run.series.end(), [&](const Series &s) { return s.name == name; });
  if (found == run.series.end())
    found = run.series.insert(run.series.end(), Series{name, {}, {}});
  found->step.push_back(step);
  found->value.push_back(value);
}

void readPoints(Cursor &in, Run &run) {
  for (uint32_t i = in.count(); i > 0; --i) {
    std::string name = in.string();
    double step = in.raw<double>();
    addPoint(run, name, step, in.raw<double>());
  }
}

void readRun(Cursor &in, Trace &trace) {
  Run run;
  run.inputHash = in.raw<uint64_t>();
  run.inputBytes = in.varint();
  run.size = in.varint();
  run.status = static_cast<RunStatus>(std::min<uint32_t>(in.number(), 2));
  run.cost = in.varint();
  for (uint32_t i = in.count(); i > 0; --i) {
    std::string name = in.string();
    run.parameters[name] = in.raw<double>();
  }
  for (uint32_t i = in.count(); i > 0; --i) {
    std::string key = in.string();
    run.tags[key] = in.string();
  }
  readPoints(in, run);
  run.blocks = readCounts(in, trace.blockTotal);
  run.work = readCounts(in, trace.workTotal);
  trace.runs.push_back(std::move(run));
}

// The run that a later record adds to.
Run &laterRun(Cursor &in, Trace &trace) {
  uint64_t index = in.varint();
  if (index >= trace.runs.size())
    in.fail("a record belongs to a run that is not there");
  return trace.runs[index];
}

void readLabel(Cursor &in, Trace &trace) {
  Run &run = laterRun(in, trace);
  std::string key = in.string();
  run.tags[key] = in.string();
}

/// What is known while a file is being read.
struct Reading {
  const std::string &name, &bytes;
  size_t at; ///< start of the next record
  Trace trace;
  std::optional<uint32_t> declared; ///< functions announced by the build record
};

void readBuild(Cursor &in, Reading &reading) {
  if (reading.declared)
    in.fail("a second build record");
  reading.trace.build = fmt::format("{:016x}", in.raw<uint64_t>());
  reading.declared = in.number();
}

void readPayload(Cursor &in, uint64_t type, Reading &reading) {
  Trace &trace = reading.trace;
  bool complete = reading.declared && trace.functions.size() == *reading.declared;
  if (type == PERFIDY_RECORD_BUILD)
    return readBuild(in, reading);
  if (type != PERFIDY_RECORD_FUNCTION && type != PERFIDY_RECORD_RUN &&
      type != PERFIDY_RECORD_LABEL &&
      (type != PERFIDY_RECORD_POINTS || trace.version < PERFIDY_TRACE_VERSION_POINTS))
    in.fail(fmt::format("record type {} is unknown", type));
  if (!reading.declared || (type == PERFIDY_RECORD_FUNCTION) == complete)
    in.fail("a record stands before the build record, or the region table is of another length");
  if (type == PERFIDY_RECORD_FUNCTION)
    readFunction(in, trace);
  else if (type == PERFIDY_RECORD_RUN)
    readRun(in, trace);
  else if (type == PERFIDY_RECORD_LABEL)
    readLabel(in, trace);
  else
    readPoints(in, laterRun(in, trace));
}

struct Frame {
  uint64_t type = 0;
  size_t begin = 0, end = 0; ///< of the payload
};

constexpr size_t kMagic = sizeof PERFIDY_TRACE_MAGIC - 1, kHeader = kMagic + 4, kChecksum = 4;

// Reads type and length of the record at `at`; false when it is cut off at the end of the file.
bool readFrame(const std::string &name, const std::string &bytes, size_t at, Frame &frame) {
  Cursor in(name, bytes, at, bytes.size());
  if (!in.holdsVarints(2))
    return false;
  frame.type = in.varint();
  uint64_t length = in.varint();
  if (in.left() < kChecksum || length > in.left() - kChecksum)
    return false;
  frame.begin = in.offset();
  frame.end = frame.begin + length;
  return true;
}

// Reads one record; false when it is cut off at the end of the file.
bool readRecord(Reading &reading) {
  const std::string &bytes = reading.bytes;
  Frame frame;
  if (!readFrame(reading.name, bytes, reading.at, frame))
    return false;
  Cursor in(reading.name, bytes, frame.begin, frame.end);
  uint32_t stored;
  std::memcpy(&stored, bytes.data() + frame.end, sizeof stored);
  if (stored != XXH32(bytes.data() + frame.begin, in.left(), static_cast<uint32_t>(frame.type)))
    in.fail("the checksum of a record does not match");
  readPayload(in, frame.type, reading);
  if (!in.done())
    in.fail("a record is longer than its fields");
  reading.at = frame.end + kChecksum;
  return true;
}

// Also what gzip has compressed; zlib passes other files through as they are.
std::string readFile(const std::string &path) {
  gzFile file = gzopen(path.c_str(), "rb");
  if (!file)
    throw Error(fmt::format("{}: cannot be opened. Give the path of a trace file.", path));
  std::string bytes;
  std::array<char, 65536> chunk;
  int got = 0;
  while ((got = gzread(file, chunk.data(), chunk.size())) > 0)
    bytes.append(chunk.data(), static_cast<size_t>(got));
  gzclose(file);
  // Opening a directory succeeds, reading it does not.
  if (got < 0)
    throw Error(fmt::format("{}: cannot be read. Give the path of a trace file.", path));
  return bytes;
}

uint32_t readHeader(const std::string &name, const std::string &bytes) {
  if (bytes.size() < kHeader || bytes.compare(0, kMagic, PERFIDY_TRACE_MAGIC) != 0)
    throw Error(fmt::format("{}: not a Perfidy trace. Traces are written by an instrumented target "
                            "when PERFIDY_TRACE is set, or by 'perfidy trace'.",
                            name));
  uint32_t version;
  std::memcpy(&version, bytes.data() + kMagic, sizeof version);
  if (version != PERFIDY_TRACE_VERSION && version != PERFIDY_TRACE_VERSION_POINTS)
    throw Error(fmt::format("{}: trace version {}, but this program reads versions {} and {}. "
                            "Record it again with a target built by this installation.",
                            name,
                            version,
                            PERFIDY_TRACE_VERSION,
                            PERFIDY_TRACE_VERSION_POINTS));
  return version;
}

} // namespace

Trace readTrace(const std::string &path) { return readTraceBytes(readFile(path), path); }

Trace readTraceBytes(const std::string &bytes, const std::string &name) {
  Reading reading{name, bytes, kHeader, {}, {}};
  Trace &trace = reading.trace;
  trace.version = readHeader(name, bytes);
  while (reading.at < bytes.size() && !trace.truncated)
    trace.truncated = !readRecord(reading);
  // A table that ends early was cut off between two records.
  if (!reading.declared || trace.functions.size() < *reading.declared)
    trace.truncated = true;
  closeReadsOnly(trace);
  completeInFlight(trace);
  return std::move(reading.trace);
}

TraceExtent traceExtent(const std::string &path) {
  std::string bytes = readFile(path);
  readHeader(path, bytes);
  TraceExtent extent{kHeader, 0};
  for (Frame frame; readFrame(path, bytes, extent.bytes, frame);) {
    extent.bytes = frame.end + kChecksum;
    extent.runs += frame.type == PERFIDY_RECORD_RUN;
  }
  return extent;
}

} // namespace perfidy
