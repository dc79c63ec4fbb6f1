// Blame of one hand-built class against another, in words that tests compare.
#pragma once

#include "explainer/amplifiers.h"

#include "sample_trace.h"

#include <string>
#include <vector>

namespace perfidy::sample {

inline const std::vector<uint64_t> kSizes = doublingSizes(32, 8); // 32 .. 4096

inline uint64_t linear(uint64_t n) { return n; }
inline uint64_t one(uint64_t) { return 1; }

/// Blame of the class "slow" against the class "fast", or against nothing.
inline Blame blameOf(const Trace &trace, uint64_t topSize = 4096) {
  const CallGraph graph = buildCallGraph(trace);
  const std::vector<RunClass> classes = collectClasses(trace);
  Side slow, fast;
  for (const RunClass &runClass : classes)
    (runClass.id == "slow" ? slow : fast) = makeSide(trace, graph, runClass, topSize);
  return findAmplifiers(trace, graph, slow, fast);
}

/// "kind function:line" of each region, most responsible first.
inline std::vector<std::string> regionsOf(const Blame &blame) {
  std::vector<std::string> text;
  for (const RegionFinding &region : blame.regions)
    text.push_back(region.kind + " " + region.function + ":" + std::to_string(region.line));
  return text;
}

inline std::string loopText(const TraceBuilder &builder, uint32_t function, uint32_t loop) {
  return "loop " + builder.build().functions[function].name + ":" +
         std::to_string(builder.loopLine(function, loop));
}

inline std::string topOf(const Blame &blame) {
  return blame.regions.empty() ? "nothing" : regionsOf(blame).front();
}

inline bool blames(const Blame &blame, const std::string &region) {
  const std::vector<std::string> regions = regionsOf(blame);
  return std::find(regions.begin(), regions.end(), region) != regions.end();
}

inline double sumOf(const std::vector<FunctionShare> &shares) {
  double sum = 0;
  for (const FunctionShare &share : shares)
    sum += share.share;
  return sum;
}

} // namespace perfidy::sample
