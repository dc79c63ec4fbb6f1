// Parameter vectors as the tools see them: read from traced runs, written behind inputs, chosen for
// the ladder.
#pragma once

#include "runtime/trace.h"

#include <map>
#include <string>
#include <vector>

namespace perfidy {

using Declared = std::map<std::string, DeclaredParameter>;

/// Values by name (scales not among them), and the bytes that the target gets in front.
struct NamedVector {
  std::string body;
  std::map<std::string, double> values;
};

/// The names of the scales, that of the runs' size first.
std::vector<std::string> scalesOf(const Trace &trace, const Declared &declared);

/// An input of the vector with the given scales; `dimension` is the one that is the size. The
/// format is that of runtime/FORMAT.md.
std::string inputOf(const NamedVector &vector,
                    const Declared &declared,
                    const std::map<std::string, double> &scales,
                    const std::string &dimension);

/// The bytes in front of the vector of an input; all when it has none.
std::string bodyOf(const std::string &bytes);

/// The vector of a traced run of `bytes`.
NamedVector vectorOf(const Run &run, const std::string &bytes, const Declared &declared);

struct VectorChoice {
  size_t seeds = 18;     ///< dearest vectors of the corpus, spread over what they spend cost on
  size_t perChoice = 24; ///< combinations of enumerated values with both their ends
  size_t varied = 5;     ///< dear vectors varied, parameter by parameter and by crossing
  size_t crossings = 10; ///< of each of them
  size_t random = 80;    ///< uniform draws: what is usual
  size_t censored = 4;   ///< stopped ones, the first two varied as well
  double dear = 4;       ///< times the median of its size: worth varying
};

/// Distinct vectors for the ladder. `runOf[i]` is the traced run of bytes[i], or past the end.
/// `censored` are inputs that passed the cost budget. What tells slow from fast vectors can only be
/// learned where the other parameters vary independently, so dear ones are varied at random. Pure:
/// the same choice each time.
std::vector<NamedVector> chooseVectors(const Trace &trace,
                                       const std::vector<size_t> &runOf,
                                       const std::vector<std::string> &bytes,
                                       const std::vector<std::string> &censored,
                                       const Declared &declared,
                                       const VectorChoice &options = {});

} // namespace perfidy
