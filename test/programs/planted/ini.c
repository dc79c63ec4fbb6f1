// Reads sections and "key = value" lines, with "\" continuation lines, into a configuration.
//
// SEED "a=1\n"
// PLANTED BUG_TRIM kind=strlen_in_condition function=fold_case exponent=2
// PLANTED BUG_JOIN kind=realloc_by_one function=append_char exponent=2
// PLANTED BUG_LOOKUP kind=list_as_set function=find_entry exponent=2
#include <ctype.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { kBuckets = 1024 };

struct entry {
  char *key;
  struct entry *next;       // in order of appearance
  struct entry *bucketNext; // same hash
  unsigned times;
};

struct config {
  struct entry *first, *last;
  struct entry **buckets;
};

struct text {
  char *bytes;
  size_t length, capacity;
};

static void append_char(struct text *text, char c) {
  if (text->length + 1 >= text->capacity) {
#ifdef BUG_JOIN
    text->capacity = text->length + 2;
#else
    text->capacity = text->capacity * 2 + 16;
#endif
    char *grown = malloc(text->capacity);
    if (text->bytes)
      memcpy(grown, text->bytes, text->length); // GUILTY_JOIN
    free(text->bytes);
    text->bytes = grown;
  }
  text->bytes[text->length++] = c;
  text->bytes[text->length] = 0;
}

static unsigned hash_key(const char *key) {
  unsigned hash = 2166136261u;
  for (; *key; ++key)
    hash = (hash ^ (unsigned char)*key) * 16777619u;
  return hash % kBuckets;
}

static struct entry *find_entry(const struct config *config, const char *key) {
#ifdef BUG_LOOKUP
  for (struct entry *at = config->first; at; at = at->next) // GUILTY_LOOKUP
    if (strcmp(at->key, key) == 0)
      return at;
#else
  for (struct entry *at = config->buckets[hash_key(key)]; at; at = at->bucketNext)
    if (strcmp(at->key, key) == 0)
      return at;
#endif
  return NULL;
}

static void add_entry(struct config *config, const char *key) {
  struct entry *entry = find_entry(config, key);
  if (entry) {
    ++entry->times;
    return;
  }
  entry = calloc(1, sizeof *entry);
  entry->key = malloc(strlen(key) + 1);
  strcpy(entry->key, key);
  struct entry **bucket = &config->buckets[hash_key(key)];
  entry->bucketNext = *bucket;
  *bucket = entry;
  if (config->last)
    config->last->next = entry;
  else
    config->first = entry;
  config->last = entry;
}

// Keys are not case sensitive.
static void fold_case(char *key) {
#ifdef BUG_TRIM
  for (size_t i = 0; i < strlen(key); ++i) // GUILTY_TRIM
    key[i] = (char)tolower((unsigned char)key[i]);
#else
  for (; *key; ++key)
    *key = (char)tolower((unsigned char)*key);
#endif
}

static void read_line(struct config *config, char *line) {
  while (*line == ' ' || *line == '\t')
    ++line;
  if (*line == 0 || *line == ';' || *line == '[')
    return;
  char *equals = strchr(line, '=');
  if (!equals)
    return;
  *equals = 0;
  fold_case(line);
  add_entry(config, line);
}

static void release(struct config *config, struct text *line) {
  for (struct entry *at = config->first; at;) {
    struct entry *next = at->next;
    free(at->key);
    free(at);
    at = next;
  }
  free(config->buckets);
  free(line->bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  struct config config = {0};
  struct text line = {0};
  config.buckets = calloc(kBuckets, sizeof *config.buckets);
  for (size_t i = 0; i < size; ++i) {
    if (data[i] == '\\' && i + 1 < size && data[i + 1] == '\n') {
      ++i;
      continue;
    }
    if (data[i] != '\n') {
      append_char(&line, (char)data[i]);
      continue;
    }
    if (line.length > 0)
      read_line(&config, line.bytes);
    line.length = 0;
  }
  release(&config, &line);
  return 0;
}
