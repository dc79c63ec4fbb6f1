// perfidy verify: is a finding fixed in another build? Decided by counts, never by time.
#pragma once

#include "explainer/cost_function.h"
#include "explainer/findings.h"

#include <iosfwd>
#include <string>
#include <vector>

namespace perfidy {

enum class Verdict {
  Fixed,     ///< the slow side no longer grows faster, or the gap is gone
  Changed,   ///< still slow, but not as it was
  Unchanged, ///< as slow as it was
  Unknown    ///< the inputs of the finding cannot be made or run
};

/// "fixed", "changed", "unchanged", "unknown".
const char *verdictName(Verdict verdict);

/// The inputs of one finding in the new build, ascending by size; sizes beyond the recorded ones
/// show growth that bends later.
struct Measured {
  std::vector<SizeCost> slow, fast;
};

struct Verification {
  std::string id, message;
  Verdict verdict = Verdict::Unknown;
  std::string reason; ///< one sentence with the numbers
  Measured measured;
};

/// Judges one finding. With growth: fixed when the excess of the slow side's exponent at its
/// largest sizes over the fast side's (over linear without one) is at most a third of what it was
/// or 0.2; unchanged when exponent and cost at the recorded sizes are the same within a quarter.
/// Without growth (constant factor, outlier, timeout) the ratio, or the cost where nothing is there
/// to compare with, takes the place of the exponent.
Verification judgeFinding(const Finding &finding, Measured measured, double minRatio);

struct VerifyCommand {
  std::string findings, target;
  std::string json;                ///< file to write, or empty
  uint64_t budget = 1'000'000'000; ///< cost at which a run is stopped
  double minRatio = 2;
};

/// Rebuilds each finding's inputs (from its patterns, else from its pair), runs them in the new
/// target and judges.
std::vector<Verification> verifyFindings(const VerifyCommand &command);

/// Prints the verdicts. Exit code: 0 when all findings are fixed, 1 when one is not, 2 when a
/// verdict is unknown and the others are fixed.
int commandVerify(const VerifyCommand &command);

} // namespace perfidy
