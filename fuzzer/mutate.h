// Mutators on patterns and on plain inputs. Pure but for the generator passed in.
#pragma once

#include "fuzzer/archive.h"
#include "fuzzer/tokens.h"

namespace perfidy {

/// Bytes to draw tokens from: the engine's current input (coverage-guided, so it holds the tokens
/// the target knows), and the pool, if any.
struct TokenSource {
  const uint8_t *data = nullptr;
  size_t length = 0;
  const TokenPool *pool = nullptr;
};

/// A new pattern from tokens of the source and single bytes.
Pattern freshPattern(const TokenSource &source, const Archive &archive, Random &random);

/// One to three changes of parts: bytes, tokens, deletion, crossing with another kept pattern, a
/// second pump, closing brackets for opening ones.
Pattern mutatePattern(const Pattern &parent,
                      const TokenSource &source,
                      const Archive &archive,
                      Random &random);

/// A new sequence; `binary` for elements of a fixed width, as in arrays.
Sequence freshSequence(Random &random, bool binary);

/// Changes one property of the sequence, adds one to a pattern without, or takes it away.
void changeSequence(Pattern &pattern, Random &random);

/// A byte as texts have it, half of the time punctuation.
uint8_t randomByte(Random &random);

/// Rearranges or changes bytes in place without changing the length: swap, reversal, sorting,
/// copying, equalising of a segment, small increments. For inputs that are arrays of some kind.
void mutateInPlace(uint8_t *data, size_t length, Random &random);

} // namespace perfidy
