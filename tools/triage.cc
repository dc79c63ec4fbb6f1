#include "tools/triage.h"
#include "explainer/finding_builder.h"
#include "explainer/outlier.h"
#include "tools/candidates.h"
#include "tools/commands.h"
#include "tools/confirm.h"
#include "tools/input_files.h"
#include "tools/input_variants.h"
#include "tools/pattern_text.h"
#include "tools/process.h"
#include "tools/progress.h"
#include "tools/propose_patterns.h"
#include "tools/report_text.h"
#include "tools/target.h"
#include "tools/triage_ladder.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fmt/format.h>
#include <iostream>

namespace perfidy {
namespace {

constexpr double kSameCause = 0.7;    ///< overlap of profiles from which on inputs are put together
constexpr size_t kMostGroups = 24;    ///< groups explained
constexpr size_t kMostOrdinary = 24;  ///< inputs of --against that become contrasts
constexpr size_t kMostVariants = 250; ///< inputs of equal size an outlier is compared with
constexpr double kOutlierRatio = 8;   ///< least gap of an input that has no growth to show

struct Member {
  std::string path, name;
  uint64_t size = 0, cost = 0;
  bool censored = false;
  CostProfile profile;
  double dearness() const { return double(cost) / double(std::max<uint64_t>(size, 1)); }
};

// Growth in halves of an exponent: the part of the fingerprint that the finding's id leaves out.
std::string growthKey(const Finding &finding) {
  if (finding.slow.model == "2^n")
    return "exponential";
  if (finding.gap.kind == "constant factor" || finding.kind == "outlier")
    return "constant";
  return fmt::format("n^{:.1f}", std::round(finding.slow.exponent * 2) / 2);
}

class Triage {
public:
  explicit Triage(const TriageCommand &command)
      : command(command), status("triage", 0, command.quiet) {
    findings.target = std::filesystem::path(command.target).filename().string();
  }

  Findings run() {
    requireTarget(command.target);
    makeDirectory(command.out);
    runInputs();
    readOrdinary();
    group();
    for (size_t i = 0; i < groups.size() && i < kMostGroups && !interrupted(); ++i) {
      status.update(fmt::format("cause {} of {}", i + 1, groups.size()));
      explainGroup(i);
    }
    if (interrupted())
      throw Interrupted("interrupted before all inputs were explained.");
    conclude();
    return std::move(findings);
  }

private:
  std::string path(const std::string &name) const { return command.out + "/" + name; }

  void runInputs() {
    files = listInputs(command.inputs);
    for (const std::string &problem : files.problems)
      fmt::print(stderr, "perfidy: warning: {}\n", problem);
    if (files.paths.empty())
      throw Error("There is no readable input: give slow inputs or a directory that has some.");
    status.update(fmt::format("running {} inputs", files.paths.size()));
    std::vector<TracedInput> inputs;
    for (const std::string &file : files.paths)
      inputs.push_back({file, {}});
    std::filesystem::remove(path("inputs.trace"));
    TraceOptions options;
    options.budget = command.options.budget;
    const TraceReport report = traceInputs(command.target, inputs, path("inputs.trace"), options);
    if (report.runs == 0)
      throw TargetCrashed(fmt::format("{} crashed or hung on every input. Its last words:\n{}",
                                      command.target,
                                      report.lastOutput));
    const Trace trace = readTrace(path("inputs.trace"));
    for (size_t i = 0; i < inputs.size(); ++i) {
      if (report.runOf[i] == kNoRun) {
        findings.notes.push_back(
            fmt::format("{}: the target crashed or hung outside counted code; not explained.",
                        files.nameOf(inputs[i].path)));
        continue;
      }
      const Run &run = trace.runs[report.runOf[i]];
      members.push_back({inputs[i].path,
                         files.nameOf(inputs[i].path),
                         run.inputBytes,
                         run.cost,
                         run.status != RunStatus::Complete,
                         costProfile(trace, run)});
    }
    runs += report.runs;
  }

