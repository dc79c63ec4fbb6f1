// Suite A: binary search. Every lookup costs at most log n: there is nothing to find, only a
// worst case within a constant factor.
// Input: the first half are gaps between the keys of the table (so that it is always sorted),
// each byte of the second half is looked up, scaled to the range of the table. An odd last byte
// is ignored.
// CLASS none
// WORST all lookups end at the deepest leaf by the dearer way, and none is found.
#include <cstddef>
#include <cstdint>
#include <vector>

static bool contains(const std::vector<uint32_t> &table, uint32_t key) {
  size_t low = 0, high = table.size();
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (table[middle] == key)
      return true;
    if (table[middle] < key)
      low = middle + 1;
    else
      high = middle;
  }
  return false;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  size_t half = size / 2;
  std::vector<uint32_t> table(half);
  uint32_t key = 0;
  for (size_t i = 0; i < half; ++i)
    table[i] = key += data[i];
  size_t found = 0;
  for (size_t i = 0; i < half; ++i)
    found += contains(table, data[half + i] * (key / 256 + 1));
  return found == size + 1;
}
