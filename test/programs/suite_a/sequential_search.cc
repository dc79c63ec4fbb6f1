// Suite A: sequential search. The first half of the input is the table, each byte of the second
// half is looked up.
// Input: bytes; an odd last byte is ignored.
// CLASS missing function=contains,LLVMFuzzerTestOneInput growth=1.7..2.3
//   bytes that are not in the table, or at its end
// WORST no byte of the second half occurs in the first.
#include <cstddef>
#include <cstdint>

static bool contains(const uint8_t *table, size_t count, uint8_t key) {
  for (size_t i = 0; i < count; ++i)
    if (table[i] == key)
      return true;
  return false;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  size_t half = size / 2, found = 0;
  for (size_t i = 0; i < half; ++i)
    found += contains(data, half, data[half + i]);
  return found == size + 1;
}
