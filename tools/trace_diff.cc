#include "tools/trace_diff.h"
#include "tools/escape.h"
#include "tools/readable.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ostream.h>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

namespace perfidy {
namespace {

constexpr double kAlike = 0.8; ///< least likeness of functions of different names

std::string baseOf(const std::string &path) { return path.substr(path.rfind('/') + 1); }

double ratioOf(double a, double b) {
  return std::max(a, b) > 0 ? std::min(a, b) / std::max(a, b) : 1;
}

// Jaccard similarity of the callees' names.
double commonCallees(const Function &a, const Function &b) {
  std::set<std::string> left, right;
  for (const CallSite &site : a.calls)
    left.insert(site.callee);
  for (const CallSite &site : b.calls)
    right.insert(site.callee);
  size_t common = 0;
  for (const std::string &name : left)
    common += right.count(name);
  const size_t all = left.size() + right.size() - common;
  return all ? double(common) / double(all) : 1;
}

std::vector<uint32_t> loopDepths(const Function &function) {
  std::vector<uint32_t> depths;
  for (const Loop &loop : function.loops)
    depths.push_back(loop.depth);
  std::sort(depths.begin(), depths.end());
  return depths;
}

double structureLikeness(const Function &a, const Function &b) {
  // Small functions are all alike.
  constexpr size_t kTelling = 6;
  if (std::min(a.blocks.size(), b.blocks.size()) < kTelling || loopDepths(a) != loopDepths(b))
    return 0;
  auto instructions = [](const Function &function) {
    double sum = 0;
    for (const Block &block : function.blocks)
      sum += block.instructions;
    return sum;
  };
  return (ratioOf(double(a.blocks.size()), double(b.blocks.size())) +
          ratioOf(instructions(a), instructions(b)) + commonCallees(a, b)) /
         3;
}

class Matcher {
public:
  Matcher(const Trace &before, const Trace &after)
      : before(before), after(after), partner(before.functions.size(), kNone),
        taken(after.functions.size(), false), renamed(before.functions.size(), false) {}

  std::vector<FunctionMatch> run() {
    byKey([](const Function &function) { return function.name + '\n' + baseOf(function.file); });
    byKey([](const Function &function) { return function.name; });
    byStructure();
    std::vector<FunctionMatch> matches;
    for (uint32_t i = 0; i < partner.size(); ++i)
      matches.push_back({i, partner[i], renamed[i]});
    for (uint32_t i = 0; i < taken.size(); ++i)
      if (!taken[i])
        matches.push_back({kNone, i, false});
    return matches;
  }

private:
  void take(uint32_t from, uint32_t to) {
    partner[from] = to;
    taken[to] = true;
  }

  // Several functions of one key (static ones of equal names) are paired in their order.
  template <typename Key> void byKey(Key key) {
    std::map<std::string, std::vector<uint32_t>> free;
    for (uint32_t i = 0; i < after.functions.size(); ++i)
      if (!taken[i])
        free[key(after.functions[i])].push_back(i);
    for (uint32_t i = 0; i < before.functions.size(); ++i) {
      auto at = free.find(key(before.functions[i]));
      if (partner[i] != kNone || at == free.end() || at->second.empty())
        continue;
      take(i, at->second.front());
      at->second.erase(at->second.begin());
    }
  }

  uint32_t mostAlike(const Function &function, const Trace &in, bool inAfter) const {
    uint32_t best = kNone;
    double most = kAlike;
    for (uint32_t i = 0; i < in.functions.size(); ++i) {
      if (inAfter ? bool(taken[i]) : partner[i] != kNone)
        continue;
      const double likeness = structureLikeness(function, in.functions[i]);
      if (likeness > most) {
        most = likeness;
        best = i;
      }
    }
    return best;
  }

  void byStructure() {
    for (uint32_t i = 0; i < before.functions.size(); ++i) {
      if (partner[i] != kNone)
        continue;
      const uint32_t other = mostAlike(before.functions[i], after, true);
      if (other == kNone || mostAlike(after.functions[other], before, false) != i)
        continue;
      take(i, other);
      renamed[i] = true;
    }
  }

