#include "tools/input_trial.h"
#include "tools/input_files.h"
#include "tools/target.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>

namespace perfidy {

CostProfile costProfile(const Trace &trace, const Run &run) {
  CostProfile profile(trace.functions.size(), 0);
  double total = 0;
  size_t block = 0, work = 0; // counts and functions are both in ascending order
  for (size_t id = 0; id < trace.functions.size(); ++id) {
    const Function &function = trace.functions[id];
    const size_t blockEnd = function.firstBlock + function.blocks.size();
    for (; block < run.blocks.size() && run.blocks[block].first < blockEnd; ++block)
      profile[id] += double(run.blocks[block].second) *
                     function.blocks[run.blocks[block].first - function.firstBlock].instructions;
    for (; work < run.work.size() && run.work[work].first < function.firstWork + function.workCount;
         ++work)
      profile[id] += double(run.work[work].second) / double(kWorkBytesPerInstruction);
    total += profile[id];
  }
  for (double &share : profile)
    share /= std::max(1.0, total);
  return profile;
}

double profileOverlap(const CostProfile &a, const CostProfile &b) {
  double overlap = 0;
  for (size_t i = 0; i < a.size() && i < b.size(); ++i)
    overlap += std::min(a[i], b[i]);
  return overlap;
}

std::vector<InputRun> runInputs(const std::string &target,
                                const std::string &directory,
                                const std::vector<std::string> &inputs,
                                uint64_t budget) {
  const std::string folder = directory + "/trial", tracePath = directory + "/trial.trace";
  makeDirectory(folder);
  std::filesystem::remove(tracePath); // of a killed run
  std::vector<TracedInput> files;
  for (size_t i = 0; i < inputs.size(); ++i) {
    files.push_back({fmt::format("{}/{}", folder, i), {}});
    writeBytes(files.back().path, inputs[i]);
  }
  TraceOptions options;
  options.budget = budget;
  const TraceReport report = traceInputs(target, files, tracePath, options);
  const Trace trace = report.runs ? readTrace(tracePath) : Trace();
  std::vector<InputRun> runs(inputs.size());
  for (size_t i = 0; i < runs.size(); ++i) {
    runs[i].failed = report.runOf[i] == kNoRun;
    if (runs[i].failed)
      continue;
    const Run &run = trace.runs[report.runOf[i]];
    runs[i].cost = run.cost;
    runs[i].censored = run.status != RunStatus::Complete;
    runs[i].profile = costProfile(trace, run);
  }
  std::filesystem::remove_all(folder);
  std::filesystem::remove(tracePath);
  return runs;
}

} // namespace perfidy
