// Suite A: insertion sort with a sentinel in front, so that the inner loop needs no bound.
// Input: an array, one element per byte.
// CLASS inversions function=insertionSort growth=1.7..2.3
//   descending order; sorted input is linear
// WORST as many inversions as 256 values allow: descending, values used equally often.
#include <cstddef>
#include <cstdint>
#include <vector>

static void insertionSort(int *a, size_t count) {
  for (size_t i = 1; i < count; ++i) {
    int key = a[i];
    size_t j = i;
    while (a[j - 1] > key) {
      a[j] = a[j - 1];
      --j;
    }
    a[j] = key;
  }
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  std::vector<int> a(size + 1);
  a[0] = -1;
  for (size_t i = 0; i < size; ++i)
    a[i + 1] = data[i];
  insertionSort(a.data() + 1, size);
  return 0;
}