  void readOrdinary() {
    if (command.against.empty())
      return;
    const InputFiles all = listInputs(command.against);
    // A spread over all of them.
    const size_t count = std::min(kMostOrdinary, all.paths.size());
    for (size_t i = 0; i < count; ++i) {
      const std::string bytes = readBytes(all.paths[i * all.paths.size() / count]);
      if (!bytes.empty())
        ordinary.push_back({{}, bytes});
    }
  }

  // The dearest input leads a group; those that spend their cost in about the same functions join.
  void group() {
    std::vector<size_t> order(members.size());
    for (size_t i = 0; i < order.size(); ++i)
      order[i] = i;
    std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
      return members[a].dearness() > members[b].dearness();
    });
    for (size_t index : order) {
      auto same = std::find_if(groups.begin(), groups.end(), [&](const auto &known) {
        return profileOverlap(members[known.front()].profile, members[index].profile) >= kSameCause;
      });
      if (same == groups.end())
        groups.push_back({index});
      else
        same->push_back(index);
    }
  }

  void explainGroup(size_t index) {
    const Member &leader = members[groups[index].front()];
    const std::string folder = path(fmt::format("ladder-{:02}", index + 1));
    const SlowInput input =
        studySlowInput(command.target, leader.path, path("scratch"), command.options);
    runs += input.executions;
    std::filesystem::remove_all(path("scratch"));
    std::optional<Finding> finding;
    if (input.pattern)
      finding = explainRungs(
          patternRungs(*input.pattern), input.pattern->pattern, patternContrasts(input), folder);
    if (finding)
      finding->pattern = input.pattern->pattern;
    else
      finding = explainPrefixes(leader, folder);
    if (!finding)
      finding = explainVariants(leader, folder);
    if (finding)
      addFinding(std::move(*finding), groups[index]);
    else
      for (size_t member : groups[index])
        quick.push_back(members[member].name);
  }

  std::vector<LadderSide> patternContrasts(const SlowInput &input) const {
    std::vector<LadderSide> contrasts;
    for (const PatternText &pattern : lookAlikes(input.pattern->pattern))
      contrasts.push_back({pattern, {}});
    return withOrdinary(std::move(contrasts));
  }

  std::vector<LadderSide> withOrdinary(std::vector<LadderSide> contrasts) const {
    for (const Pattern &pattern : plainPatterns())
      if (!pattern.sequence.on()) // what counts up is no plain contrast
        contrasts.push_back({patternTextOf(pattern), {}});
    contrasts.insert(contrasts.end(), ordinary.begin(), ordinary.end());
    return contrasts;
  }

  // The finding of the slow class, if it is one.
  std::optional<Finding> explainRungs(const std::vector<std::string> &slow,
                                      const PatternText &pattern,
                                      const std::vector<LadderSide> &contrasts,
                                      const std::string &folder) {
    const std::string tracePath = folder + ".trace";
    runs += traceTriageLadder(
        command.target, slow, pattern, contrasts, folder, tracePath, command.options.trialBudget);
    if (!std::filesystem::exists(tracePath)) // every run crashed
      return std::nullopt;
    const Trace trace = readTrace(tracePath);
    ExplainOptions options = command.explain;
    options.focus = kSlowClass;
    Findings found = explain(trace, findings.target, options);
    if (found.findings.empty() || found.findings.front().kind == "timeout")
      return std::nullopt;
    return std::move(found.findings.front());
  }

  std::optional<Finding> explainPrefixes(const Member &leader, const std::string &folder) {
    const std::vector<std::string> slow = prefixRungs(readBytes(leader.path));
    std::optional<Finding> finding = explainRungs(slow, {}, withOrdinary({}), folder);
    if (finding && finding->gap.kind == "constant factor")
      return std::nullopt; // dear, but not for its size: variants of it say more
    return finding;
  }

