// Suite A: quicksort with a three-way partition (Dijkstra), pivot is the first element. Many
// equal elements are its best case.
// Input: an array, one element per byte.
// CLASS bad_pivot function=quicksort growth=0.8..2.3
//   one value split off at a time; quadratic up to 256 bytes, then linear at a hundred times the
//   cost of equal elements
// WORST as many values as there are, each split off alone, those that occur once first.
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

static void quicksort(uint8_t *a, ptrdiff_t low, ptrdiff_t high) {
  if (low >= high)
    return;
  uint8_t pivot = a[low];
  ptrdiff_t less = low, i = low + 1, greater = high;
  while (i <= greater) {
    if (a[i] < pivot)
      std::swap(a[less++], a[i++]);
    else if (a[i] > pivot)
      std::swap(a[i], a[greater--]);
    else
      ++i;
  }
  quicksort(a, low, less - 1);
  quicksort(a, greater + 1, high);
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  std::vector<uint8_t> a(data, data + size);
  quicksort(a.data(), 0, static_cast<ptrdiff_t>(size) - 1);
  return 0;
}
