// Normalises a URL path: percent escapes, doubled slashes, "." and ".." segments.
//
// SEED "/a/../b"
// PLANTED BUG_PARENT kind=repeated_scan function=drop_segment exponent=2
// PLANTED BUG_SLASH kind=wrong_container function=squeeze_slashes exponent=2
// PLANTED BUG_DECODE kind=rescan_after_error function=decode_fully exponent=2
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static int digit(char c) {
  if (c >= '0' && c <= '9')
    return c - '0';
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

// Decodes "%xx" once, in place; the number of escapes. `nested`: a decoded "%" may begin another
// one.
static size_t decode(char *path, int nested) {
  size_t escapes = 0;
  char *to = path;
  for (const char *from = path; *from;) {
    if (from[0] != '%' || digit(from[1]) < 0 || digit(from[2]) < 0) {
      *to++ = *from++;
      continue;
    }
    char value = (char)(digit(from[1]) * 16 + digit(from[2]));
    ++escapes;
    if (value == '%' && nested && digit(from[3]) >= 0) {
      char *again = (char *)from + 2;
      *again = value;
      from = again;
      continue;
    }
    *to++ = value ? value : '?';
    from += 3;
  }
  *to = 0;
  return escapes;
}

// Until nothing is left to decode, so that no check can be passed by double encoding.
static size_t decode_fully(char *path) {
#ifdef BUG_DECODE
  size_t all = 0, last;
  do { // GUILTY_DECODE
    last = decode(path, 0);
    all += last;
  } while (last > 0); // GUILTY_DECODE
  return all;
#else
  return decode(path, 1);
#endif
}

static void squeeze_slashes(char *path) {
#ifdef BUG_SLASH
  size_t length = strlen(path);
  for (size_t i = 0; i + 1 < length;) // GUILTY_SLASH
    if (path[i] == '/' && path[i + 1] == '/')
      memmove(path + i, path + i + 1, length-- - i); // GUILTY_SLASH
    else
      ++i;
#else
  char *to = path;
  for (const char *from = path; *from; ++from)
    if (from[0] != '/' || from[1] != '/')
      *to++ = *from;
  *to = 0;
#endif
}

// Takes the last segment off a path of `length` bytes; its new length.
static size_t drop_segment(const char *path, size_t length) {
#ifdef BUG_PARENT
  size_t last = 0;
  for (size_t i = 0; i < length; ++i) // GUILTY_PARENT
    if (path[i] == '/')
      last = i;
  return last;
#else
  while (length > 0 && path[--length] != '/') {
  }
  return length;
#endif
}

static size_t resolve_dots(char *path) {
  size_t length = 0;
  const char *at = path;
  while (*at) {
    const char *end = at + 1;
    while (*end && *end != '/')
      ++end;
    size_t segment = (size_t)(end - at);
    if (segment == 3 && at[1] == '.' && at[2] == '.')
      length = drop_segment(path, length);
    else if (segment != 2 || at[1] != '.') {
      memmove(path + length, at, segment);
      length += segment;
    }
    at = end;
  }
  return length;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  char *path = malloc(size + 2);
  path[0] = '/';
  memcpy(path + 1, data, size);
  path[size + 1] = 0;
  size_t escapes = decode_fully(path);
  squeeze_slashes(path);
  size_t length = resolve_dots(path);
  free(path);
  return escapes + length == (size_t)-1;
}
