// Suite B: JSON.
#include <cstddef>
#include <cstdint>
#include <json/json.h>
#include <memory>
#include <string>
extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  Json::CharReaderBuilder b;
  std::unique_ptr<Json::CharReader> r(b.newCharReader());
  Json::Value v;
  std::string err;
  r->parse((const char *)data, (const char *)data + size, &v, &err);
  return 0;
}
