/* Made-up text for the workloads of the counting benchmark: words of a small vocabulary with the
 * frequencies of a language, the same on every machine. */
#ifndef PERFIDY_BENCH_TEXT_H
#define PERFIDY_BENCH_TEXT_H

#include <stdlib.h>
#include <string.h>

static unsigned text_state = 12345;

static inline unsigned text_random(unsigned below) {
  text_state = text_state * 1664525u + 1013904223u;
  return (text_state >> 8) % below;
}

static inline const char *text_word(void) {
  static const char *const words[] = {"the",   "of",     "and",   "a",      "to",       "in",
                                      "count", "block",  "edge",  "tree",   "function", "program",
                                      "input", "string", "value", "parser", "element",  "number",
                                      "xylem", "quartz", "jumbo", "vertex", "zephyr",   "oblique"};
  unsigned a = text_random(24), b = text_random(24);
  return words[a < b ? a : b];
}

/* `length` bytes of words, lines of about 70 characters; to be freed by the caller. */
static inline char *text_make(size_t length) {
  char *text = (char *)malloc(length + 32);
  size_t at = 0, line = 0;
  while (at < length) {
    const char *word = text_word();
    size_t n = strlen(word);
    memcpy(text + at, word, n);
    at += n;
    line += n + 1;
    text[at++] = line > 70 ? '\n' : ' ';
    line = line > 70 ? 0 : line;
  }
  text[length] = 0;
  return text;
}

#endif
