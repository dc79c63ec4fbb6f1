// Compares two texts, separated by a line "=", line by line: which lines of the second are new?
//
// SEED "a\n=\na\n"
// PLANTED BUG_HASH kind=hash_collision function=find_line|hash_line exponent=2
// PLANTED BUG_LINE kind=repeated_scan function=line_at exponent=2
// PLANTED BUG_SYNC kind=rescan_after_error function=next_common exponent=2
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { kBuckets = 1024 };

struct line {
  const char *text;
  size_t length;
  unsigned hash;
  struct line *next;
};

struct file {
  const char *text, *end;
  struct line *lines;
  size_t count;
};

static unsigned hash_line(const char *text, size_t length) {
  unsigned hash = 7;
#ifdef BUG_HASH
  for (size_t i = 0; i < length; ++i) // GUILTY_HASH
    hash += (unsigned char)text[i];
#else
  for (size_t i = 0; i < length; ++i)
    hash = (hash ^ (unsigned char)text[i]) * 16777619u;
#endif
  return hash;
}

// Splits a text into lines.
static void split(struct file *file) {
  for (const char *at = file->text; at < file->end;) {
    const char *start = at;
    while (at < file->end && *at != '\n')
      ++at;
    struct line *line = &file->lines[file->count++];
    line->text = start;
    line->length = (size_t)(at - start);
    line->hash = hash_line(start, line->length);
    ++at;
  }
}

static const char *line_at(const struct file *file, size_t number) {
#ifdef BUG_LINE
  const char *at = file->text;
  while (number > 0) // GUILTY_LINE
    number -= *at++ == '\n';
  return at;
#else
  return file->lines[number].text;
#endif
}

static struct line *find_line(struct line **table, const struct line *wanted) {
  struct line *at = table[(wanted->hash ^ wanted->hash >> 12) % kBuckets];
  while (at && (at->length != wanted->length ||
                memcmp(at->text, wanted->text, at->length) != 0)) // GUILTY_HASH
    at = at->next;
  return at;
}

static void add_line(struct line **table, struct line *line) {
  if (find_line(table, line))
    return;
  struct line **bucket = &table[(line->hash ^ line->hash >> 12) % kBuckets];
  line->next = *bucket;
  *bucket = line;
}

// After a difference: the next line from `from` on that the first text has too.
static size_t next_common(struct line **table, const struct file *file, size_t from) {
  while (from < file->count && !find_line(table, &file->lines[from])) // GUILTY_SYNC
    ++from;
  return from;
}

static size_t compare(struct line **table, const struct file *file) {
  size_t new = 0, sync = 0;
  for (size_t i = 0; i < file->count; ++i) {
#ifdef BUG_SYNC
    sync = next_common(table, file, i);
#else
    if (sync < i || i == 0)
      sync = next_common(table, file, i);
#endif
    if (i < sync)
      new += *line_at(file, i) != ' ';
  }
  return new;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const char *text = (const char *)data, *end = text + size, *middle = text;
  while (middle < end && *middle != '=')
    ++middle;
  struct file old = {text, middle, NULL, 0}, new = {middle + (middle < end), end, NULL, 0};
  struct line **table = calloc(kBuckets, sizeof *table);
  old.lines = malloc((size + 1) * sizeof *old.lines);
  new.lines = malloc((size + 1) * sizeof *new.lines);
  split(&old);
  split(&new);
  for (size_t i = 0; i < old.count; ++i)
    add_line(table, &old.lines[i]);
  size_t changed = compare(table, &new);
  free(old.lines);
  free(new.lines);
  free(table);
  return changed == (size_t)-1;
}