  std::optional<Finding> explainVariants(const Member &leader, const std::string &folder) {
    const std::string bytes = readBytes(leader.path);
    std::filesystem::remove_all(folder);
    std::filesystem::remove(folder + ".trace");
    makeDirectory(folder);
    std::vector<TracedInput> inputs = {{leader.path, describeInput(leader.path, bytes)}};
    std::vector<std::string> variants = equalSizeVariants(bytes, kMostVariants);
    for (const LadderSide &side : ordinary)
      if (side.bytes.size() == bytes.size())
        variants.push_back(side.bytes);
    for (size_t i = 0; i < variants.size(); ++i) {
      const std::string file = fmt::format("{}/variant-{:03}", folder, i + 1);
      writeBytes(file, variants[i]);
      inputs.push_back({file, describeInput(file, variants[i])});
    }
    TraceOptions options;
    options.budget = command.options.budget;
    const TraceReport report = traceInputs(command.target, {inputs[0]}, folder + ".trace", options);
    if (report.runs == 0)
      return std::nullopt;
    inputs.erase(inputs.begin());
    options.budget = std::max<uint64_t>(1, leader.cost / 2); // dearer variants explain nothing
    runs += 1 + traceInputs(command.target, inputs, folder + ".trace", options).runs;
    ExplainOptions explain = command.explain;
    explain.minRatio = std::max(explain.minRatio, kOutlierRatio);
    return explainOutlier(readTrace(folder + ".trace"), 0, explain);
  }

  void addFinding(Finding finding, const std::vector<size_t> &group) {
    for (size_t member : group)
      finding.inputs.push_back(members[member].name);
    for (Finding &known : findings.findings) {
      const bool same =
          known.id == finding.id && (known.kind == "timeout" || finding.kind == "timeout" ||
                                     growthKey(known) == growthKey(finding));
      if (!same)
        continue;
      known.inputs.insert(known.inputs.end(), finding.inputs.begin(), finding.inputs.end());
      if (known.kind == "timeout" && finding.kind != "timeout") {
        finding.inputs = known.inputs;
        known = std::move(finding);
      }
      return;
    }
    findings.findings.push_back(std::move(finding));
  }

  void conclude() {
    for (Finding &finding : findings.findings)
      std::sort(finding.inputs.begin(), finding.inputs.end());
    std::stable_sort(findings.findings.begin(), findings.findings.end(), findingOrder);
    confirmPairs(command.target, command.out, findings);
    for (const Finding &finding : findings.findings)
      writeGenerator(finding);
    for (const std::string &name : quick)
      findings.notes.push_back(fmt::format("{}: is not slow for its size.", name));
    if (groups.size() > kMostGroups)
      findings.notes.push_back(
          fmt::format("{} of {} groups of inputs were explained, the dearest ones.",
                      kMostGroups,
                      groups.size()));
    findings.stats = {{"inputs", double(members.size())},
                      {"groups", double(groups.size())},
                      {"runs", double(runs)}};
    writeReports(findings, command.out);
    status.finish(fmt::format(
        "{} inputs, {} causes, {} runs", members.size(), findings.findings.size(), runs));
  }

  void writeGenerator(const Finding &finding) {
    if (!finding.pattern)
      return;
    makeDirectory(path("generators"));
    const std::string file = path("generators/" + finding.id + ".py");
    writeBytes(file, pythonGenerator(*finding.pattern, finding.message));
    findings.reproduce.push_back(
        fmt::format("python3 {} --size 4096 > input && {} input", file, command.target));
  }

  const TriageCommand &command;
  StatusLine status;
  Findings findings;
  InputFiles files; ///< holds unpacked inputs too
  std::vector<Member> members;
  std::vector<LadderSide> ordinary;
  std::vector<std::vector<size_t>> groups; ///< members, the leader first
  std::vector<std::string> quick;          ///< inputs that are not slow
  size_t runs = 0;
};

} // namespace

Findings runTriage(const TriageCommand &command) { return Triage(command).run(); }

int commandTriage(const TriageCommand &command) {
  const Findings findings = runTriage(command);
  writeText(findings, std::cout, wantColour());
  return findings.findings.empty() ? kExitNothing : kExitFinding;
}

} // namespace perfidy
