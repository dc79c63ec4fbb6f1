// The commands of the perfidy program, one function each; they return the exit code.
#pragma once

#include "tools/study.h"

namespace perfidy {

/// Exit codes of every command.
inline constexpr int kExitNothing = 0, kExitFinding = 1, kExitUsage = 2, kExitCrashed = 3,
                     kExitInterrupted = 130;

/// Colours on standard output: on a terminal, unless NO_COLOR is set (https://no-color.org).
bool wantColour();

/// perfidy run: everything.
int commandRun(const StudyOptions &options);

/// perfidy fuzz: the search only, into `corpus`.
int commandFuzz(const StudyOptions &options, const std::string &corpus);

struct TraceCommand {
  std::string target, output;
  std::vector<std::string> files;
  uint64_t budget = 0;
  std::string scale; ///< "NAME=VALUE", see TraceOptions
};
/// perfidy trace: runs the target on files and labels the runs.
int commandTrace(const TraceCommand &command);

struct ExplainCommand {
  std::vector<std::string> traces;
  std::string output, target;
  ExplainOptions options;
};
/// perfidy explain: traces to findings.json.
int commandExplain(const ExplainCommand &command);

struct ReportCommand {
  std::string findings, html, sarif;
  bool text = false;
};
/// perfidy report: findings.json to reports.
int commandReport(const ReportCommand &command);

/// perfidy dump: a trace as text, csv or json.
int commandDump(const std::string &trace, const std::string &format);

} // namespace perfidy
