// Suite A, negative control: heap sort, at most n log n for every order.
// Input: an array of 16-bit elements, high byte first; an odd last byte is ignored.
// CLASS none
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

static void sink(uint16_t *heap, size_t at, size_t count) {
  for (size_t child = 2 * at + 1; child < count; child = 2 * at + 1) {
    if (child + 1 < count && heap[child + 1] > heap[child])
      ++child;
    if (heap[at] >= heap[child])
      return;
    std::swap(heap[at], heap[child]);
    at = child;
  }
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  std::vector<uint16_t> a(size / 2);
  for (size_t i = 0; i < a.size(); ++i)
    a[i] = static_cast<uint16_t>(data[2 * i] << 8 | data[2 * i + 1]);
  for (size_t i = a.size() / 2; i-- > 0;)
    sink(a.data(), i, a.size());
  for (size_t last = a.size(); last-- > 1;) {
    std::swap(a[0], a[last]);
    sink(a.data(), 0, last);
  }
  return 0;
}
