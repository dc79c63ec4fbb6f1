// Suite A: quotes within quotes, each encoded in base64 when it closes, its inner quotes already
// encoded. A quote's code is cut at half the size of the input.
// Input: text; '<' opens a quote, '>' closes the innermost one. Open ends are dropped.
// CLASS nested function=close,encode,LLVMFuzzerTestOneInput growth=1.7..2.3
//   quotes nested as deep as the text allows
// WORST a short text in the innermost of as many quotes as fit: its code grows by a third per
//   level until it is cut, and from there on each level encodes a text of half the size of the
//   input.
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace {

using Bytes = std::vector<uint8_t>;

Bytes encode(const Bytes &text, size_t most) {
  static const char kDigits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  Bytes code;
  code.reserve(most + 4);
  for (size_t i = 0; i < text.size() && code.size() + 4 <= most; i += 3) {
    uint32_t triple = uint32_t(text[i]) << 16;
    triple |= i + 1 < text.size() ? uint32_t(text[i + 1]) << 8 : 0;
    triple |= i + 2 < text.size() ? uint32_t(text[i + 2]) : 0;
    for (int shift = 18; shift >= 0; shift -= 6)
      code.push_back(static_cast<uint8_t>(kDigits[triple >> shift & 63]));
  }
  return code;
}

// Ends the innermost quote: its code goes into the one around it.
void close(std::vector<Bytes> &open, size_t most) {
  Bytes code = encode(open.back(), most);
  open.pop_back();
  open.back().insert(open.back().end(), code.begin(), code.end());
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  std::vector<Bytes> open(1);
  for (size_t i = 0; i < size; ++i) {
    if (data[i] == '<')
      open.emplace_back();
    else if (data[i] == '>' && open.size() > 1)
      close(open, size / 2);
    else if (data[i] != '>')
      open.back().push_back(data[i]);
  }
  return 0;
}
