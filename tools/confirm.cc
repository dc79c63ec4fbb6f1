#include "tools/confirm.h"
#include "runtime/trace.h"
#include "tools/input_files.h"
#include "tools/target.h"

#include <filesystem>
#include <fmt/format.h>

namespace perfidy {
namespace {

std::string keepInput(const std::string &out, const std::string &name, std::string &path) {
  std::string bytes = readBytes(path);
  makeDirectory(out + "/pairs");
  path = "pairs/" + name;
  writeBytes(out + "/" + path, bytes);
  return bytes;
}

} // namespace

void confirmPairs(const std::string &target, const std::string &out, Findings &findings) {
  std::vector<TracedInput> inputs;
  for (Finding &finding : findings.findings) {
    InputPair &pair = finding.pair;
    if (pair.slowPath.empty() || pair.fastPath.empty())
      continue;
    pair.slowBytes = keepInput(out, finding.id + "-slow", pair.slowPath).substr(0, kPairBytes);
    pair.fastBytes = keepInput(out, finding.id + "-fast", pair.fastPath).substr(0, kPairBytes);
    inputs.push_back({out + "/" + pair.slowPath, {}});
    inputs.push_back({out + "/" + pair.fastPath, {}});
  }
  std::string path = out + "/pairs.trace";
  std::filesystem::remove(path);
  if (inputs.empty())
    return;
  TraceReport report = traceInputs(target, inputs, path, {});
  Trace trace = report.runs ? readTrace(path) : Trace();
  size_t at = 0;
  for (Finding &finding : findings.findings) {
    InputPair &pair = finding.pair;
    if (pair.slowPath.empty() || pair.fastPath.empty())
      continue;
    size_t slow = report.runOf[at++], fast = report.runOf[at++];
    pair.confirmed = slow != kNoRun && fast != kNoRun && trace.runs[slow].cost == pair.slowCost &&
                     trace.runs[fast].cost == pair.fastCost;
    if (!pair.confirmed)
      findings.notes.push_back(fmt::format(
          "Finding {}: its input pair did not repeat the predicted costs. The target may "
          "keep state between runs or not be deterministic.",
          finding.id));
  }
}

} // namespace perfidy
