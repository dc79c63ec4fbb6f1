// The perfidy program: a table of commands, and the one place that catches.
#include "tools/command_diagnose.h"
#include "tools/commands.h"
#include "tools/diff_command.h"
#include "tools/doctor.h"
#include "tools/import_series.h"
#include "tools/min_command.h"
#include "tools/process.h"
#include "tools/pump_command.h"
#include "tools/triage.h"
#include "tools/verify.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <iostream>

namespace perfidy {
namespace {

constexpr const char *kAbout =
    "Finds and explains inputs of the same size whose cost differs without good reason.\n\n"
    "  perfidy-clang++ -O2 -g -fsanitize=fuzzer harness.cc library.cc -o target\n"
    "  perfidy run ./target seeds/ --time 60\n\n"
    "Exit codes: 0 no finding, 1 at least one finding, 2 usage or input error, 3 the target "
    "crashed "
    "before anything could be learned, 130 interrupted.";

// Everything the command line can set; commands read what they need.
struct CommandLine {
  StudyOptions study;
  std::string fuzzCorpus = "corpus";
  TraceCommand trace;
  ExplainCommand explain;
  ReportCommand report;
  std::string dumpFile, dumpFormat = "text";
  DoctorOptions doctor;
  PumpCommand pump;
  TriageCommand triage;
  VerifyCommand verify;
  MinCommand min;
  DiffCommand diff;
  DiagnoseCommand diagnose;
  ImportCommand import;
};

void addSearchOptions(CLI::App &app, CommandLine &line) {
  StudyOptions &study = line.study;
  app.add_option("target", study.target, "Fuzz target built with perfidy-clang++ -fsanitize=fuzzer")
      ->required();
  app.add_option("corpus", study.corpora, "Seed files and directories");
  app.add_option("--time", study.campaign.seconds, "Seconds to search")
      ->check(CLI::Range(0, 1000000))
      ->capture_default_str();
  app.add_option(
      "--runs", study.campaign.runs, "Executions instead of time (reproducible with --seed)");
  app.add_option("--seed", study.campaign.seed, "Seed of the search")->capture_default_str();
  app.add_option("--max-len", study.campaign.maxLength, "Largest input of the search, bytes")
      ->check(CLI::Range(8, 1 << 20))
      ->capture_default_str();
  app.add_option("--budget", study.campaign.budget, "Cost at which a run of the search is stopped")
      ->capture_default_str();
  app.add_option("--out", study.out, "Output directory")->capture_default_str();
  app.add_flag("--quiet", study.campaign.quiet, "No progress");
}

void addExplainOptions(CLI::App &app, ExplainOptions &options) {
  app.add_option("--min-ratio", options.minRatio, "Smallest gap that is a finding")
      ->check(CLI::Range(1.0, 1e9))
      ->capture_default_str();
  app.add_option(
         "--constant-ratio", options.constantRatio, "Smallest gap that need not grow with size")
      ->capture_default_str();
}

void addPump(CLI::App &app, PumpCommand &pump) {
  CLI::App *command =
      app.add_subcommand("pump", "Recover the pattern of a slow input: generator and growth table");
  command->add_option("target", pump.target, "Instrumented program")->required();
  command->add_option("input", pump.input, "A slow input: slow-unit-*, timeout-*, any file")
      ->required();
  command->add_option("-o,--output", pump.output, "Python generator")->capture_default_str();
  command->add_option("--max-size", pump.largest, "Largest row of the table, bytes")
      ->capture_default_str();
  command->add_option("--budget", pump.options.budget, "Cost at which a run is stopped")
      ->capture_default_str();
  command->add_flag("--quiet", pump.quiet, "No progress");
}

void addTriage(CLI::App &app, TriageCommand &triage) {
  CLI::App *command =
      app.add_subcommand("triage", "Explain slow inputs, grouped by cause, without any search");
  command->add_option("target", triage.target, "Instrumented program")->required();
  command->add_option("inputs", triage.inputs, "Slow inputs: slow-unit-*, timeout-*, any files")
      ->required();
  command->add_option("--against", triage.against, "Ordinary inputs to compare with");
  command->add_option("--budget", triage.options.budget, "Cost at which an input is stopped")
      ->capture_default_str();
  command->add_option("--out", triage.out, "Output directory")->capture_default_str();
  command->add_flag("--quiet", triage.quiet, "No progress");
  addExplainOptions(*command, triage.explain);
}

void addMin(CLI::App &app, MinCommand &min) {
  CLI::App *command = app.add_subcommand(
      "min", "Minimise an input, or the patterns of findings.json, in its class");
  command->add_option("target", min.target, "Instrumented program")->required();
  command->add_option("input", min.input, "A slow input, or findings.json")->required();
  command->add_option("-o,--output", min.output, "Minimised input (default: INPUT.min, here)");
  command->add_option("--keep", min.keep, "Part of its cost that must remain")
      ->check(CLI::Range(0.01, 1.0))
      ->capture_default_str();
  command->add_option("--cost", min.cost, "Cost that must remain, instead of --keep");
  command->add_option("--budget", min.budget, "Cost at which a run is stopped")
      ->capture_default_str();
  command->add_flag("--quiet", min.quiet, "No progress");
}

void addDiff(CLI::App &app, DiffCommand &diff) {
  CLI::App *command =
      app.add_subcommand("diff", "Compare two traces, or two builds over the same inputs");
  command->add_option("before", diff.before, "Trace or program")->required();
  command->add_option("after", diff.after, "Trace or program")->required();
  command->add_option("inputs", diff.inputs, "For programs: inputs and directories");
  command->add_option("--json", diff.json, "Write everything as JSON");
  command->add_option("--rows", diff.rows, "Rows of each table")->capture_default_str();
  command->add_option("--min-ratio", diff.minRatio, "Dearer by this factor is a finding")
      ->check(CLI::Range(1.0, 1e9))
      ->capture_default_str();
  command->add_option("--budget", diff.budget, "Cost at which a run of a program is stopped")
      ->capture_default_str();
}

void addVerify(CLI::App &app, VerifyCommand &verify) {
  CLI::App *command =
      app.add_subcommand("verify", "Which findings are fixed in another build? Exact, from counts");
  command->add_option("findings", verify.findings, "findings.json")->required();
  command->add_option("target", verify.target, "The new build of the target")->required();
  command->add_option("--json", verify.json, "Write the verdicts and what was measured");
  command->add_option("--budget", verify.budget, "Cost at which a run is stopped")
      ->capture_default_str();
  command->add_option("--min-ratio", verify.minRatio, "Smallest gap that is a finding")
      ->check(CLI::Range(1.0, 1e9))
      ->capture_default_str();
}

void addDiagnose(CLI::App &app, CommandLine &line) {
  DiagnoseCommand &command = line.diagnose;
  CLI::App *diagnose =
      app.add_subcommand("diagnose", "Say what is wrong with a training run, and how sure that is");
  diagnose->add_option("traces", command.traces, "Traces of training runs");
  diagnose->add_option(
      "--train", command.train, "What to learn from: a folder of labelled traces or a saved model");
  diagnose->add_option("--clean", command.clean, "Known-good runs of the same program");
  diagnose->add_option("--save-model", command.saveModel, "Keep what was learned in a file");
  diagnose->add_option("--threshold", command.threshold, "No verdict below this probability")
      ->check(CLI::Range(0.0, 1.0))
      ->capture_default_str();
  diagnose->add_flag("--watch", command.watch, "Follow a growing trace and warn of instability");
  diagnose->add_option("--patience", command.patience, "Seconds without news to wait with --watch")
      ->capture_default_str();
  diagnose->add_option("--evaluate",
                       command.evaluate,
                       "Print how accurate diagnosis is on a corpus, split by split");
  diagnose->add_flag("--quick", command.quick, "With --evaluate: fewer rows and trees");
  diagnose->add_flag(
      "--development", command.development, "With --evaluate: score the development half");
  diagnose->add_option("--json", command.json, "Write the results as JSON");
  diagnose->add_option("--html", command.html, "Write the results as a page");

  CLI::App *import = app.add_subcommand("import", "A CSV or JSON-lines log to a trace");
  import->add_option("log", line.import.log, "One line per epoch")->required();
  import->add_option("-o,--output", line.import.output, "Trace file (a run is added)")->required();
  import->add_option("--program", line.import.program, "Name of the program");
  import->add_option("--fault", line.import.fault, "Class of its fault, for a corpus");
  auto setClean = [&line] { line.import.clean = "yes"; };
  import->add_flag_callback("--clean", setClean, "The run is known to be good");
}

void addCommands(CLI::App &app, CommandLine &line) {
  CLI::App *run = app.add_subcommand("run", "Search, ladder, explain and report: everything");
  addSearchOptions(*run, line);
  addExplainOptions(*run, line.study.explain);
  run->add_option("--max-size", line.study.largestSize, "Largest rung of the ladder, bytes")
      ->capture_default_str();
  run->add_flag("!--no-fuzz", line.study.fuzz, "Use only the inputs given");
  run->footer("Flags after -- go to libFuzzer: perfidy run ./target seeds/ -- -dict=html.dict");

  CLI::App *fuzz = app.add_subcommand("fuzz", "Only search; inputs go to a corpus directory");
  addSearchOptions(*fuzz, line);
  fuzz->add_option("--corpus", line.fuzzCorpus, "Directory for new inputs")->capture_default_str();

  CLI::App *trace = app.add_subcommand("trace", "Run a target on files and record what it counts");
  trace->add_option("target", line.trace.target, "Instrumented program")->required();
  trace->add_option("files", line.trace.files, "Inputs and directories")->required();
  trace->add_option("-o,--output", line.trace.output, "Trace file")->required();
  trace->add_option("--budget", line.trace.budget, "Cost at which a run is stopped (0: never)");
  trace->add_option("--scale", line.trace.scale, "NAME=VALUE: what perfidy_scale(NAME) returns");

  CLI::App *explain = app.add_subcommand("explain", "Traces to findings.json");
  explain->add_option("traces", line.explain.traces, "Trace files of one build")->required();
  explain->add_option("-o,--output", line.explain.output, "findings.json ('-': standard output)")
      ->required();
  explain->add_option("--target", line.explain.target, "Name shown in reports");
  addExplainOptions(*explain, line.explain.options);

  CLI::App *report = app.add_subcommand("report", "findings.json to reports");
  report->add_option("findings", line.report.findings, "findings.json")->required();
  report->add_option("--html", line.report.html, "Write an HTML page");
  report->add_option("--sarif", line.report.sarif, "Write SARIF 2.1.0");
  report->add_flag("--text", line.report.text, "Print the terminal report");

  CLI::App *dump = app.add_subcommand("dump", "Print a trace");
  dump->add_option("trace", line.dumpFile, "Trace file")->required();
  dump->add_option("--format", line.dumpFormat, "text, csv or json")
      ->check(CLI::IsMember({"text", "csv", "json"}))
      ->capture_default_str();

  addPump(app, line.pump);
  addTriage(app, line.triage);
  addVerify(app, line.verify);
  addMin(app, line.min);
  addDiff(app, line.diff);
  addDiagnose(app, line);

  CLI::App *doctor = app.add_subcommand("doctor", "Say what is installed and what is wrong");
  doctor->add_option("target", line.doctor.target, "A program to look at");
}

int dispatch(const CLI::App &app, CommandLine &line) {
  bool searches = app.got_subcommand("fuzz") || (app.got_subcommand("run") && line.study.fuzz);
  if (searches && line.study.campaign.seconds <= 0 && line.study.campaign.runs == 0)
    throw Error("A search needs an end: give --time SECONDS or --runs N.");
  if (app.got_subcommand("run"))
    return commandRun(line.study);
  if (app.got_subcommand("fuzz"))
    return commandFuzz(line.study, line.fuzzCorpus);
  if (app.got_subcommand("trace"))
    return commandTrace(line.trace);
  if (app.got_subcommand("explain"))
    return commandExplain(line.explain);
  if (app.got_subcommand("report"))
    return commandReport(line.report);
  if (app.got_subcommand("dump"))
    return commandDump(line.dumpFile, line.dumpFormat);
  if (app.got_subcommand("pump"))
    return commandPump(line.pump);
  if (app.got_subcommand("triage"))
    return commandTriage(line.triage);
  if (app.got_subcommand("verify"))
    return commandVerify(line.verify);
  if (app.got_subcommand("min"))
    return commandMin(line.min);
  if (app.got_subcommand("diff"))
    return commandDiff(line.diff);
  if (app.got_subcommand("diagnose"))
    return commandDiagnose(line.diagnose);
  if (app.got_subcommand("import")) {
    importSeries(line.import);
    return kExitNothing;
  }
  return runDoctor(line.doctor, std::cout);
}

// What stands behind "--" belongs to libFuzzer.
std::vector<std::string> splitEngineFlags(int argc, char **argv, std::vector<std::string> &own) {
  std::vector<std::string> engine;
  bool behind = false;
  for (int i = 1; i < argc; ++i) {
    if (!behind && std::string(argv[i]) == "--")
      behind = true;
    else
      (behind ? engine : own).push_back(argv[i]);
  }
  return engine;
}

int parseAndRun(int argc, char **argv) {
  CommandLine line;
  CLI::App app(kAbout, "perfidy");
  app.require_subcommand(1);
  app.set_version_flag("--version", "perfidy 0.1.0");
  addCommands(app, line);
  std::vector<std::string> own;
  line.study.campaign.engineFlags = splitEngineFlags(argc, argv, own);
  std::reverse(own.begin(), own.end()); // CLI11 takes them last first
  try {
    app.parse(own);
  } catch (const CLI::ParseError &error) {
    return app.exit(error) == 0 ? kExitNothing : kExitUsage;
  }
  return dispatch(app, line);
}

} // namespace
} // namespace perfidy

int main(int argc, char **argv) {
  perfidy::handleInterrupts();
  try {
    return perfidy::parseAndRun(argc, argv);
  } catch (const perfidy::Interrupted &error) {
    fmt::print(stderr, "perfidy: {}\n", error.what());
    return perfidy::kExitInterrupted;
  } catch (const perfidy::TargetCrashed &error) {
    fmt::print(stderr, "perfidy: error: {}\n", error.what());
    return perfidy::kExitCrashed;
  } catch (const std::exception &error) {
    fmt::print(stderr, "perfidy: error: {}\n", error.what());
    return perfidy::kExitUsage;
  }
}
