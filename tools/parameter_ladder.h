// The ladder of parameter vectors: every vector at doubling values of one scale, the others fixed.
#pragma once

#include "tools/ladder.h"
#include "tools/parameter_vectors.h"

namespace perfidy {

struct ParameterLadder {
  std::string dimension;                ///< the scale that is climbed
  std::map<std::string, double> others; ///< values of the other scales
};

/// The ladders of a harness: one for each scale, the others at their value in most traced runs.
std::vector<ParameterLadder> parameterLadders(const Trace &trace, const Declared &declared);

/// Runs the vectors rung by rung from the scale's lowest value on, as far as options.budget allows
/// (a vector stops before it is predicted to pass it, and after it did); at most ten rungs. Inputs
/// are kept under directory/vNNN/SIZE, runs are labelled with class vNNN. Appends to the trace;
/// returns the number of runs.
size_t climbParameters(const std::string &target,
                       const std::vector<NamedVector> &vectors,
                       const Declared &declared,
                       const ParameterLadder &ladder,
                       const std::string &directory,
                       const std::string &tracePath,
                       const LadderOptions &options);

} // namespace perfidy
