#include "tools/min_command.h"
#include "tools/commands.h"
#include "tools/findings_json.h"
#include "tools/input_files.h"
#include "tools/pattern_text.h"
#include "tools/process.h"
#include "tools/progress.h"
#include "tools/readable.h"
#include "tools/scratch.h"
#include "tools/target.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>

namespace perfidy {
namespace {

constexpr size_t kBatch = 64;                 ///< removals run together
constexpr uint64_t kMostCost = 5'000'000'000; ///< counted cost spent on one input
constexpr uint64_t kSlowEnough = 20'000'000;  ///< cost to keep of an input that never ended

struct Chunk {
  size_t begin = 0, end = 0;
};

std::string without(const std::string &bytes, const std::vector<Chunk> &chunks) {
  std::string left;
  size_t at = 0;
  for (const Chunk &chunk : chunks) {
    left.append(bytes, at, chunk.begin - at);
    at = chunk.end;
  }
  return left.append(bytes, at);
}

class Minimizer {
public:
  Minimizer(const std::string &target,
            const std::string &directory,
            const ClassKept &kept,
            uint64_t budget,
            uint64_t mostCost)
      : target(target), directory(directory), kept(kept), budget(budget), mostCost(mostCost) {}

  Minimized run(std::string bytes) {
    best.bytes = std::move(bytes);
    best.run = runInputs(target, directory, {best.bytes}, budget).front();
    best.executions = 1;
    size_t size = std::max<size_t>(1, best.bytes.size() / 2);
    while (!exhausted()) {
      const bool shrunk = pass(size);
      if (shrunk && size > 1)
        continue;
      if (size == 1) {
        best.finished = !shrunk && !exhausted();
        if (!shrunk)
          break;
        continue;
      }
      size /= 2;
    }
    return std::move(best);
  }

private:
  bool exhausted() const { return spent >= mostCost || interrupted(); }

  // Tries every chunk of a size once; true if something was removed.
  bool pass(size_t size) {
    bool shrunk = false;
    for (size_t from = 0; from < best.bytes.size() && !exhausted();) {
      std::vector<Chunk> chunks;
      for (size_t at = from; at < best.bytes.size() && chunks.size() < kBatch; at += size)
        chunks.push_back({at, std::min(best.bytes.size(), at + size)});
      const size_t end = chunks.back().end;
      const size_t removed = removeWhatGoes(chunks);
      shrunk |= removed > 0;
      from = end - removed;
    }
    return shrunk;
  }

  // Removes as many of the chunks at once as keep the class; returns how many bytes went.
  size_t removeWhatGoes(const std::vector<Chunk> &chunks) {
    std::vector<std::string> versions;
    for (const Chunk &chunk : chunks)
      versions.push_back(without(best.bytes, {chunk}));
    const std::vector<InputRun> runs = runAll(versions);
    std::vector<Chunk> going;
    for (size_t i = 0; i < chunks.size(); ++i)
      if (!versions[i].empty() && kept.holds(runs[i]))
        going.push_back(chunks[i]);
    for (; !going.empty(); going.resize(going.size() / 2)) {
      const std::string version = without(best.bytes, going);
      const InputRun run = runAll({version}).front();
      if (version.empty() || !kept.holds(run))
        continue;
      const size_t removed = best.bytes.size() - version.size();
      best.bytes = version;
      best.run = run;
      return removed;
    }
    return 0;
  }

  std::vector<InputRun> runAll(const std::vector<std::string> &versions) {
    std::vector<InputRun> runs = runInputs(target, directory, versions, budget);
    best.executions += runs.size();
    constexpr uint64_t kAtLeast = 100'000; ///< starting a run is work too
    for (const InputRun &run : runs)
      spent += std::max(run.cost, kAtLeast);
    return runs;
  }

