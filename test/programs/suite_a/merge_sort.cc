// Suite A: merge sort, top down. Every input costs n log n: there is nothing to find, only a
// worst case within a constant factor.
// Input: an array of 16-bit elements, high byte first; an odd last byte is ignored.
// CLASS none
// WORST each merge alternates between its halves to the end (sorted input, taken apart
//   backwards).
#include <cstddef>
#include <cstdint>
#include <vector>

static void mergeSort(uint16_t *a, uint16_t *scratch, size_t count) {
  if (count < 2)
    return;
  size_t half = count / 2;
  mergeSort(a, scratch, half);
  mergeSort(a + half, scratch, count - half);
  size_t left = 0, right = half, out = 0;
  while (left < half && right < count) {
    if (a[right] < a[left])
      scratch[out++] = a[right++];
    else
      scratch[out++] = a[left++];
  }
  while (left < half)
    scratch[out++] = a[left++];
  for (size_t i = 0; i < out; ++i)
    a[i] = scratch[i];
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  std::vector<uint16_t> a(size / 2), scratch(size / 2);
  for (size_t i = 0; i < a.size(); ++i)
    a[i] = static_cast<uint16_t>(data[2 * i] << 8 | data[2 * i + 1]);
  mergeSort(a.data(), scratch.data(), a.size());
  return 0;
}
