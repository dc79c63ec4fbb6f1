#include "tools/determinism.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <set>

namespace perfidy {
namespace {

// Functions of libc and libstdc++ whose results are not the same each time.
bool isUncertain(const std::string &callee) {
  static const std::set<std::string> kNames = {"rand",
                                               "random",
                                               "rand_r",
                                               "drand48",
                                               "lrand48",
                                               "mrand48",
                                               "erand48",
                                               "nrand48",
                                               "arc4random",
                                               "arc4random_uniform",
                                               "arc4random_buf",
                                               "getrandom",
                                               "getentropy",
                                               "time",
                                               "clock",
                                               "clock_gettime",
                                               "gettimeofday",
                                               "getpid",
                                               "times",
                                               "_ZNSt13random_device9_M_getvalEv",
                                               "_ZNSt6chrono3_V212system_clock3nowEv",
                                               "_ZNSt6chrono3_V212steady_clock3nowEv"};
  return kNames.count(callee) > 0;
}

std::string readableCallee(const std::string &callee) {
  if (callee.find("random_device") != std::string::npos)
    return "std::random_device";
  if (callee.find("chrono") != std::string::npos)
    return "std::chrono's now";
  return callee;
}

/// Functions whose block counts differ between two runs, as ids, most differing blocks first.
std::vector<size_t> differingFunctions(const Trace &trace, const Run &first, const Run &second) {
  std::vector<std::pair<size_t, size_t>> differing; // blocks, function
  for (size_t id = 0; id < trace.functions.size(); ++id) {
    const Function &function = trace.functions[id];
    size_t blocks = 0;
    for (uint32_t b = 0; b < function.blocks.size(); ++b)
      blocks += countOf(first.blocks, function.firstBlock + b) !=
                countOf(second.blocks, function.firstBlock + b);
    if (blocks > 0)
      differing.emplace_back(blocks, id);
  }
  std::stable_sort(
      differing.begin(), differing.end(), [](auto &a, auto &b) { return a.first > b.first; });
  std::vector<size_t> ids;
  for (const auto &[blocks, id] : differing)
    ids.push_back(id);
  return ids;
}

std::string placeOf(const Function &function, uint32_t line) {
  const size_t slash = function.file.find_last_of('/');
  return fmt::format("{}:{} in {}",
                     slash == std::string::npos ? function.file : function.file.substr(slash + 1),
                     line ? line : function.line,
                     function.display);
}

} // namespace

std::string sourceOfDifference(const Trace &trace, const Run &first, const Run &second) {
  const std::vector<size_t> differing = differingFunctions(trace, first, second);
  std::vector<size_t> order = differing;
  for (size_t id = 0; id < trace.functions.size(); ++id)
    if (std::find(differing.begin(), differing.end(), id) == differing.end())
      order.push_back(id);
  for (size_t id : order) {
    const Function &function = trace.functions[id];
    for (const CallSite &call : function.calls)
      if (isUncertain(call.callee) && countOf(first.blocks, function.firstBlock + call.block) > 0)
        return fmt::format("the call of {} at {} makes it so",
                           readableCallee(call.callee),
                           placeOf(function, call.line));
  }
  if (differing.empty())
    return "only the amount of library work differs (memory that depends on addresses or on what "
           "ran before)";
  return fmt::format("no random generator or clock was called in instrumented code: {} keeps state "
                     "from run to run (static variables, caches), or depends on addresses",
                     placeOf(trace.functions[differing.front()], 0));
}

std::optional<std::string> findNondeterminism(const std::string &target,
                                              const std::vector<TracedInput> &inputs,
                                              const std::string &directory,
                                              uint64_t budget) {
  const std::string path = directory + "/determinism.trace";
  std::filesystem::remove(path);
  std::vector<TracedInput> twice = inputs;
  twice.insert(twice.end(), inputs.begin(), inputs.end());
  std::vector<TracedInput> reversed(inputs.rbegin(), inputs.rend());
  TraceOptions options;
  options.budget = budget;
  std::vector<size_t> runOf = traceInputs(target, twice, path, options).runOf;
  for (size_t run : traceInputs(target, reversed, path, options).runOf)
    runOf.push_back(run);
  if (!std::filesystem::exists(path))
    return std::nullopt;
  const Trace trace = readTrace(path);
  std::filesystem::remove(path);
  const size_t count = inputs.size();
  for (size_t i = 0; i < count; ++i)
    for (size_t other : {runOf[count + i], runOf[3 * count - 1 - i]}) {
      if (runOf[i] == kNoRun || other == kNoRun)
        continue;
      const Run &first = trace.runs[runOf[i]], &second = trace.runs[other];
      if (first.status != RunStatus::Complete || second.status != RunStatus::Complete ||
          first.cost == second.cost)
        continue;
      return fmt::format("The target is not deterministic: the same input cost {} and {}; {}. "
                         "Classes may be due to chance until the harness seeds it the same way "
                         "in every run.",
                         first.cost,
                         second.cost,
                         sourceOfDifference(trace, first, second));
    }
  return std::nullopt;
}

} // namespace perfidy
