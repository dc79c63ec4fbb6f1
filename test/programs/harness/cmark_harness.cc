// Fuzz target of the demo: parses the input as CommonMark.
#include <cstddef>
#include <cstdint>

extern "C" {
#include "cmark.h"
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  cmark_node *document =
      cmark_parse_document(reinterpret_cast<const char *>(data), size, CMARK_OPT_DEFAULT);
  if (document)
    cmark_node_free(document);
  return 0;
}
