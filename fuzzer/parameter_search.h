// The search in parameter space: for harnesses that draw named parameters, the individual is a
// vector of values, not bytes.
//
// First what can be listed: enumerations exhaustively, then the corners of every parameter. Then
// vectors are changed on the scale of each parameter and crossed. Kept are, per combination of
// enumerated values, both ends (dearest and cheapest), and per region the vector that drives it
// furthest, all at one value of each scale: only runs of equal size can be compared. Values that
// only ever led over the cost budget are learned from the inputs left behind by earlier processes
// and then mostly avoided, so that an endless class does not stop the campaign.
#pragma once

#include "fuzzer/archive.h"
#include "fuzzer/parameter_limits.h"

namespace perfidy {

class ParameterSearch {
public:
  /// Reads its flags: --perfidy_search_parameters=0 (off) or uniform (only uniform draws, to
  /// compare with), --perfidy_dimension=NAME (the scale that is the size; else the first declared).
  bool start();

  /// True once the harness has drawn a parameter that can be chosen.
  bool active() const { return on && ParameterSpace::current().count > 0; }

  /// Writes an input with the next vector to try behind the target's bytes of `data` (`size` bytes,
  /// with or without a vector; room for `most`). Returns its length, 0 when it does not fit.
  size_t propose(uint8_t *data, size_t size, size_t most, Random &random);

  /// Learns from a finished run: of the corpus (then the search goes on at the size of its largest)
  /// or of a proposal. Returns how many kept vectors it replaced.
  unsigned observe(const perfidy_observation &seen, bool ofCorpus);

  /// Kept vectors, for statistics.
  size_t kept() const { return used; }

private:
  /// A vector with what it is kept for.
  struct Kept {
    uint64_t key = 0; ///< 0 = free
    uint64_t value = 0, cost = 0;
    ParameterVector vector;
  };
  static constexpr size_t kCells = 2048;
  static constexpr size_t kMostListed = 256; ///< combinations of enumerated values tried one by one
  enum class Kind : uint8_t { Dearest, Cheapest, Region };

  ParameterVector drawn() const;
  bool listed(ParameterVector &vector, Random &random);
  bool listedEnums(uint64_t number, ParameterVector &vector) const;
  ParameterVector vary(Random &random);
  const Kept *any(Random &random) const;
  void changeSome(ParameterVector &vector, Random &random) const;
  void fixScales(ParameterVector &vector) const;
  void adaptScale(uint64_t cost);
  void resumeScale(const ParameterVector &vector);
  bool offer(Kind kind, uint64_t key, uint64_t value, uint64_t cost, const ParameterVector &vector);
  void keepEnd(const char *end, uint64_t key, const perfidy_observation &seen) const;

  bool on = false, uniform = false, limitsRead = false;
  ParameterLimits limits;
  Kept *cells = nullptr;
  uint32_t *filled = nullptr;
  size_t used = 0;
  uint64_t nextListed = 0;
  unsigned doublings = 1;                         ///< of the size, further as cost allows
  uint64_t budget = 0, costSum = 0, costMost = 0; ///< the last two at the present size
  unsigned costRuns = 0;
};

} // namespace perfidy
