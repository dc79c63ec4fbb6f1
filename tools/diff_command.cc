#include "tools/diff_command.h"
#include "tools/commands.h"
#include "tools/input_files.h"
#include "tools/scratch.h"
#include "tools/target.h"
#include "tools/trace_diff.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <iostream>
#include <sstream>

namespace perfidy {
namespace {

bool isProgram(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  std::array<char, 4> magic = {};
  file.read(magic.data(), magic.size());
  return std::string(magic.data(), 4) == "\x7f"
                                         "ELF";
}

Trace traceProgram(const DiffCommand &command, const std::string &program) {
  requireTarget(program);
  const ScratchDirectory scratch;
  const InputFiles files = listInputs(command.inputs);
  for (const std::string &problem : files.problems)
    fmt::print(stderr, "perfidy: warning: {}\n", problem);
  std::vector<TracedInput> inputs;
  for (const std::string &path : files.paths)
    inputs.push_back({path, {{"file", files.nameOf(path)}}});
  TraceOptions options;
  options.budget = command.budget;
  const std::string tracePath = scratch.path() + "/trace";
  const TraceReport report = traceInputs(program, inputs, tracePath, options);
  for (const std::vector<std::string> *paths : {&report.crashed, &report.hung})
    for (const std::string &path : *paths)
      fmt::print(stderr, "perfidy: {}: {} crashed or hung on it; not compared\n", path, program);
  if (report.runs == 0)
    throw TargetCrashed(
        fmt::format("{} ran none of the inputs. Its last words:\n{}", program, report.lastOutput));
  return readTrace(tracePath);
}

Trace load(const DiffCommand &command, const std::string &path) {
  if (!isProgram(path))
    return readTrace(path);
  if (command.inputs.empty())
    throw Error(fmt::format("{} is a program: give the inputs to compare on, as in 'perfidy diff "
                            "OLD NEW corpus/'.",
                            path));
  return traceProgram(command, path);
}

} // namespace

int commandDiff(const DiffCommand &command) {
  const Trace before = load(command, command.before), after = load(command, command.after);
  const TraceDiff diff = diffTraces(before, after);
  if (diff.inputs.empty())
    throw Error("The two have no input in common: record the same files with both builds.");
  writeDiff(diff, command.rows, std::cout);
  if (!command.json.empty()) {
    std::ostringstream text;
    writeDiffJson(diff, text);
    writeBytes(command.json, text.str());
  }
  const bool dearer =
      diff.after > command.minRatio * diff.before ||
      std::any_of(diff.inputs.begin(), diff.inputs.end(), [&](const InputDelta &input) {
        return double(input.after) > command.minRatio * double(input.before);
      });
  return dearer ? kExitFinding : kExitNothing;
}

} // namespace perfidy
