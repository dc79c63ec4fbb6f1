#include "tools/target.h"
#include "runtime/abi.h"
#include "runtime/session.h"
#include "runtime/trace.h"
#include "runtime/trace_labels.h"
#include "tools/elf_sections.h"
#include "tools/input_features.h"
#include "tools/input_files.h"
#include "tools/process.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <unistd.h>

namespace perfidy {
namespace {

constexpr size_t kBatch = 200; ///< inputs per process: bounds the command line

// Run records in a trace that processes append to. A torn last record is cut off by the next one to
// append (target or labels).
size_t recordedRuns(const std::string &path) {
  std::error_code error;
  // A process that died at once may leave the file empty.
  const auto size = std::filesystem::file_size(path, error);
  return error || size == 0 ? 0 : traceExtent(path).runs;
}

std::vector<std::string> replayCommand(const std::string &target, const TraceOptions &options) {
  std::vector<std::string> argv = {std::filesystem::absolute(target).string(),
                                   fmt::format("-timeout={}", options.timeoutSeconds),
                                   "-rss_limit_mb=0",
                                   "-detect_leaks=0"};
  // libFuzzer writes crash artifacts beside the working directory unless told otherwise.
  argv.push_back(
      fmt::format("-artifact_prefix={}/", std::filesystem::temp_directory_path().string()));
  if (options.budget)
    argv.push_back(fmt::format("--perfidy_budget={}", options.budget));
  if (!options.scale.empty())
    argv.push_back(fmt::format("--perfidy_scale={}", options.scale));
  return argv;
}

class Tracer {
public:
  Tracer(const std::string &target,
         const std::vector<TracedInput> &inputs,
         const std::string &tracePath,
         const TraceOptions &options)
      : target(target), inputs(inputs), tracePath(tracePath), options(options),
        base(recordedRuns(tracePath)) {
    report.runOf.assign(inputs.size(), kNoRun);
  }

  TraceReport run() {
    size_t next = 0;
    while (next < inputs.size() && !interrupted())
      next = runBatch(next);
    label();
    return report;
  }

private:
  // Runs one process from input `next` on; returns the first input not yet dealt with.
  size_t runBatch(size_t next) {
    size_t end = std::min(inputs.size(), next + kBatch);
    ProcessRequest request;
    request.argv = replayCommand(target, options);
    for (size_t i = next; i < end; ++i)
      request.argv.push_back(std::filesystem::absolute(inputs[i].path).string());
    request.environment = {{"PERFIDY_TRACE", std::filesystem::absolute(tracePath).string()}};
    request.timeoutSeconds = double(options.timeoutSeconds) * 2 * double(end - next) + 60;
    ProcessResult result = runProcess(request);
    size_t done = std::min(recordedRuns(tracePath) - base - report.runs, end - next);
    for (size_t i = 0; i < done; ++i)
      report.runOf[next + i] = base + report.runs++;
    if (result.exitCode == PERFIDY_EXIT_USAGE && done == 0)
      throw Error(fmt::format("{}: {}", target, lastLine(result.tail)));
    if (result.exitCode == PERFIDY_EXIT_CENSORED && done > 0) {
      report.censored.push_back(inputs[next + done - 1].path);
      return next + done;
    }
    if (done == end - next || interrupted())
      return next + done;
    return setAside(next + done, result);
  }

  size_t setAside(size_t culprit, const ProcessResult &result) {
    if (result.exitCode == 0 && report.runs == 0)
      throw Error(fmt::format("{}: ran, but recorded nothing. Compile the file that defines "
                              "LLVMFuzzerTestOneInput with perfidy-clang++ too.",
                              target));
    bool hang = result.timedOut || result.exitCode == 70;
    (hang ? report.hung : report.crashed).push_back(inputs[culprit].path);
    report.lastOutput = result.tail;
    return culprit + 1;
  }

  static std::string lastLine(const std::string &text) {
    size_t at = text.rfind("perfidy: ");
    std::string line = at == std::string::npos ? text : text.substr(at + 9);
    return line.substr(0, line.find('\n'));
  }

  void label() {
    std::vector<Label> labels;
    for (size_t i = 0; i < inputs.size(); ++i)
      if (report.runOf[i] != kNoRun)
        for (const auto &[key, value] : inputs[i].labels)
          labels.push_back({report.runOf[i], key, value});
    if (!labels.empty())
      appendLabels(tracePath, labels);
  }

  const std::string &target;
  const std::vector<TracedInput> &inputs;
  std::string tracePath;
  TraceOptions options;
  size_t base; ///< runs that were in the trace before
  TraceReport report;
};

} // namespace

void requireTarget(const std::string &target) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(target, error))
    throw Error(fmt::format("{}: no such program. Build your fuzz target with perfidy-clang++ "
                            "-fsanitize=fuzzer and give its path.",
                            target));
  if (access(target.c_str(), X_OK) != 0)
    throw Error(fmt::format("{}: is not executable.", target));
  std::vector<std::string> sections = elfSectionNames(target);
  if (std::find(sections.begin(), sections.end(), PERFIDY_SECTION) == sections.end())
    throw Error(fmt::format(
        "{}: is not instrumented (it has no section {}). Compile it and the library under "
        "test with perfidy-clang or perfidy-clang++.",
        target,
        PERFIDY_SECTION));
  // The table of the instrumented entry point holds its name as a string of its own.
  static constexpr std::string_view kEntry("LLVMFuzzerTestOneInput\0", 23);
  if (readBytes(target).find(kEntry) == std::string::npos)
    throw Error(fmt::format(
        "{}: has no instrumented LLVMFuzzerTestOneInput. Compile the file that defines it with "
        "perfidy-clang++ too. A program with a plain main is recorded by running it yourself, once "
        "per input, with PERFIDY_TRACE=FILE set and its size declared by perfidy_size(); then use "
        "'perfidy explain FILE'.",
        target));
}

TraceReport traceInputs(const std::string &target,
                        const std::vector<TracedInput> &inputs,
                        const std::string &tracePath,
                        const TraceOptions &options) {
  return Tracer(target, inputs, tracePath, options).run();
}

Labels describeInput(const std::string &path, const std::string &bytes) {
  Labels labels = {{"file", path}};
  for (const auto &[name, value] : inputFeatures(bytes))
    labels.emplace_back("input." + name, fmt::format("{:.6g}", value));
  return labels;
}

} // namespace perfidy
