// Suite A: quicksort, partition of Hoare, pivot is the first element. Equal elements split
// evenly.
// Input: an array of 16-bit elements, high byte first; an odd last byte is ignored.
// CLASS bad_pivot function=quicksort,partition growth=1.7..2.3
//   the pivot is always smallest or largest
// WORST sorted or reversed: each partition splits off one element. Short inputs gain a little
//   from ranges that are split more evenly but exchange more.
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

// Returns the last index of the lower part.
static ptrdiff_t partition(uint16_t *a, ptrdiff_t low, ptrdiff_t high) {
  uint16_t pivot = a[low];
  ptrdiff_t i = low - 1, j = high + 1;
  for (;;) {
    while (a[++i] < pivot)
      ;
    while (a[--j] > pivot)
      ;
    if (i >= j)
      return j;
    std::swap(a[i], a[j]);
  }
}

static void quicksort(uint16_t *a, ptrdiff_t low, ptrdiff_t high) {
  if (low >= high)
    return;
  ptrdiff_t middle = partition(a, low, high);
  quicksort(a, low, middle);
  quicksort(a, middle + 1, high);
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  std::vector<uint16_t> a(size / 2);
  for (size_t i = 0; i < a.size(); ++i)
    a[i] = static_cast<uint16_t>(data[2 * i] << 8 | data[2 * i + 1]);
  quicksort(a.data(), 0, static_cast<ptrdiff_t>(a.size()) - 1);
  return 0;
}
