// Suite A, negative control: insertion into a balanced tree (compare bst_insert.cc): n log n for
// every order of keys. Duplicates are cheaper by a constant factor.
// Input: keys of 16 bits, high byte first; an odd last byte is ignored.
// CLASS none
#include <cstddef>
#include <cstdint>
#include <set>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  std::set<uint16_t> keys;
  for (size_t i = 0; i + 2 <= size; i += 2)
    keys.insert(static_cast<uint16_t>(data[i] << 8 | data[i + 1]));
  return 0;
}