  const std::string &target, &directory;
  const ClassKept &kept;
  uint64_t budget, mostCost, spent = 0;
  Minimized best;
};

// The fewest repetitions of the pattern that keep the class; empty if none do.
std::string smallestOfPattern(const MinCommand &command,
                              const std::string &directory,
                              const TriedPattern &tried,
                              const ClassKept &kept,
                              size_t mostBytes) {
  uint64_t low = 1, high = repetitionsWithin(tried.pattern, mostBytes);
  auto holds = [&](uint64_t times) {
    const std::string bytes = expandPattern(tried.pattern, times);
    return kept.holds(runInputs(command.target, directory, {bytes}, command.budget).front());
  };
  if (!holds(high))
    return "";
  while (low < high) {
    const uint64_t middle = low + (high - low) / 2;
    if (holds(middle))
      high = middle;
    else
      low = middle + 1;
  }
  return expandPattern(tried.pattern, high);
}

int minimizeInput(const MinCommand &command) {
  const ScratchDirectory scratch;
  StatusLine status("minimising", 0, command.quiet);
  SlowInputOptions options;
  options.budget = command.budget;
  const SlowInput input = studySlowInput(command.target, command.input, scratch.path(), options);
  if (input.failed)
    throw TargetCrashed(fmt::format("{} crashed or hung on {}. Its last words:\n{}",
                                    command.target,
                                    command.input,
                                    input.lastOutput));
  ClassKept kept;
  kept.profile = input.profile;
  kept.cost = command.cost     ? command.cost
              : input.censored ? std::min(kSlowEnough, command.budget)
                               : static_cast<uint64_t>(command.keep * double(input.cost));
  if (kept.cost > input.cost)
    throw Error(fmt::format(
        "{} costs {}, less than the {} to keep.", command.input, input.cost, kept.cost));
  const std::string bytes = readBytes(command.input);
  std::string smallest;
  if (input.pattern) {
    smallest = smallestOfPattern(command, scratch.path(), *input.pattern, kept, bytes.size());
    fmt::print("pattern: {}\n", patternExpression(input.pattern->pattern));
  }
  // A censored input is stopped as soon as it has cost enough.
  const uint64_t budget = std::min(command.budget, kept.cost + kept.cost / 4);
  // A simplified pattern with the fewest repetitions has nothing left to remove but bytes of those.
  const bool fromPattern = !smallest.empty();
  const Minimized least = minimizeBytes(command.target,
                                        scratch.path(),
                                        fromPattern ? smallest : bytes,
                                        kept,
                                        budget,
                                        fromPattern ? 0 : kMostCost);
  const std::string output = command.output.empty()
                                 ? std::filesystem::path(command.input).filename().string() + ".min"
                                 : command.output;
  writeBytes(output, least.bytes);
  status.finish(fmt::format("{} runs", input.executions + least.executions));
  fmt::print("{}: {} bytes of {}, cost {}{} (to keep: {}){}\n",
             output,
             grouped(least.bytes.size()),
             grouped(bytes.size()),
             least.run.censored ? "at least " : "",
             grouped(least.run.cost),
             grouped(kept.cost),
             fromPattern      ? "; the fewest repetitions"
             : least.finished ? "; no single byte can go"
                              : "; stopped at the limit of runs");
  return kExitNothing;
}

int minimizePatterns(const MinCommand &command, const Findings &findings) {
  const ScratchDirectory scratch;
  PatternTrial trial(command.target, scratch.path(), command.budget);
  for (const Finding &finding : findings.findings) {
    if (!finding.pattern || !finding.pattern->sequence.empty()) {
      fmt::print("{}: has no pattern that can be simplified\n", finding.id);
      continue;
    }
    const PatternText simple = trial.simplify(*finding.pattern, finding.gap.size);
    fmt::print("{}: {}\n",
               finding.id,
               patternWeight(simple) < patternWeight(*finding.pattern)
                   ? patternExpression(*finding.pattern) + "  becomes  " + patternExpression(simple)
                   : patternExpression(simple) + "  is as simple as it gets");
  }
  return kExitNothing;
}

} // namespace

bool ClassKept::holds(const InputRun &run) const {
  constexpr double kSameFunctions = 0.5;
  return !run.failed && run.cost >= cost && profileOverlap(run.profile, profile) >= kSameFunctions;
}

Minimized minimizeBytes(const std::string &target,
                        const std::string &directory,
                        std::string bytes,
                        const ClassKept &kept,
                        uint64_t budget,
                        uint64_t mostCost) {
  return Minimizer(target, directory, kept, budget, mostCost).run(std::move(bytes));
}

int commandMin(const MinCommand &command) {
  requireTarget(command.target);
  if (std::filesystem::path(command.input).filename() == "findings.json")
    return minimizePatterns(command, readFindingsJson(command.input));
  return minimizeInput(command);
}

} // namespace perfidy
