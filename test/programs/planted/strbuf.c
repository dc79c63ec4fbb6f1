// A string builder driven by commands: "." appends a byte, "^" prepends one, "#" appends a number,
// "-" drops the last byte.
//
// SEED ".^"
// PLANTED BUG_GROW kind=realloc_by_one function=reserve exponent=2
// PLANTED BUG_PREPEND kind=wrong_container function=prepend exponent=2
// PLANTED BUG_LENGTH kind=quadratic_append function=append_number exponent=2
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct builder {
  char *bytes;
  size_t start, end, capacity; // the text is [start, end); there is room on both sides
};

// Makes room for `more` bytes behind the text, and as many before it.
static void reserve(struct builder *text, size_t more) {
  if (text->start >= more && text->end + more < text->capacity)
    return;
  size_t length = text->end - text->start;
#ifdef BUG_GROW
  size_t room = more + 1;
#else
  size_t room = length + more + 16;
#endif
  char *bytes = malloc(length + 2 * room);
  if (text->bytes)
    memcpy(bytes + room, text->bytes + text->start, length); // GUILTY_GROW
  free(text->bytes);
  text->bytes = bytes;
  text->start = room;
  text->end = room + length;
  text->bytes[text->end] = 0;
  text->capacity = length + 2 * room;
}

static void append(struct builder *text, char c) {
  reserve(text, 1);
  text->bytes[text->end++] = c;
  text->bytes[text->end] = 0;
}

static void prepend(struct builder *text, char c) {
#ifdef BUG_PREPEND
  reserve(text, 2);
  memmove(text->bytes + text->start + 1,
          text->bytes + text->start,
          text->end - text->start); // GUILTY_PREPEND
  text->bytes[text->start] = c;
  text->bytes[++text->end] = 0;
#else
  reserve(text, 1);
  text->bytes[--text->start] = c;
  text->bytes[text->end] = 0;
#endif
}

static void append_number(struct builder *text, unsigned value) {
  char digits[12];
  size_t count = 0;
  do
    digits[count++] = (char)('0' + value % 10);
  while (value /= 10);
  reserve(text, count + 1);
#ifdef BUG_LENGTH
  char *to = text->bytes + text->start;
  to += strlen(to); // GUILTY_LENGTH
#else
  char *to = text->bytes + text->end;
#endif
  for (size_t i = count; i > 0; --i)
    *to++ = digits[i - 1];
  *to = 0;
  text->end = (size_t)(to - text->bytes);
}

static void drop_last(struct builder *text) {
  if (text->end > text->start)
    text->bytes[--text->end] = 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  struct builder text = {0};
  append(&text, 'x');
  for (size_t i = 0; i < size; ++i) {
    if (data[i] == '.')
      append(&text, 'a');
    else if (data[i] == '^')
      prepend(&text, 'b');
    else if (data[i] == '#')
      append_number(&text, (unsigned)(i % 1000));
    else if (data[i] == '-')
      drop_last(&text);
  }
  int result = text.end == (size_t)-1;
  free(text.bytes);
  return result;
}
