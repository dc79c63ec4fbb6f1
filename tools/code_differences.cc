#include "tools/code_differences.h"
#include "runtime/trace.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace perfidy {
namespace {

constexpr size_t kMost = 3;
/// Less than this is no difference: runs of different seeds differ by some branches.
constexpr double kLeastRatio = 1.5;

struct Difference {
  double ratio = 0; ///< |log|, infinite when one side is 0
  size_t function = 0;
  uint32_t line = 0;
  double faulty = 0, clean = 0;
};

double meanCount(const std::vector<Trace> &traces, uint32_t block) {
  double sum = 0, runs = 0;
  for (const Trace &trace : traces)
    for (const Run &run : trace.runs) {
      sum += static_cast<double>(countOf(run.blocks, block));
      runs += 1;
    }
  return runs > 0 ? sum / runs : 0;
}

std::vector<Trace> readAll(const std::vector<std::string> &paths) {
  std::vector<Trace> traces;
  for (const std::string &path : paths)
    traces.push_back(readTrace(path));
  return traces;
}

std::string sentence(const Trace &trace, const Difference &found) {
  const Function &function = trace.functions[found.function];
  const std::string place = fmt::format("{}:{}", function.file, found.line);
  if (found.faulty == 0)
    return fmt::format("code: {} in {} never runs here; {:.0f} times in clean runs",
                       place,
                       function.display,
                       found.clean);
  if (found.clean == 0)
    return fmt::format("code: {} in {} runs {:.0f} times here; never in clean runs",
                       place,
                       function.display,
                       found.faulty);
  return fmt::format("code: {} in {} runs {:.0f} times here; {:.0f} times in clean runs",
                     place,
                     function.display,
                     found.faulty,
                     found.clean);
}

} // namespace

std::vector<std::string> codeDifferences(const std::vector<std::string> &faulty,
                                         const std::vector<std::string> &clean) {
  const std::vector<Trace> bad = readAll(faulty), good = readAll(clean);
  if (bad.empty() || good.empty() || bad[0].functions.empty())
    return {};
  for (const std::vector<Trace> *side : {&bad, &good})
    for (const Trace &trace : *side)
      if (trace.build != bad[0].build)
        return {};
  std::vector<Difference> found;
  for (size_t f = 0; f < bad[0].functions.size(); ++f) {
    const Function &function = bad[0].functions[f];
    Difference worst;
    for (size_t b = 0; b < function.blocks.size(); ++b) {
      const auto block = function.firstBlock + static_cast<uint32_t>(b);
      const double here = meanCount(bad, block), there = meanCount(good, block);
      if (here == there || function.blocks[b].line == 0)
        continue;
      const double ratio = here == 0 || there == 0 ? INFINITY : std::abs(std::log(here / there));
      // A whole function (its first block) rather than a part of it.
      if (ratio > worst.ratio)
        worst = {ratio, f, b == 0 ? function.line : function.blocks[b].line, here, there};
    }
    if (worst.ratio > std::log(kLeastRatio))
      found.push_back(worst);
  }
  // Among what never ran, the innermost says most: it does the least else.
  std::stable_sort(found.begin(), found.end(), [](const Difference &a, const Difference &b) {
    return a.ratio != b.ratio ? a.ratio > b.ratio : a.faulty + a.clean > b.faulty + b.clean;
  });
  std::vector<std::string> lines;
  for (size_t i = 0; i < std::min(kMost, found.size()); ++i)
    lines.push_back(sentence(bad[0], found[i]));
  return lines;
}

} // namespace perfidy
