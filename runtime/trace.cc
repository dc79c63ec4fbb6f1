#include "runtime/trace.h"
#include "runtime/abi.h"
#include "runtime/trace_writer.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <cxxabi.h>
#include <fmt/format.h>
#include <fstream>
#include <memory>
#include <set>

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
  bool holdsVarints(unsigned number) const {
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

// "a::b<int>::f(char const*)" -> "a::b<int>::f": reports show names without parameter lists.
std::string displayName(const std::string &linkage) {
  // The demangler also reads types: a C function named f would become "float".
  if (linkage.compare(0, 2, "_Z") != 0)
    return linkage;
  int status = 0;
  std::unique_ptr<char, void (*)(void *)> demangled(
      abi::__cxa_demangle(linkage.c_str(), nullptr, nullptr, &status), std::free);
  if (status != 0 || !demangled)
    return linkage;
  std::string name = demangled.get();
  int depth = 0;
  for (size_t i = name.size(); i-- > 0;) {
    depth += name[i] == ')' ? 1 : name[i] == '(' ? -1 : 0;
    if (name[i] == '(' && depth == 0 && i > 0 && name[i - 1] != ':' && name[i - 1] != ' ' &&
        name.compare(i >= 8 ? i - 8 : 0, 8, "operator") != 0) {
      name.resize(i);
      break;
    }
  }
  return name;
}

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

// Reads one record; false when it is cut off at the end of the file.
bool readRecord(const std::string &path, const std::string &bytes, size_t &at, Trace &trace) {
  Cursor frame(path, bytes, at, bytes.size());
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
  Cursor in(path, bytes, begin, end);
  if (type == PERFIDY_RECORD_BUILD)
    trace.build = fmt::format("{:016x}", in.raw<uint64_t>());
  else if (type == PERFIDY_RECORD_FUNCTION)
    readFunction(in, trace);
  else if (type == PERFIDY_RECORD_RUN)
    readRun(in, trace);
  else if (type == PERFIDY_RECORD_LABEL)
    readLabel(in, trace);
  else
    frame.fail(fmt::format("record type {} is unknown", type));
  at = end + sizeof stored;
  return true;
}

// A function only reads if it stores nothing itself and all it calls only reads: a greatest
// fixpoint, so that recursion among readers stays a reader.
void closeReadsOnly(Trace &trace) {
  static const std::set<std::string> kReaders = {"strlen",
                                                 "strnlen",
                                                 "strspn",
                                                 "strcspn",
                                                 "strchr",
                                                 "strpbrk",
                                                 "index",
                                                 "strrchr",
                                                 "rindex",
                                                 "memchr",
                                                 "strstr",
                                                 "strcasestr",
                                                 "memcmp",
                                                 "bcmp",
                                                 "strcmp",
                                                 "strncmp",
                                                 "strcoll"};
  std::map<std::string, std::vector<size_t>> byName;
  for (size_t i = 0; i < trace.functions.size(); ++i)
    byName[trace.functions[i].name].push_back(i);
  auto callReads = [&](const CallSite &call) {
    if (call.kind == CallKind::Passed)
      return true;
    auto found = byName.find(call.callee);
    if (call.kind == CallKind::Indirect || found == byName.end())
      return kReaders.count(call.callee) > 0;
    return std::all_of(found->second.begin(), found->second.end(), [&](size_t i) {
      return trace.functions[i].readsOnly;
    });
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (Function &function : trace.functions)
      if (function.readsOnly &&
          !std::all_of(function.calls.begin(), function.calls.end(), callReads)) {
        function.readsOnly = false;
        changed = true;
      }
  }
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
  Trace trace;
  std::memcpy(&trace.version, bytes.data() + kMagic, sizeof trace.version);
  if (trace.version != PERFIDY_TRACE_VERSION)
    throw Error(
        fmt::format("{}: trace version {}, but this program reads version {}. Record it again "
                    "with a target built by this installation.",
                    name,
                    trace.version,
                    PERFIDY_TRACE_VERSION));
  size_t at = kMagic + 4;
  while (at < bytes.size())
    if (!readRecord(name, bytes, at, trace)) {
      trace.truncated = true;
      break;
    }
  closeReadsOnly(trace);
  return trace;
}

uint64_t countOf(const SparseCounts &counts, uint32_t index) {
  auto at = std::lower_bound(counts.begin(), counts.end(), index, [](const auto &pair, uint32_t i) {
    return pair.first < i;
  });
  return at != counts.end() && at->first == index ? at->second : 0;
}

std::string pathKey(const Trace &trace, const Run &run) {
  // Sum and xor of per-block hashes: the order of functions does not matter.
  uint64_t sum = 0, folded = 0;
  size_t function = 0;
  for (const auto &[index, count] : run.blocks) {
    while (function + 1 < trace.functions.size() &&
           trace.functions[function + 1].firstBlock <= index)
      ++function;
    const Function &owner = trace.functions[function];
    XXH128_hash_t hash = XXH3_128bits_withSeed(
        owner.name.data(), owner.name.size(), XXH3_64bits(owner.file.data(), owner.file.size()));
    uint64_t ordinal[3] = {hash.low64, hash.high64, index - owner.firstBlock};
    XXH128_hash_t block = XXH3_128bits(ordinal, sizeof ordinal);
    sum += block.low64;
    folded ^= block.high64 * (block.low64 | 1);
  }
  return fmt::format("{:016x}{:016x}", sum, folded);
}

} // namespace perfidy
