#include "tools/parameter_study.h"
#include "runtime/parameters.h"
#include "tools/determinism.h"
#include "tools/input_files.h"
#include "tools/parameter_ladder.h"
#include "tools/progress.h"
#include "tools/target.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <set>

namespace perfidy {
namespace {

Findings explainLadder(const ParameterStudy &study, const std::string &trace) {
  const std::string name = std::filesystem::path(study.target).filename().string();
  return explain(readTrace(trace), name, study.explain);
}

// A few of the vectors at the lowest rung of the first scale.
std::optional<std::string> nondeterminism(const ParameterStudy &study,
                                          const std::vector<NamedVector> &vectors,
                                          const Declared &declared,
                                          const ParameterLadder &ladder) {
  constexpr size_t kInputs = 12;
  std::map<std::string, double> scales = ladder.others;
  const DeclaredParameter &scale = declared.at(ladder.dimension);
  scales[ladder.dimension] = std::min(scale.high, std::max(1.0, scale.low) * 2);
  const std::string folder = study.out + "/determinism";
  makeDirectory(folder);
  std::vector<TracedInput> inputs;
  const size_t step = std::max<size_t>(1, vectors.size() / kInputs);
  for (size_t i = 0; i < vectors.size(); i += step) {
    inputs.push_back({fmt::format("{}/{}", folder, i), {}});
    writeBytes(inputs.back().path, inputOf(vectors[i], declared, scales, ladder.dimension));
  }
  std::optional<std::string> found =
      findNondeterminism(study.target, inputs, study.out, study.budget);
  std::filesystem::remove_all(folder);
  return found;
}

// Further scales add what the first could not tell.
void addFurther(Findings &&more, Findings &findings) {
  std::set<std::string> told;
  for (const Finding &finding : findings.findings)
    told.insert(finding.id);
  for (Finding &finding : more.findings) {
    if (told.count(finding.id) && finding.gap.kind == "constant factor")
      continue;
    if (finding.kind == "timeout" && told.count(finding.id))
      continue;
    finding.sizeUnit = more.sizeUnit;
    finding.id += "-" + more.sizeUnit;
    findings.findings.push_back(std::move(finding));
  }
  findings.stats["runs"] += more.stats["runs"];
}

} // namespace

Declared probeParameters(const std::string &target, const std::string &directory) {
  constexpr size_t kLengths[] = {0, 64, 512};
  const std::string trace = directory + "/probe.trace";
  std::filesystem::remove(trace);
  std::vector<TracedInput> inputs;
  for (size_t length : kLengths) {
    inputs.push_back({fmt::format("{}/probe-{}", directory, length), {}});
    writeBytes(inputs.back().path, std::string(length, '\0'));
  }
  TraceOptions options;
  options.budget = 50'000'000;
  const TraceReport report = traceInputs(target, inputs, trace, options);
  Declared declared = report.runs ? declaredParameters(readTrace(trace)) : Declared();
  std::filesystem::remove(trace);
  for (const TracedInput &input : inputs)
    std::filesystem::remove(input.path);
  return declared;
}

void makeRoomForVectors(CampaignOptions &options) {
  options.maxLength += PERFIDY_LONGEST_VECTOR;
  options.keepLength = true;
}

Findings studyParameters(const ParameterStudy &study) {
  const Declared declared = declaredParameters(study.corpus);
  std::vector<std::string> censored;
  for (const std::string &path : study.censoredPaths)
    censored.push_back(readBytes(path));
  const std::vector<NamedVector> vectors =
      chooseVectors(study.corpus, study.runOf, study.bytes, censored, declared);
  std::filesystem::remove_all(study.out + "/ladder");
  Findings findings;
  const std::vector<ParameterLadder> ladders = parameterLadders(study.corpus, declared);
  if (ladders.empty())
    findings.notes.push_back("The harness draws parameters by name but declares no size: call "
                             "perfidy_scale, so that cost functions can be learned.");
  std::optional<std::string> chance;
  if (!ladders.empty())
    chance = nondeterminism(study, vectors, declared, ladders.front());
  for (const ParameterLadder &ladder : ladders) {
    const bool first = &ladder == &ladders.front();
    StatusLine status("climbing " + ladder.dimension, 0, study.quiet);
    const std::string trace = first
                                  ? study.out + "/ladder.trace"
                                  : fmt::format("{}/ladder-{}.trace", study.out, ladder.dimension);
    std::filesystem::remove(trace);
    LadderOptions options;
    options.budget = study.budget * 2;
    options.onProgress = [&](const std::string &text) { status.update(text); };
    const size_t runs = climbParameters(study.target,
                                        vectors,
                                        declared,
                                        ladder,
                                        study.out + "/ladder/" + ladder.dimension,
                                        trace,
                                        options);
    status.finish(fmt::format("{} vectors, {} runs", vectors.size(), runs));
    if (runs == 0)
      continue;
    Findings more = explainLadder(study, trace);
    if (first)
      findings = std::move(more);
    else
      addFurther(std::move(more), findings);
  }
  if (chance)
    findings.notes.insert(findings.notes.begin(), *chance);
  return findings;
}

} // namespace perfidy
