// Suite A: the match finder of an LZ77 compressor: at each position all earlier ones with the
// same three bytes are compared, the latest first, until a match of 8 bytes is good enough (the
// fastest level of zlib does so).
// Input: the data to compress.
// CLASS long_chains function=longestMatch growth=1.5..2.3
//   many equal triples, but no long match; runs of one byte are cheap, as the first comparison is
//   good enough
// WORST one long run to fill the chain, then runs of the same byte, too short for a good match,
//   between separators that all differ.
#include <cstddef>
#include <cstdint>
#include <vector>

namespace {

constexpr size_t kGoodEnough = 8;
constexpr size_t kBuckets = 4096;

size_t bucketOf(const uint8_t *at) {
  return (at[0] * 506832829u ^ at[1] * 2654435u ^ at[2] * 40503u) % kBuckets;
}

size_t matchLength(const uint8_t *a, const uint8_t *b, const uint8_t *end) {
  size_t length = 0;
  while (length < kGoodEnough && b + length < end && a[length] == b[length])
    ++length;
  return length;
}

struct Window {
  const uint8_t *data;
  size_t size;
  size_t *latest, *previous; // positions + 1, 0 = none

  size_t longestMatch(size_t at) const {
    size_t best = 0;
    for (size_t from = latest[bucketOf(data + at)]; from > 0; from = previous[from - 1]) {
      size_t length = matchLength(data + from - 1, data + at, data + size);
      best = length > best ? length : best;
      if (best == kGoodEnough)
        break;
    }
    return best;
  }
};

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  // Left as found, so that a run does not depend on the ones before.
  static size_t latest[kBuckets];
  std::vector<size_t> previous(size);
  Window window{data, size, latest, previous.data()};
  size_t matched = 0;
  for (size_t i = 0; i + 3 <= size; ++i) {
    matched += window.longestMatch(i);
    size_t &head = latest[bucketOf(data + i)];
    previous[i] = head;
    head = i + 1;
  }
  for (size_t i = 0; i + 3 <= size; ++i)
    latest[bucketOf(data + i)] = 0;
  return matched == ~size_t(0);
}
