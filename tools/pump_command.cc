#include "tools/pump_command.h"
#include "explainer/cost_function.h"
#include "tools/commands.h"
#include "tools/escape.h"
#include "tools/input_files.h"
#include "tools/pattern_text.h"
#include "tools/progress.h"
#include "tools/readable.h"
#include "tools/scratch.h"
#include "tools/target.h"

#include <filesystem>
#include <fmt/format.h>
#include <fmt/ostream.h>
#include <iostream>

namespace perfidy {
namespace {

constexpr double kSuperlinear = 1.25; ///< exponent from which on growth is said to be superlinear

CostFunction fitRows(const TriedPattern &rows) {
  std::vector<SizeCost> points;
  for (const PatternRun &run : rows.runs)
    if (!run.failed)
      points.push_back({double(run.size), double(run.cost), run.censored});
  return fitCostFunction(points);
}

std::string growthWords(const TriedPattern &rows) {
  const CostFunction function = fitRows(rows);
  if (function.shape == Shape::Unknown)
    return fmt::format("Growth: n^{:.1f} between the last two sizes (not enough sizes for more).",
                       rows.exponent());
  std::string text = fmt::format("Growth: {}, exponent {:.2f} (95 %: {:.2f} to {:.2f})",
                                 shapeName(function.shape),
                                 function.exponent,
                                 function.exponentLow,
                                 function.exponentHigh);
  if (function.heldOutError >= 0)
    text += fmt::format("; the largest size, held out of the fit, is predicted within {}",
                        readablePercent(function.heldOutError));
  return text + ".";
}

} // namespace

PumpResult recoverPump(const PumpCommand &command) {
  const ScratchDirectory scratch;
  PumpResult result;
  StatusLine status("recovering the pattern", 0, command.quiet);
  result.input = studySlowInput(command.target, command.input, scratch.path(), command.options);
  if (result.input.pattern) {
    status.update("measuring it at larger sizes");
    PatternTrial trial(command.target, scratch.path(), command.options.budget);
    result.rows = trial.climb({result.input.pattern->pattern}, command.largest).front();
    const CostFunction function = fitRows(result.rows);
    result.grows = (function.shape == Shape::Unknown ? result.rows.exponent()
                                                     : function.exponent) >= kSuperlinear;
  }
  status.finish(fmt::format("{} runs", result.input.executions + result.rows.runs.size()));
  return result;
}

void writeGrowthTable(const PumpResult &result, const std::string &target, std::ostream &out) {
  const SlowInput &input = result.input;
  fmt::print(out,
             "Input of {} bytes: cost {}{} in {}.\n\n",
             grouped(input.size),
             input.censored ? "more than " : "",
             grouped(input.cost),
             printable(target));
  fmt::print(out, "Pattern: {}\n\n", patternExpression(result.rows.pattern));
  fmt::print(
      out,
      "| repetitions k | bytes | cost (weighted IR instructions) | cost per byte | growth |\n"
      "|---:|---:|---:|---:|---:|\n");
  const PatternRun *before = nullptr;
  for (const PatternRun &run : result.rows.runs) {
    if (run.failed)
      continue;
    fmt::print(out,
               "| {} | {} | {}{} | {} | {} |\n",
               grouped(run.times),
               grouped(run.size),
               run.censored ? "> " : "",
               grouped(run.cost),
               readableNumber(double(run.cost) / double(run.size)),
               before ? fmt::format("{:.2f}x", double(run.cost) / double(before->cost)) : "");
    before = &run;
  }
  fmt::print(out, "\n{}\n", growthWords(result.rows));
}

int commandPump(const PumpCommand &command) {
  requireTarget(command.target);
  const PumpResult result = recoverPump(command);
  const SlowInput &input = result.input;
  if (input.failed)
    throw TargetCrashed(fmt::format("{} crashed or hung on {} outside counted code. Its last "
                                    "words:\n{}",
                                    command.target,
                                    command.input,
                                    input.lastOutput));
  const std::string name = std::filesystem::path(command.target).filename().string();
  if (!input.pattern) {
    fmt::print(
        "{}: no pattern of it costs what it costs{}. Its slowness does not come from "
        "repetition; 'perfidy triage' explains it as it is, 'perfidy min' makes it smaller.\n",
        command.input,
        input.censored ? " (it was stopped at the budget; --budget N allows it more)" : "");
    return kExitNothing;
  }
  writeGrowthTable(result, name, std::cout);
  const std::string about = fmt::format("{} on {}", patternExpression(result.rows.pattern), name);
  writeBytes(command.output, pythonGenerator(result.rows.pattern, about));
  std::filesystem::permissions(
      command.output, std::filesystem::perms::owner_exec, std::filesystem::perm_options::add);
  fmt::print("\nGenerator: python3 {0} TIMES, or python3 {0} --size BYTES.\n", command.output);
  return result.grows ? kExitFinding : kExitNothing;
}

} // namespace perfidy
