#include "runtime/trace.h"
#include "runtime/abi.h"
#include "runtime/trace_derive.h"
#include "runtime/trace_writer.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <fmt/format.h>
#include <fstream>
#include <optional>

namespace perfidy {
namespace {

// Reads little-endian primitives and varints from a byte range; every error names file and offset.
class Cursor {
public:
  Cursor(const std::string &path, const std::string &bytes, size_t begin, size_t end)
      : path(path), bytes(bytes), at(begin), end(end) {}

  size_t offset() const { return at; }
  bool done() const { return at >= end; }
  size_t left() const { return end - at; }

  [[noreturn]] void fail(const std::string &what) const {
    throw Error(fmt::format("{}: corrupt trace at byte {}: {}. Record it again; the part before is "
                            "readable with a copy cut at that byte.",
                            path,
                            at,
                            what));
  }

  /// False when fewer than `number` varints end before the range does.
  bool holdsVarints(size_t number) const {
    size_t ends = 0;
    for (size_t i = at; i < end && i < at + 10 * number && ends < number; ++i)
      ends += static_cast<unsigned char>(bytes[i]) < 0x80;
    return ends == number || left() >= 10 * number;
  }

  uint64_t varint() {
    uint64_t value = 0;
    for (unsigned shift = 0; shift < 70; shift += 7) {
      if (at >= end)
        fail("a number is cut off");
      auto byte = static_cast<unsigned char>(bytes[at++]);
      if (shift == 63 && byte > 1)
        break;
      value |= uint64_t(byte & 0x7f) << shift;
      if (byte < 0x80)
        return value;
    }
    fail("a number has more than 64 bits");
  }

  uint32_t number() {
    uint64_t value = varint();
    if (value > 0xffffffffu)
      fail("a number is too large");
    return static_cast<uint32_t>(value);
  }

  /// A count of items of at least one byte each: bounds allocations by what is there.
  uint32_t count() {
    uint64_t value = varint();
    if (value > left())
      fail("a list is longer than its record");
    return static_cast<uint32_t>(value);
  }

  uint32_t optionalIndex() { return number() - 1; }

  std::string string() {
    uint64_t length = varint();
    if (length > left())
      fail("a string is longer than its record");
    std::string text = bytes.substr(at, length);
    at += length;
    return text;
  }

  template <typename T> T raw() {
    T value;
    if (left() < sizeof value)
      fail("a fixed-size field is cut off");
    std::memcpy(&value, bytes.data() + at, sizeof value);
    at += sizeof value;
    return value;
  }

private:
  const std::string &path;
  const std::string &bytes;
  size_t at, end;
};

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
  for (uint32_t i = in.count(); i > 0; --i) {
    std::string name = in.string();
    double step = in.raw<double>();
    addPoint(run, name, step, in.raw<double>());
  }
  run.blocks = readCounts(in, trace.blockTotal);
  run.work = readCounts(in, trace.workTotal);
  trace.runs.push_back(std::move(run));
}

void readLabel(Cursor &in, Trace &trace) {
  uint64_t index = in.varint();
  if (index >= trace.runs.size())
    in.fail("a label belongs to a run that is not there");
  std::string key = in.string();
  trace.runs[index].tags[key] = in.string();
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
  if (type != PERFIDY_RECORD_FUNCTION && type != PERFIDY_RECORD_RUN && type != PERFIDY_RECORD_LABEL)
    in.fail(fmt::format("record type {} is unknown", type));
  if (!reading.declared || (type == PERFIDY_RECORD_FUNCTION) == complete)
    in.fail("a record stands before the build record, or the region table is of another length");
  if (type == PERFIDY_RECORD_FUNCTION)
    readFunction(in, trace);
  else if (type == PERFIDY_RECORD_RUN)
    readRun(in, trace);
  else
    readLabel(in, trace);
}

// Reads one record; false when it is cut off at the end of the file.
bool readRecord(Reading &reading) {
  const std::string &bytes = reading.bytes;
  Cursor frame(reading.name, bytes, reading.at, bytes.size());
  if (!frame.holdsVarints(2))
    return false;
  uint64_t type = frame.varint(), length = frame.varint();
  if (frame.left() < 4 || length > frame.left() - 4)
    return false;
  size_t begin = frame.offset(), end = begin + length;
  uint32_t stored;
  std::memcpy(&stored, bytes.data() + end, sizeof stored);
  if (stored != XXH32(bytes.data() + begin, length, static_cast<uint32_t>(type)))
    frame.fail("the checksum of a record does not match");
  Cursor in(reading.name, bytes, begin, end);
  readPayload(in, type, reading);
  if (!in.done())
    in.fail("a record is longer than its fields");
  reading.at = end + sizeof stored;
  return true;
}

std::string readFile(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  if (!file)
    throw Error(fmt::format("{}: cannot be opened. Give the path of a trace file.", path));
  std::string bytes;
  std::array<char, 65536> chunk;
  while (file.read(chunk.data(), chunk.size()), file.gcount() > 0)
    bytes.append(chunk.data(), static_cast<size_t>(file.gcount()));
  // Opening a directory succeeds, reading it does not.
  if (file.bad())
    throw Error(fmt::format("{}: cannot be read. Give the path of a trace file.", path));
  return bytes;
}

} // namespace

Trace readTrace(const std::string &path) { return readTraceBytes(readFile(path), path); }

Trace readTraceBytes(const std::string &bytes, const std::string &name) {
  constexpr size_t kMagic = sizeof PERFIDY_TRACE_MAGIC - 1;
  if (bytes.size() < kMagic + 4 || bytes.compare(0, kMagic, PERFIDY_TRACE_MAGIC) != 0)
    throw Error(fmt::format("{}: not a Perfidy trace. Traces are written by an instrumented target "
                            "when PERFIDY_TRACE is set, or by 'perfidy trace'.",
                            name));
  Reading reading{name, bytes, kMagic + 4, {}, {}};
  Trace &trace = reading.trace;
  std::memcpy(&trace.version, bytes.data() + kMagic, sizeof trace.version);
  if (trace.version != PERFIDY_TRACE_VERSION)
    throw Error(
        fmt::format("{}: trace version {}, but this program reads version {}. Record it again "
                    "with a target built by this installation.",
                    name,
                    trace.version,
                    PERFIDY_TRACE_VERSION));
  while (reading.at < bytes.size() && !trace.truncated)
    trace.truncated = !readRecord(reading);
  // A table that ends early was cut off between two records.
  if (!reading.declared || trace.functions.size() < *reading.declared)
    trace.truncated = true;
  closeReadsOnly(trace);
  return std::move(reading.trace);
}

} // namespace perfidy
