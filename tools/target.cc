#include "tools/target.h"
#include "fuzzer/pattern.h"
#include "runtime/session.h"
#include "runtime/trace.h"
#include "runtime/trace_labels.h"
#include "runtime/trace_writer.h"
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

// Walks the record frames from `offset`; counts whole run records and moves offset behind them.
size_t countRuns(const std::string &bytes, size_t &offset) {
  size_t runs = 0;
  auto varint = [&](size_t &at, uint64_t &value) {
    value = 0;
    for (unsigned shift = 0; at < bytes.size() && shift < 70; shift += 7) {
      auto byte = static_cast<unsigned char>(bytes[at++]);
      value |= uint64_t(byte & 0x7f) << shift;
      if (byte < 0x80)
        return true;
    }
    return false;
  };
  for (;;) {
    size_t at = offset;
    uint64_t type = 0, length = 0;
    if (!varint(at, type) || !varint(at, length) || bytes.size() - at < 4 ||
        length > bytes.size() - at - 4)
      return runs;
    runs += type == PERFIDY_RECORD_RUN;
    offset = at + length + 4;
  }
}

// Follows a trace file as processes append to it.
class Progress {
public:
  explicit Progress(const std::string &path) : path(path) {}
  /// New whole run records since the last call; a torn last record is cut off so that the next
  /// process appends behind a whole one.
  size_t newRuns() {
    std::error_code error;
    if (!std::filesystem::exists(path, error))
      return 0;
    std::string bytes = readBytes(path);
    size_t at = std::max<size_t>(offset, kHeader);
    if (bytes.size() < at)
      return 0;
    size_t runs = countRuns(bytes, at);
    offset = at;
    if (at < bytes.size() && truncate(path.c_str(), static_cast<off_t>(at)) != 0)
      throw Error(fmt::format("{}: cannot be repaired after a cut-off record.", path));
    return runs;
  }

private:
  static constexpr size_t kHeader = sizeof PERFIDY_TRACE_MAGIC - 1 + 4;
  const std::string &path;
  size_t offset = 0;
};

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
  if (options.scale)
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
        progress(this->tracePath) {
    report.runOf.assign(inputs.size(), kNoRun);
    base = progress.newRuns();
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
    size_t done = std::min(progress.newRuns(), end - next);
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
  Progress progress;
  size_t base = 0;
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

std::vector<std::pair<std::string, std::string>> describeInput(const std::string &path,
                                                               const std::string &bytes) {
  std::vector<std::pair<std::string, std::string>> labels = {{"file", path}};
  for (const auto &[name, value] : inputFeatures(bytes))
    labels.emplace_back("input." + name, fmt::format("{:.6g}", value));
  Pattern pattern;
  if (!recoverPattern(reinterpret_cast<const uint8_t *>(bytes.data()), bytes.size(), pattern))
    return labels;
  static constexpr const char *kNames[] = {"prefix", "pump", "middle", "pump2", "suffix"};
  for (int i = 0; i < Pattern::kParts; ++i) {
    const Part &part = pattern.part(i);
    labels.emplace_back(kNames[i],
                        std::string(reinterpret_cast<const char *>(part.bytes), part.length));
  }
  return labels;
}

} // namespace perfidy
