#include "re2/re2.h"
#include "text.h"

#include <cstdio>

int main() {
  const char *patterns[] = {"(\\w+) of (\\w+)",
                            "[aeiou]+[^aeiou ]+(ing|on|er)",
                            "(?i)the.*tree",
                            "xy.*?z",
                            "(a|b|c|d)+e"};
  char *text = text_make(40000);
  long all = 0;
  for (const char *pattern : patterns) {
    re2::RE2 expression(pattern);
    re2::StringPiece rest(text, 40000);
    while (re2::RE2::FindAndConsume(&rest, expression))
      ++all;
  }
  std::printf("%ld\n", all);
  return 0;
}
