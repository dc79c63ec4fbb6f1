// What a trace file holds, as hosted code sees it; the only reader of trace files.
//
// Owns the in-memory form of a trace: the region table of one build (functions, blocks, loops, call
// sites) and the runs recorded with it. Everything after the trace (explainer, tools) works on this
// and never looks back at a binary. The byte format is described in FORMAT.md; the writer that
// lives in the target's process is trace_writer.h. Never: analysis, printing.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace perfidy {

/// The error of all hosted code: a sentence for people (what is wrong, where, what to do). Caught
/// once, in tools/perfidy.cc.
class Error : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

/// "There is none": no enclosing loop, no preheader, no callee.
inline constexpr uint32_t kNone = 0xffffffffu;

/// One basic block. Lines are 1-based, 0 when the build has no debug information.
struct Block {
  uint32_t line = 0;         ///< smallest source line of its instructions
  uint32_t endLine = 0;      ///< largest one
  uint32_t loop = kNone;     ///< innermost loop, index into Function::loops
  uint32_t instructions = 0; ///< static weight of one execution, model "instructions"
  uint32_t memory = 0;       ///< loads and stores in it, model "memory"
  uint32_t calls = 0;        ///< calls in it, model "calls"
};

/// One natural loop. Executions per entry = count(header) / count(preheader).
struct Loop {
  uint32_t header = 0;        ///< block index in the function
  uint32_t preheader = kNone; ///< block index; kNone when the loop has no single entry block
  uint32_t parent = kNone;    ///< enclosing loop, index into Function::loops
  uint32_t depth = 1;         ///< 1 = outermost
  uint32_t line = 0, endLine = 0, column = 0;
};

/// How a call site reaches its callee.
enum class CallKind : uint8_t {
  Direct,   ///< to the function named in `callee`
  Indirect, ///< through a pointer; `callee` is empty
  Library, ///< uninstrumented function whose argument-dependent work is counted (strlen, memcpy...)
  Passed   ///< not a call: a function's address is an argument here, so the callee may call it back
};

/// One call site.
struct CallSite {
  uint32_t block = 0; ///< block that holds the call, index in the function
  uint32_t line = 0, column = 0;
  CallKind kind = CallKind::Direct;
  uint32_t work = kNone; ///< Library only: index of its work counter in Run::work of this function
  std::string callee;    ///< linkage name
};

/// One instrumented function. Ids are positions in Trace::functions: they follow link order and
/// mean nothing across builds; identity across builds is (name, file).
struct Function {
  std::string name;    ///< linkage name as written by the user (no instrumentation suffix)
  std::string display; ///< demangled, without parameter list; what reports print
  std::string file;    ///< as the compiler was given it
  std::string directory;
  uint32_t line = 0, endLine = 0;
  bool readsOnly = false; ///< writes no memory but its own locals, nor does anything it calls
  /// Its loops follow pointers found in memory: a reader that does walks a structure of its own
  /// (a list, a table, a buffer of an object), which it could keep in better order. One that does
  /// not scans the bytes it is given and cannot know that it is asked again.
  bool walks = false;
  bool harness = false;    ///< the fuzz target's own entry point
  uint32_t firstBlock = 0; ///< global index of block 0: block b of the function is firstBlock + b
  uint32_t firstWork = 0;  ///< global index of work counter 0
  uint32_t workCount = 0;
  std::vector<Block> blocks;
  std::vector<Loop> loops;
  std::vector<CallSite> calls;
};

/// How a run ended.
enum class RunStatus : uint8_t {
  Complete,
  Censored, ///< stopped because its cost passed the budget: cost and counts are lower bounds
  Crashed,  ///< the process died in it (counts as far as known)
};

/// (global index, count), ascending by index, only non-zero counts.
using SparseCounts = std::vector<std::pair<uint32_t, uint64_t>>;

/// One named series of numbers recorded during a run, in the order written.
struct Series {
  std::string name;
  std::vector<double> step, value;
};

/// One execution of the measured function on one input.
struct Run {
  uint64_t inputHash = 0;  ///< XXH3-64 of the input bytes; joins runs with files
  uint64_t inputBytes = 0; ///< length of the input
  uint64_t size = 0;       ///< declared by perfidy_size(), else inputBytes
  RunStatus status = RunStatus::Complete;
  uint64_t cost = 0;                        ///< weighted IR instructions plus library work
  SparseCounts blocks;                      ///< by global block index
  SparseCounts work;                        ///< by global work index; unit: bytes
  std::map<std::string, double> parameters; ///< perfidy_param()
  std::map<std::string, std::string> tags;  ///< perfidy_tag(), and labels added by filters
  std::vector<Series> series;
};

/// Library work is counted in bytes; this many bytes weigh as one IR instruction.
inline constexpr uint64_t kWorkBytesPerInstruction = 8;

struct Trace {
  uint32_t version = 0;
  std::string build; ///< fingerprint of the region table: traces are merged by id only if equal
  std::vector<Function> functions;
  std::vector<Run> runs;
  uint32_t blockTotal = 0, workTotal = 0;
  bool truncated =
      false; ///< the last record was cut off (killed run); everything before it is here
};

/// Reads a whole trace file. Throws Error naming file, offset and remedy when the file is missing,
/// not a trace, of another version or corrupt; a cut-off last record is not an error (`truncated`).
Trace readTrace(const std::string &path);

/// The same over bytes in memory; `name` stands for the file in messages.
Trace readTraceBytes(const std::string &bytes, const std::string &name);

/// What a trace file holds in whole records, header included.
struct TraceExtent {
  size_t bytes = 0; ///< up to the end of the last whole record
  size_t runs = 0;  ///< run records
};

/// Walks the record frames of a trace file; checks no checksum. Throws as readTrace does.
TraceExtent traceExtent(const std::string &path);

/// What a parameter of the harness is (perfidy_param_..., perfidy_scale).
enum class ParameterKind : uint8_t { Enum = 1, Integer, Log, Real, Scale };

/// A declared parameter. Its values are in Run::parameters; those of an enumeration are indexes.
struct DeclaredParameter {
  ParameterKind kind = ParameterKind::Real;
  double low = 0, high = 0;
  std::vector<std::string> values; ///< Enum: names
};

/// The parameters that runs of the trace declare, by name; those of perfidy_param() are not among
/// them. Where declarations differ between runs the widest range stands.
std::map<std::string, DeclaredParameter> declaredParameters(const Trace &trace);

/// Count of one global block index in a run (0 when not executed). Logarithmic.
uint64_t countOf(const SparseCounts &counts, uint32_t index);

/// 128-bit key of the *set* of executed blocks as 32 hex digits, independent of link order.
std::string pathKey(const Trace &trace, const Run &run);

} // namespace perfidy
