#define PCRE2_CODE_UNIT_WIDTH 8
#include "pcre2.h"
#include "text.h"

#include <stdio.h>

static long matches(const char *pattern, const char *text, size_t length) {
  int error;
  PCRE2_SIZE offset, at = 0;
  long count = 0;
  pcre2_code *code =
      pcre2_compile((PCRE2_SPTR)pattern, PCRE2_ZERO_TERMINATED, 0, &error, &offset, NULL);
  pcre2_match_data *data = pcre2_match_data_create_from_pattern(code, NULL);
  while (pcre2_match(code, (PCRE2_SPTR)text, length, at, 0, data, NULL) > 0) {
    PCRE2_SIZE *vector = pcre2_get_ovector_pointer(data);
    at = vector[1] > at ? vector[1] : at + 1;
    ++count;
  }
  pcre2_match_data_free(data);
  pcre2_code_free(code);
  return count;
}

int main(void) {
  static const char *const patterns[] = {"(\\w+) of (\\w+)",
                                         "(a|e|i|o|u)[^aeiou ]+(ing|on|er)",
                                         "\\b(?:tr|fl)\\w*",
                                         "(?i)^the.*tree$",
                                         "([a-z])\\1",
                                         "xy.*?z"};
  size_t length = 60000;
  char *text = text_make(length);
  long all = 0;
  for (int i = 0; i < 6; ++i)
    all += matches(patterns[i], text, length);
  printf("%ld\n", all);
  return 0;
}
