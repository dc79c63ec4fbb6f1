// Suite A: quicksort whose pivot is the middle element, so that sorted input is its best case.
// Input: an array of 16-bit elements, high byte first; an odd last byte is ignored.
// CLASS bad_pivot function=quicksort growth=1.7..2.3
//   the middle is always extreme, or all elements are equal
// WORST built backwards: each middle element is the largest of its range, after the exchanges
//   made so far. All equal elements are quadratic too, but cost a third, for want of exchanges.
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

static void quicksort(uint16_t *a, size_t count) {
  if (count < 2)
    return;
  std::swap(a[0], a[count / 2]);
  size_t lower = 0;
  for (size_t i = 1; i < count; ++i)
    if (a[i] < a[0])
      std::swap(a[++lower], a[i]);
  std::swap(a[0], a[lower]);
  quicksort(a, lower);
  quicksort(a + lower + 1, count - lower - 1);
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  std::vector<uint16_t> a(size / 2);
  for (size_t i = 0; i < a.size(); ++i)
    a[i] = static_cast<uint16_t>(data[2 * i] << 8 | data[2 * i + 1]);
  quicksort(a.data(), a.size());
  return 0;
}
