// Suite A: removes escapes. Plain bytes are added in place, an escape (a backslash and the byte
// behind it) makes a new string.
// Input: text.
// CLASS copies function=LLVMFuzzerTestOneInput,unescape,concatenated growth=1.7..2.3
//   many escapes in a long string
// WORST a third of plain bytes first, then escapes only.
#include <cstddef>
#include <cstdint>
#include <cstdlib>

namespace {

struct Text {
  char *bytes;
  size_t length, capacity;
  uint32_t hash;
};

Text make(size_t capacity) {
  return Text{static_cast<char *>(std::malloc(capacity)), 0, capacity, 0};
}

// The text with one more byte, as a new string with its hash. (The hash also keeps the loop a loop:
// as a memcpy no fuzzer that counts edges would see what it costs.)
Text concatenated(Text text, char byte) {
  Text longer = make(text.capacity);
  for (size_t i = 0; i < text.length; ++i)
    longer.hash = longer.hash * 31 + static_cast<uint8_t>(longer.bytes[i] = text.bytes[i]);
  longer.bytes[text.length] = byte;
  longer.length = text.length + 1;
  std::free(text.bytes);
  return longer;
}

Text unescape(const uint8_t *data, size_t size) {
  Text text = make(size + 1);
  for (size_t i = 0; i < size; ++i) {
    if (data[i] == '\\' && i + 1 < size)
      text = concatenated(text, static_cast<char>(data[++i]));
    else
      text.bytes[text.length++] = static_cast<char>(data[i]);
  }
  return text;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  Text text = unescape(data, size);
  bool longer = text.length > size || (size == 0 && text.hash != 0);
  std::free(text.bytes);
  return longer;
}
