// Traces built by hand: functions with blocks, loops and call sites, and runs whose counts are
// given by formulas of their size. Costs follow from the counts, as in a recorded trace.
#pragma once

#include "runtime/trace.h"

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>

namespace perfidy::sample {

/// (function, local index) -> count: stays right when functions are laid out in another order.
using LocalCounts = std::map<std::pair<uint32_t, uint32_t>, uint64_t>;

struct SampleRun {
  uint64_t size = 0;
  RunStatus status = RunStatus::Complete;
  std::map<std::string, std::string> tags;
  LocalCounts blocks, work;

  SampleRun &count(uint32_t function, uint32_t block, uint64_t times) {
    blocks[{function, block}] = times;
    return *this;
  }
  SampleRun &bytes(uint32_t function, uint32_t counter, uint64_t worked) {
    work[{function, counter}] = worked;
    return *this;
  }
};

/// Sizes first, 2 first, 4 first...
inline std::vector<uint64_t> doublingSizes(uint64_t first, size_t rungs) {
  std::vector<uint64_t> sizes(rungs);
  for (size_t i = 0; i < rungs; ++i)
    sizes[i] = first << i;
  return sizes;
}

class TraceBuilder {
public:
  static constexpr uint32_t kWeight = 4; ///< instructions of every block

  /// A function with its entry block 0. Lines are dealt so that no two regions share one.
  uint32_t addFunction(const std::string &name, const std::string &file = "src/sample.c") {
    Function function;
    function.name = function.display = name;
    function.file = file;
    function.line = nextLine;
    nextLine += 100;
    function.endLine = nextLine - 1;
    function.blocks.push_back(blockAt(function, kNone));
    functions.push_back(function);
    return static_cast<uint32_t>(functions.size() - 1);
  }

  Function &function(uint32_t id) { return functions[id]; }

  uint32_t addBlock(uint32_t id, uint32_t loop = kNone) {
    functions[id].blocks.push_back(blockAt(functions[id], loop));
    return static_cast<uint32_t>(functions[id].blocks.size() - 1);
  }

  /// A loop entered from the given block, with a header of its own.
  uint32_t addLoop(uint32_t id, uint32_t preheader = 0, uint32_t parent = kNone) {
    Function &function = functions[id];
    auto index = static_cast<uint32_t>(function.loops.size());
    Loop loop;
    loop.preheader = preheader;
    loop.parent = parent;
    loop.depth = parent == kNone ? 1 : function.loops[parent].depth + 1;
    loop.header = addBlock(id, index);
    loop.line = function.blocks[loop.header].line;
    loop.endLine = loop.line + 1;
    loop.column = 3;
    function.loops.push_back(loop);
    return index;
  }

  uint32_t header(uint32_t id, uint32_t loop) const { return functions[id].loops[loop].header; }
  uint32_t loopLine(uint32_t id, uint32_t loop) const { return functions[id].loops[loop].line; }

  uint32_t addCall(uint32_t id,
                   uint32_t block,
                   const std::string &callee,
                   CallKind kind = CallKind::Direct) {
    Function &function = functions[id];
    CallSite site;
    site.block = block;
    site.line = function.blocks[block].line;
    site.column = 5;
    site.kind = kind;
    site.callee = callee;
    if (kind == CallKind::Library)
      site.work = function.workCount++;
    function.calls.push_back(site);
    return static_cast<uint32_t>(function.calls.size() - 1);
  }

  /// One run; counts are filled in by the caller.
  SampleRun &addRun(uint64_t size, const std::string &classId = "") {
    runs.emplace_back();
    runs.back().size = size;
    if (!classId.empty())
      runs.back().tags["class"] = classId;
    return runs.back();
  }

  /// A class: one run per size, its counts by a formula.
  void addClass(const std::string &id,
                const std::vector<uint64_t> &sizes,
                const std::function<void(SampleRun &, uint64_t)> &fill) {
    for (uint64_t size : sizes)
      fill(addRun(size, id), size);
  }

