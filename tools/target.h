// The program under test as the tools see it: is it instrumented, and what do its runs on given
// files count? Crashing, hanging and overly dear inputs are set aside; the rest is traced.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace perfidy {

/// Throws Error unless the file exists, can be executed, carries instrumentation and has an
/// instrumented LLVMFuzzerTestOneInput.
void requireTarget(const std::string &target);

/// Keys and values; of equal keys the last stands.
using Labels = std::vector<std::pair<std::string, std::string>>;

/// An input to trace, with labels for its run.
struct TracedInput {
  std::string path;
  Labels labels;
};

struct TraceOptions {
  uint64_t budget = 0;     ///< cost at which a run is stopped (censored); 0 = none
  int timeoutSeconds = 30; ///< wall clock per input, for hangs outside instrumented code
  std::string scale;       ///< "NAME=VALUE": fixes perfidy_scale(NAME); empty = none
};

struct TraceReport {
  size_t runs = 0;                                  ///< runs recorded
  std::vector<size_t> runOf;                        ///< per input: its run in the trace, or kNoRun
  std::vector<std::string> crashed, censored, hung; ///< paths
  std::string lastOutput; ///< tail of the target's output at the last crash
};
inline constexpr size_t kNoRun = ~size_t(0);

/// Runs the target over the inputs, in order, appending to the trace file. Inputs that crash or
/// hang are noted and skipped. Throws Error when the target cannot be traced at all.
TraceReport traceInputs(const std::string &target,
                        const std::vector<TracedInput> &inputs,
                        const std::string &tracePath,
                        const TraceOptions &options);

/// What every traced input is labelled with: "file" and its input features.
Labels describeInput(const std::string &path, const std::string &bytes);

} // namespace perfidy
