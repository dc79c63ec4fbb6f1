// Suite A, negative control: a checksum with one branch per bit. Costs differ by the number of
// set bits, a constant factor below two.
// Input: bytes.
// CLASS none
#include <cstddef>
#include <cstdint>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  uint32_t crc = 0xffffffff;
  for (size_t i = 0; i < size; ++i) {
    crc ^= data[i];
    for (int bit = 0; bit < 8; ++bit) {
      bool low = crc & 1;
      crc >>= 1;
      if (low)
        crc ^= 0xedb88320;
    }
  }
  return crc == 0 && size == 0;
}
