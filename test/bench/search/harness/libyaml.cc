// Suite B: the tokens of YAML.
#include "yaml.h"
#include <cstddef>
#include <cstdint>
extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  yaml_parser_t p;
  if (!yaml_parser_initialize(&p))
    return 0;
  yaml_parser_set_input_string(&p, data, size);
  for (;;) {
    yaml_token_t t;
    if (!yaml_parser_scan(&p, &t))
      break;
    bool end = t.type == YAML_STREAM_END_TOKEN;
    yaml_token_delete(&t);
    if (end)
      break;
  }
  yaml_parser_delete(&p);
  return 0;
}
