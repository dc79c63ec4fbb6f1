// The climber: plain inputs of fixed sizes, made dearer step by step. Exact on sorts, trees and
// backtracking, where what counts is the order of elements; ties are accepted.
#pragma once

#include "fuzzer/archive.h"

namespace perfidy {

class Climber {
public:
  /// The engine's mutator, or null.
  using EngineMutator = size_t (*)(uint8_t *, size_t, size_t);
  EngineMutator engine = nullptr;

  /// Writes the next input to try over `data` (at least `most` bytes, holding `size` bytes of the
  /// engine's current input); returns its length, 0 when no level fits.
  size_t propose(const Archive &archive,
                 const Input *region,
                 uint8_t *data,
                 size_t size,
                 size_t most,
                 Random &random);

  /// Tells how the last proposal went.
  void learn(bool dearer);

private:
  unsigned chooseLevel(unsigned first, unsigned count, Random &random);
  void mutate(uint8_t *data, size_t length, Random &random);

  unsigned level = 0;                    ///< of the last proposal
  uint32_t stale[Archive::kLevels] = {}; ///< proposals since the level last improved
  bool projected[Archive::kLevels] = {}; ///< the champion one level down was tried at this level
};

/// Makes an input of `length` bytes from one of half the length: repeated, stretched by elements of
/// some width, or with a stretch of it repeated; a header of a few bytes may stay.
void projectInput(
    const uint8_t *half, size_t halfLength, uint8_t *out, size_t length, Random &random);

} // namespace perfidy
