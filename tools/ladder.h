// The ladder: every class on a common grid of sizes, as far as the cost budget allows.
#pragma once

#include "fuzzer/pattern.h"
#include "tools/target.h"

#include <functional>
#include <string>
#include <vector>

namespace perfidy {

struct LadderClass {
  std::string id;
  Pattern pattern;
};

struct LadderOptions {
  size_t smallest = 32, largest = 16384; ///< bytes
  uint64_t budget =
      100'000'000; ///< cost of one run; a class stops before it is predicted to pass it
  int timeoutSeconds = 30;
  std::function<void(const std::string &)> onProgress;
};

/// Renders, traces and labels the classes rung by rung (doubling sizes; finer ones between the last
/// two for classes that got fewer than six). Inputs are kept under directory/CLASS/SIZE. Appends to
/// the trace; returns the number of runs.
size_t climbLadder(const std::string &target,
                   const std::vector<LadderClass> &classes,
                   const std::string &directory,
                   const std::string &tracePath,
                   const LadderOptions &options);

} // namespace perfidy