  void shiftLines(uint32_t by) {
    for (Function &function : functions) {
      function.line += by;
      function.endLine += by;
      for (Block &block : function.blocks) {
        block.line += by;
        block.endLine += by;
      }
      for (Loop &loop : function.loops) {
        loop.line += by;
        loop.endLine += by;
      }
      for (CallSite &call : function.calls)
        call.line += by;
    }
  }

  /// The trace, its functions in the given order of ids (as made, when empty).
  Trace build(std::vector<uint32_t> order = {}) const {
    if (order.empty()) {
      order.resize(functions.size());
      std::iota(order.begin(), order.end(), 0u);
    }
    Trace trace;
    trace.version = 1;
    trace.build = "0123456789abcdef";
    std::vector<uint32_t> firstBlock(functions.size()), firstWork(functions.size());
    for (uint32_t id : order) {
      Function function = functions[id];
      firstBlock[id] = function.firstBlock = trace.blockTotal;
      firstWork[id] = function.firstWork = trace.workTotal;
      trace.blockTotal += static_cast<uint32_t>(function.blocks.size());
      trace.workTotal += function.workCount;
      trace.functions.push_back(std::move(function));
    }
    for (const SampleRun &run : runs)
      trace.runs.push_back(layOut(run, firstBlock, firstWork, trace.runs.size()));
    return trace;
  }

private:
  static Block blockAt(const Function &function, uint32_t loop) {
    Block block;
    block.line = block.endLine = function.line + 2 * static_cast<uint32_t>(function.blocks.size());
    block.loop = loop;
    block.instructions = kWeight;
    return block;
  }

  static SparseCounts sparse(const LocalCounts &counts, const std::vector<uint32_t> &first) {
    SparseCounts result;
    for (const auto &[at, count] : counts)
      if (count > 0)
        result.emplace_back(first[at.first] + at.second, count);
    std::sort(result.begin(), result.end());
    return result;
  }

  static Run layOut(const SampleRun &from,
                    const std::vector<uint32_t> &firstBlock,
                    const std::vector<uint32_t> &firstWork,
                    uint64_t number) {
    Run run;
    run.inputHash = number + 1;
    run.inputBytes = run.size = from.size;
    run.status = from.status;
    run.tags = from.tags;
    run.blocks = sparse(from.blocks, firstBlock);
    run.work = sparse(from.work, firstWork);
    uint64_t bytes = 0;
    for (const auto &[at, count] : from.blocks)
      run.cost += count * kWeight;
    for (const auto &[at, worked] : from.work)
      bytes += worked;
    run.cost += bytes / kWorkBytesPerInstruction;
    return run;
  }

  std::vector<Function> functions;
  std::vector<SampleRun> runs;
  uint32_t nextLine = 100;
};

/// run() calls `parse` once; parse has an outer loop over the input and, inside it, an inner loop.
struct NestedLoops {
  TraceBuilder builder;
  uint32_t run, parse, outer, body, inner;

  explicit NestedLoops(const std::string &name = "parse") {
    run = builder.addFunction("run");
    builder.function(run).harness = true;
    parse = builder.addFunction(name);
    builder.addCall(run, 0, name);
    outer = builder.addLoop(parse);
    body = builder.addBlock(parse, outer);
    inner = builder.addLoop(parse, body, outer);
  }

  /// Counts of one run: the outer loop turns n times, the inner one `perEntry` times each.
  void fill(SampleRun &into, uint64_t n, uint64_t perEntry) const {
    into.count(run, 0, 1).count(parse, 0, 1);
    into.count(parse, builder.header(parse, outer), n).count(parse, body, n);
    into.count(parse, builder.header(parse, inner), n * perEntry);
  }

  void addClass(const std::string &id,
                const std::vector<uint64_t> &sizes,
                const std::function<uint64_t(uint64_t)> &perEntry) {
    builder.addClass(id, sizes, [&](SampleRun &into, uint64_t n) { fill(into, n, perEntry(n)); });
  }
};

} // namespace perfidy::sample
