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
};

Text make(size_t capacity) { return Text{static_cast<char *>(std::malloc(capacity)), 0, capacity}; }

// The text with one more byte, as a new string.
Text concatenated(Text text, char byte) {
  Text longer = make(text.capacity);
  for (size_t i = 0; i < text.length; ++i)
    longer.bytes[i] = text.bytes[i];
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
  bool longer = text.length > size;
  std::free(text.bytes);
  return longer;
}
