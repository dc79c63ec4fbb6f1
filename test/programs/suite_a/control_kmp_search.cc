// Suite A, negative control: the search of Knuth, Morris and Pratt, linear for every needle and
// text (compare boyer_moore.cc).
// Input: needle, a zero byte, text. Without a zero byte there is nothing to do.
// CLASS none
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

static size_t
countOccurrences(const uint8_t *needle, size_t length, const uint8_t *text, size_t size) {
  std::vector<size_t> border(length + 1, 0);
  for (size_t i = 1, k = 0; i < length; ++i) {
    while (k > 0 && needle[i] != needle[k])
      k = border[k];
    k += needle[i] == needle[k];
    border[i + 1] = k;
  }
  size_t found = 0;
  for (size_t i = 0, k = 0; i < size; ++i) {
    while (k > 0 && (k == length || text[i] != needle[k]))
      k = border[k];
    k += text[i] == needle[k];
    found += k == length;
  }
  return found;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const void *end = std::memchr(data, 0, size);
  if (!end || end == data)
    return 0;
  size_t length = static_cast<size_t>(static_cast<const uint8_t *>(end) - data);
  return countOccurrences(data, length, data + length + 1, size - length - 1) == ~size_t(0);
}
