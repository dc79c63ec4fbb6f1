// Suite B: CommonMark with autolinks.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <stdbool.h>
extern "C" {
#include "cmark-gfm-core-extensions.h"
#include "cmark-gfm-extension_api.h"
#include "cmark-gfm.h"
}
extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static bool once = false;
  if (!once) {
    cmark_gfm_core_extensions_ensure_registered();
    once = true;
  }
  cmark_parser *p = cmark_parser_new(0);
  cmark_syntax_extension *e = cmark_find_syntax_extension("autolink");
  cmark_parser_attach_syntax_extension(p, e);
  cmark_parser_feed(p, (const char *)data, size);
  cmark_node *doc = cmark_parser_finish(p);
  if (doc)
    cmark_node_free(doc);
  cmark_parser_free(p);
  return 0;
}
