#include "cmark.h"
#include "text.h"

#include <stdio.h>

int main(void) {
  size_t room = 150000, at = 0;
  char *text = malloc(room + 500);
  static const char *const forms[] = {"# %s %s\n\n",
                                      "* %s *%s*\n",
                                      "> %s `%s`\n",
                                      "%s [%s](http://example.com)\n",
                                      "1. %s **%s**\n",
                                      "    %s %s\n",
                                      "%s %s\n\n",
                                      "%s <b>%s</b> &amp;\n"};
  while (at < room)
    at += (size_t)sprintf(text + at, forms[text_random(8)], text_word(), text_word());
  char *html = cmark_markdown_to_html(text, at, 0);
  printf("%zu\n", strlen(html));
  free(html);
  return 0;
}
