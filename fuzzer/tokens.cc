#include "fuzzer/tokens.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

namespace perfidy {
namespace {

constexpr size_t kLongestLearned = 32;

int hexDigit(char c) {
  if (c >= '0' && c <= '9')
    return c - '0';
  c = static_cast<char>(c | 32);
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

} // namespace

void TokenPool::add(const uint8_t *bytes, size_t length) {
  for (size_t i = 0; i < used; ++i)
    if (tokens[i].length == length && memcmp(tokens[i].bytes, bytes, length) == 0)
      return;
  if (used < kMost) {
    tokens[used++].assign(bytes, length);
    return;
  }
  if (fromUser == kMost)
    return;
  next = next + 1 < kMost && next >= fromUser ? next + 1 : fromUser;
  tokens[next].assign(bytes, length);
}

void TokenPool::learnDifference(const uint8_t *before,
                                size_t beforeLength,
                                const uint8_t *after,
                                size_t afterLength) {
  size_t shorter = beforeLength < afterLength ? beforeLength : afterLength;
  size_t head = 0, tail = 0;
  while (head < shorter && before[head] == after[head])
    ++head;
  while (tail < shorter - head && before[beforeLength - 1 - tail] == after[afterLength - 1 - tail])
    ++tail;
  size_t length = afterLength - head - tail;
  if (length >= 2 && length <= kLongestLearned)
    add(after + head, length);
}

void TokenPool::readLine(const char *line, size_t length) {
  const char *open = static_cast<const char *>(memchr(line, '"', length));
  const char *comment = static_cast<const char *>(memchr(line, '#', length));
  if (!open || (comment && comment < open))
    return;
  uint8_t bytes[Part::kCapacity];
  size_t made = 0;
  const char *end = line + length;
  for (const char *at = open + 1; at < end && *at != '"' && made < sizeof bytes; ++at) {
    if (*at != '\\' || at + 1 >= end) {
      bytes[made++] = static_cast<uint8_t>(*at);
    } else if (at[1] == 'x' && at + 3 < end && hexDigit(at[2]) >= 0 && hexDigit(at[3]) >= 0) {
      bytes[made++] = static_cast<uint8_t>(hexDigit(at[2]) * 16 + hexDigit(at[3]));
      at += 3;
    } else {
      bytes[made++] = static_cast<uint8_t>(*++at);
    }
  }
  if (made > 0)
    add(bytes, made);
}

void TokenPool::readDictionary(const char *path) {
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0)
    return;
  static char text[1 << 16];
  size_t held = 0;
  for (;;) {
    ssize_t got = read(file, text + held, sizeof text - held);
    bool last = got <= 0;
    held += last ? 0 : static_cast<size_t>(got);
    size_t begin = 0;
    while (begin < held) {
      const void *found = memchr(text + begin, '\n', held - begin);
      size_t end = found ? static_cast<size_t>(static_cast<const char *>(found) - text) : held;
      if (!found && !last && held < sizeof text)
        break;
      readLine(text + begin, end - begin);
      begin = end + 1;
    }
    if (last)
      break;
    begin = begin < held ? begin : held;
    memmove(text, text + begin, held - begin);
    held -= begin;
  }
  close(file);
  fromUser = used;
}

} // namespace perfidy
