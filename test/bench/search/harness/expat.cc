// Suite B: XML that arrives in pieces of 16 bytes, as from a slow network.
#include "expat.h"
#include <cstddef>
#include <cstdint>
extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  XML_Parser p = XML_ParserCreate(nullptr);
  XML_SetHashSalt(p, 0x5eed1234UL);
  size_t off = 0;
  while (off < size) {
    size_t k = size - off < 16 ? size - off : 16;
    if (XML_Parse(p, (const char *)data + off, (int)k, 0) != XML_STATUS_OK)
      break;
    off += k;
  }
  XML_Parse(p, nullptr, 0, 1);
  XML_ParserFree(p);
  return 0;
}
