#include "tools/commands.h"
#include "tools/dump.h"
#include "tools/escape.h"
#include "tools/findings_json.h"
#include "tools/input_files.h"
#include "tools/parameter_study.h"
#include "tools/pattern_bytes.h"
#include "tools/report_html.h"
#include "tools/report_sarif.h"
#include "tools/report_text.h"
#include "tools/target.h"

#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <iostream>
#include <sstream>
#include <unistd.h>

namespace perfidy {
namespace {

int exitFor(const Findings &findings) {
  return findings.findings.empty() ? kExitNothing : kExitFinding;
}

// One line per finding, and where the rest is.
void writeSummary(const Findings &findings, const std::string &output) {
  for (const Finding &finding : findings.findings)
    fmt::print("{}\n", printable(finding.message));
  if (findings.findings.empty())
    for (const std::string &note : findings.notes)
      fmt::print("{}\n", printable(note));
  fmt::print("{} findings in {}; 'perfidy report {}' shows them.\n",
             findings.findings.size(),
             output,
             output);
}

template <typename Write>
void writeTo(const std::string &path, const Findings &findings, Write write) {
  if (path.empty())
    return;
  std::ostringstream text;
  write(findings, text);
  if (path == "-")
    std::cout << text.str();
  else
    writeBytes(path, text.str());
}

} // namespace

bool wantColour() { return isatty(1) && !std::getenv("NO_COLOR"); }

int commandRun(const StudyOptions &options) {
  Findings findings = runStudy(options);
  writeText(findings, std::cout, wantColour());
  fmt::print("\nOpen {0}/report.html in a browser. Data: {0}/findings.json, {0}/report.sarif\n",
             options.out);
  return exitFor(findings);
}

int commandFuzz(const StudyOptions &options, const std::string &corpus) {
  requireTarget(options.target);
  CampaignOptions campaign = options.campaign;
  makeDirectory(options.out);
  campaign.patternsPath = options.out + "/patterns";
  campaign.statsPath = options.out + "/stats.json";
  campaign.engineLines = true;
  if (!probeParameters(options.target, options.out).empty())
    makeRoomForVectors(campaign);
  CampaignReport report =
      runCampaign(options.target, corpus, options.corpora, options.out + "/artifacts", campaign);
  if (report.executions == 0 && report.crashes + report.hangs > 0)
    throw TargetCrashed(
        fmt::format("{} crashed before anything could be learned. Its last words:\n{}",
                    options.target,
                    report.firstFailure));
  return kExitNothing;
}

int commandTrace(const TraceCommand &command) {
  requireTarget(command.target);
  InputFiles files = listInputs(command.files);
  for (const std::string &problem : files.problems)
    fmt::print(stderr, "perfidy: warning: {}\n", problem);
  if (files.paths.empty())
    throw Error("There is no readable input: give files or a directory that has some.");
  std::vector<TracedInput> inputs;
  for (const std::string &path : files.paths)
    inputs.push_back({path, describeWithPattern(files.nameOf(path), readBytes(path))});
  std::filesystem::remove(command.output);
  TraceOptions options;
  options.budget = command.budget;
  options.scale = command.scale;
  TraceReport report = traceInputs(command.target, inputs, command.output, options);
  auto list = [&](const char *what, const std::vector<std::string> &paths) {
    for (const std::string &path : paths)
      fmt::print(stderr, "perfidy: {}: {}\n", files.nameOf(path), what);
  };
  list("the target crashed on it; not in the trace", report.crashed);
  list("the target did not come back from it; not in the trace", report.hung);
  list("stopped at the cost budget; its counts are lower bounds", report.censored);
  if (report.runs == 0)
    throw TargetCrashed(fmt::format(
        "{} crashed on every input. Its last words:\n{}", command.target, report.lastOutput));
  fmt::print(stderr, "perfidy: {} runs in {}\n", report.runs, command.output);
  return kExitNothing;
}

int commandExplain(const ExplainCommand &command) {
  std::vector<Trace> traces;
  for (const std::string &path : command.traces)
    traces.push_back(readTrace(path));
  Findings findings = explain(mergeTraces(std::move(traces)), command.target, command.options);
  writeTo(command.output, findings, writeFindingsJson);
  if (command.output != "-")
    writeSummary(findings, command.output);
  return exitFor(findings);
}

int commandReport(const ReportCommand &command) {
  Findings findings = readFindingsJson(command.findings);
  writeTo(command.html, findings, writeHtml);
  writeTo(command.sarif, findings, writeSarif);
  if (command.text || (command.html.empty() && command.sarif.empty()))
    writeText(findings, std::cout, wantColour());
  return exitFor(findings);
}

int commandDump(const std::string &trace, const std::string &format) {
  dumpTrace(readTrace(trace),
            format == "csv"    ? DumpFormat::Csv
            : format == "json" ? DumpFormat::Json
                               : DumpFormat::Text,
            std::cout);
  return kExitNothing;
}

} // namespace perfidy
