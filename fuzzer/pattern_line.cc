#include "fuzzer/pattern_line.h"

#include <string.h>

namespace perfidy {
namespace {

constexpr char kHead[] = "pattern 1 ";
constexpr int kNumbers = 8;

void numbersOf(const Pattern &pattern, unsigned *numbers) {
  const Sequence &s = pattern.sequence;
  const unsigned all[kNumbers] = {
      pattern.share, s.form, s.order, s.order2, s.fit, s.at, s.at2, s.stride};
  memcpy(numbers, all, sizeof all);
}

bool setNumbers(Pattern &pattern, const unsigned *n) {
  static constexpr unsigned kLimits[kNumbers] = {256,
                                                 Sequence::kForms,
                                                 Sequence::kOrders,
                                                 Sequence::kOrders,
                                                 Sequence::kFits,
                                                 256,
                                                 256,
                                                 65536};
  for (int i = 0; i < kNumbers; ++i)
    if (n[i] >= kLimits[i])
      return false;
  pattern.share = static_cast<uint8_t>(n[0]);
  Sequence &s = pattern.sequence;
  s.form = static_cast<uint8_t>(n[1]);
  s.order = static_cast<uint8_t>(n[2]);
  s.order2 = static_cast<uint8_t>(n[3]);
  s.fit = static_cast<uint8_t>(n[4]);
  s.at = static_cast<uint8_t>(n[5]);
  s.at2 = static_cast<uint8_t>(n[6]);
  s.stride = static_cast<uint16_t>(n[7]);
  return true;
}

char *writeNumber(unsigned value, char *out) {
  char digits[12];
  int length = 0;
  do
    digits[length++] = static_cast<char>('0' + value % 10);
  while (value /= 10);
  while (length)
    *out++ = digits[--length];
  return out;
}

int hexValue(char c) {
  return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

struct Reader {
  const char *at, *end;

  bool part(Part &part) {
    part.length = 0;
    if (at < end && *at == '-') {
      ++at;
      return separator();
    }
    while (at + 1 < end && hexValue(*at) >= 0 && hexValue(at[1]) >= 0) {
      if (part.length == Part::kCapacity)
        return false;
      part.bytes[part.length++] = static_cast<uint8_t>(hexValue(*at) * 16 + hexValue(at[1]));
      at += 2;
    }
    return part.length > 0 && separator();
  }
  bool number(unsigned &value) {
    value = 0;
    const char *begin = at;
    while (at < end && *at >= '0' && *at <= '9' && at - begin < 6)
      value = value * 10 + static_cast<unsigned>(*at++ - '0');
    return at > begin && separator();
  }
  // One blank, or the end of the line.
  bool separator() {
    if (at == end)
      return true;
    return *at++ == ' ';
  }
};

} // namespace

size_t writePatternLine(const Pattern &pattern, char *out) {
  static constexpr char kDigits[] = "0123456789abcdef";
  char *at = out;
  memcpy(at, kHead, sizeof kHead - 1);
  at += sizeof kHead - 1;
  for (int i = 0; i < Pattern::kParts; ++i) {
    const Part &part = pattern.part(i);
    if (part.length == 0)
      *at++ = '-';
    for (size_t b = 0; b < part.length; ++b) {
      *at++ = kDigits[part.bytes[b] >> 4];
      *at++ = kDigits[part.bytes[b] & 15];
    }
    *at++ = ' ';
  }
  unsigned numbers[kNumbers];
  numbersOf(pattern, numbers);
  for (int i = 0; i < kNumbers; ++i) {
    at = writeNumber(numbers[i], at);
    *at++ = i + 1 < kNumbers ? ' ' : '\n';
  }
  *at = 0;
  return static_cast<size_t>(at - out);
}

bool readPatternLine(const char *line, size_t length, Pattern &pattern) {
  if (length > 0 && line[length - 1] == '\n')
    --length;
  if (length < sizeof kHead - 1 || memcmp(line, kHead, sizeof kHead - 1) != 0)
    return false;
  Reader reader{line + sizeof kHead - 1, line + length};
  for (int i = 0; i < Pattern::kParts; ++i)
    if (!reader.part(pattern.part(i)))
      return false;
  unsigned numbers[kNumbers];
  for (unsigned &number : numbers)
    if (!reader.number(number))
      return false;
  return reader.at == reader.end && setNumbers(pattern, numbers) && pattern.valid();
}

} // namespace perfidy
