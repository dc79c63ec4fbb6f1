// What never comes to its end: values of parameters, and pairs of them, that only ever led over the
// cost budget or to a crash. Learned from the inputs that earlier processes of a campaign left
// behind, so that an endless class costs a few processes and not the campaign.
#pragma once

#include "fuzzer/parameter_space.h"

namespace perfidy {

class ParameterLimits {
public:
  /// Maps its memory; false when there is none.
  bool start();

  /// Forgets everything: what is known of the budget is known of one size.
  void forget();

  /// Counts a run that came to its end, or (censored) did not.
  void count(const ParameterVector &vector, bool censored);

  /// Some value, or pair of values, was never seen to come to its end, and more than once not to.
  bool hopeless(const ParameterVector &vector) const;

  /// Counts the inputs beside --perfidy_censored_prefix that ended a process, but those at larger
  /// scales than the given ones.
  void readEnded(const ParameterVector &scales);

private:
  static constexpr size_t kPairs = 1u << 16; ///< slots of counted bins and pairs of bins

  template <typename Visit> void visitBins(const ParameterVector &vector, Visit &&visit) const;

  uint8_t *censoredRuns = nullptr, *completeRuns = nullptr; ///< saturating, per slot
};

} // namespace perfidy