  const Trace &before, &after;
  std::vector<uint32_t> partner;
  std::vector<bool> taken, renamed;
};

double selfCost(const Function &function, const Run &run) {
  double cost = 0;
  for (size_t block = 0; block < function.blocks.size(); ++block)
    cost += double(countOf(run.blocks, function.firstBlock + static_cast<uint32_t>(block))) *
            function.blocks[block].instructions;
  for (uint32_t work = 0; work < function.workCount; ++work)
    cost += double(countOf(run.work, function.firstWork + work)) / double(kWorkBytesPerInstruction);
  return cost;
}

using Joined = std::vector<std::pair<const Run *, const Run *>>;

Joined joinRuns(const Trace &before, const Trace &after, TraceDiff &diff) {
  std::multimap<std::pair<uint64_t, uint64_t>, const Run *> later;
  for (const Run &run : after.runs)
    later.emplace(std::pair(run.inputHash, run.inputBytes), &run);
  Joined joined;
  for (const Run &run : before.runs) {
    auto at = later.find({run.inputHash, run.inputBytes});
    if (at == later.end()) {
      ++diff.onlyBefore;
      continue;
    }
    joined.emplace_back(&run, at->second);
    later.erase(at);
  }
  diff.onlyAfter = later.size();
  return joined;
}

double factor(double before, double after) {
  return std::fabs(std::log2((after + 1) / (before + 1)));
}

void compareInputs(const Joined &joined, TraceDiff &diff) {
  for (const auto &[before, after] : joined) {
    auto file = after->tags.find("file");
    diff.inputs.push_back(
        {file == after->tags.end() ? fmt::format("input {:016x}", after->inputHash) : file->second,
         after->inputBytes,
         before->cost,
         after->cost,
         before->status != RunStatus::Complete || after->status != RunStatus::Complete});
    diff.before += double(before->cost);
    diff.after += double(after->cost);
  }
  std::stable_sort(diff.inputs.begin(), diff.inputs.end(), [](const auto &a, const auto &b) {
    return factor(double(a.before), double(a.after)) > factor(double(b.before), double(b.after));
  });
}

void compareFunction(const Function *before,
                     const Function *after,
                     bool renamed,
                     const Joined &joined,
                     TraceDiff &diff) {
  const Function &shown = after ? *after : *before;
  FunctionDelta delta{
      shown.display, shown.file, shown.line, renamed ? before->display : std::string(), 0, 0};
  for (const auto &[old, now] : joined) {
    delta.before += before ? selfCost(*before, *old) : 0;
    delta.after += after ? selfCost(*after, *now) : 0;
  }
  if (delta.before != delta.after)
    diff.functions.push_back(delta);
  if (!before || !after || before->loops.size() != after->loops.size())
    return; // another loop nest: the function says it
  for (size_t loop = 0; loop < after->loops.size(); ++loop) {
    LoopDelta change{shown.display, shown.file, after->loops[loop].line, 0, 0};
    for (const auto &[old, now] : joined) {
      change.before +=
          double(countOf(old->blocks, before->firstBlock + before->loops[loop].header));
      change.after += double(countOf(now->blocks, after->firstBlock + after->loops[loop].header));
    }
    if (change.before != change.after)
      diff.loops.push_back(change);
  }
}

template <class Delta> void sortByChange(std::vector<Delta> &deltas) {
  std::stable_sort(deltas.begin(), deltas.end(), [](const Delta &a, const Delta &b) {
    return std::fabs(a.after - a.before) > std::fabs(b.after - b.before);
  });
}

std::string changeText(double before, double after) {
  if (before == 0)
    return "new";
  if (after == 0)
    return "gone";
  return fmt::format("{:.2f}x", after / before);
}

std::string rowText(double before, double after) {
  return fmt::format("{:>16} {:>16} {:>9}",
                     readableNumber(before),
                     readableNumber(after),
                     changeText(before, after));
}

std::string placeText(const std::string &file, uint32_t line, const std::string &function) {
  return printable(line ? fmt::format("{}:{} {}", file, line, function) : file + " " + function);
}

} // namespace

std::vector<FunctionMatch> matchFunctions(const Trace &before, const Trace &after) {
  return Matcher(before, after).run();
}

TraceDiff diffTraces(const Trace &before, const Trace &after) {
  TraceDiff diff;
  const Joined joined = joinRuns(before, after, diff);
  compareInputs(joined, diff);
  for (const FunctionMatch &match : matchFunctions(before, after))
    compareFunction(match.before == kNone ? nullptr : &before.functions[match.before],
                    match.after == kNone ? nullptr : &after.functions[match.after],
                    match.renamed,
                    joined,
                    diff);
  sortByChange(diff.functions);
  sortByChange(diff.loops);
  return diff;
}

void writeDiff(const TraceDiff &diff, size_t rows, std::ostream &out) {
  fmt::print(out,
             "{} inputs in both: cost {} before, {} after ({})\n",
             diff.inputs.size(),
             grouped(static_cast<uint64_t>(diff.before)),
             grouped(static_cast<uint64_t>(diff.after)),
             changeText(diff.before, diff.after));
  if (diff.onlyBefore + diff.onlyAfter > 0)
    fmt::print(out,
               "{} inputs only before, {} only after: not compared\n",
               diff.onlyBefore,
               diff.onlyAfter);
  auto heading = [&](const char *what, size_t count) {
    if (count > 0)
      fmt::print(out, "\n{:>16} {:>16} {:>9}  {}\n", "before", "after", "change", what);
  };
  const auto changed = std::count_if(diff.inputs.begin(), diff.inputs.end(), [](const auto &one) {
    return one.before != one.after;
  });
  heading("input", static_cast<size_t>(changed));
  for (size_t i = 0; i < diff.inputs.size() && i < rows; ++i)
    if (diff.inputs[i].before != diff.inputs[i].after)
      fmt::print(out,
                 "{}  {}{}\n",
                 rowText(double(diff.inputs[i].before), double(diff.inputs[i].after)),
                 printable(diff.inputs[i].name),
                 diff.inputs[i].censored ? " (stopped at the budget: a lower bound)" : "");
  heading("function (cost of its own)", diff.functions.size());
  for (size_t i = 0; i < diff.functions.size() && i < rows; ++i) {
    const FunctionDelta &one = diff.functions[i];
    fmt::print(out,
               "{}  {}{}\n",
               rowText(one.before, one.after),
               placeText(one.file, one.line, one.function),
               one.was.empty() ? "" : " (was " + printable(one.was) + ")");
  }
  heading("loop (iterations)", diff.loops.size());
  for (size_t i = 0; i < diff.loops.size() && i < rows; ++i)
    fmt::print(out,
               "{}  {}\n",
               rowText(diff.loops[i].before, diff.loops[i].after),
               placeText(diff.loops[i].file, diff.loops[i].line, diff.loops[i].function));
}

void writeDiffJson(const TraceDiff &diff, std::ostream &out) {
  nlohmann::ordered_json json;
  json["before"] = diff.before;
  json["after"] = diff.after;
  json["only_before"] = diff.onlyBefore;
  json["only_after"] = diff.onlyAfter;
  json["inputs"] = json["functions"] = json["loops"] = nlohmann::ordered_json::array();
  for (const InputDelta &one : diff.inputs)
    json["inputs"].push_back({{"name", toUtf8(one.name)},
                              {"size", one.size},
                              {"before", one.before},
                              {"after", one.after},
                              {"censored", one.censored}});
  for (const FunctionDelta &one : diff.functions)
    json["functions"].push_back({{"function", toUtf8(one.function)},
                                 {"file", toUtf8(one.file)},
                                 {"line", one.line},
                                 {"was", toUtf8(one.was)},
                                 {"before", one.before},
                                 {"after", one.after}});
  for (const LoopDelta &one : diff.loops)
    json["loops"].push_back({{"function", toUtf8(one.function)},
                             {"file", toUtf8(one.file)},
                             {"line", one.line},
                             {"before", one.before},
                             {"after", one.after}});
  out << json.dump(2) << '\n';
}

} // namespace perfidy
