// Suite A: Boyer-Moore search with the bad-character rule alone; counts all occurrences.
// Input: needle, a zero byte, text. Without a zero byte there is nothing to do.
// CLASS no_skips function=countOccurrences growth=1.7..2.3
//   each alignment compares the whole needle and moves on by one
// WORST a needle of a quarter of the input, all letters equal or the first one different, and a
//   text of that letter.
#include <cstddef>
#include <cstdint>
#include <cstring>

static size_t
countOccurrences(const uint8_t *needle, ptrdiff_t length, const uint8_t *text, ptrdiff_t size) {
  ptrdiff_t last[256];
  for (ptrdiff_t &position : last)
    position = -1;
  for (ptrdiff_t i = 0; i < length; ++i)
    last[needle[i]] = i;
  size_t found = 0;
  for (ptrdiff_t at = 0; at + length <= size;) {
    ptrdiff_t i = length - 1;
    while (i >= 0 && needle[i] == text[at + i])
      --i;
    if (i < 0) {
      ++found;
      ++at;
      continue;
    }
    ptrdiff_t skip = i - last[text[at + i]];
    at += skip > 1 ? skip : 1;
  }
  return found;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const void *end = std::memchr(data, 0, size);
  if (!end || end == data)
    return 0;
  ptrdiff_t length = static_cast<const uint8_t *>(end) - data;
  return countOccurrences(
             data, length, data + length + 1, static_cast<ptrdiff_t>(size) - length - 1) ==
         ~size_t(0);
}
