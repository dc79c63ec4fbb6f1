#include "expat.h"
#include "text.h"

#include <stdio.h>

static long seen;

static void XMLCALL on_start(void *data, const XML_Char *name, const XML_Char **attributes) {
  (void)data;
  seen += name[0];
  for (int i = 0; attributes[i]; i += 2)
    seen += attributes[i + 1][0];
}
static void XMLCALL on_end(void *data, const XML_Char *name) { seen += data ? 0 : name[0]; }
static void XMLCALL on_text(void *data, const XML_Char *text, int length) {
  seen += data ? text[0] : length;
}

int main(void) {
  size_t room = 400000, at = 0;
  char *text = malloc(room + 500);
  at += (size_t)sprintf(text, "<?xml version='1.0' encoding='UTF-8'?>\n<root>\n");
  while (at < room)
    at += (size_t)sprintf(
        text + at,
        "<%s id=\"%u\" kind='%s'>%s &amp; %s &#233; <![CDATA[%s]]></%s><!-- %s -->\n",
        "element",
        text_random(1000),
        text_word(),
        text_word(),
        text_word(),
        text_word(),
        "element",
        text_word());
  at += (size_t)sprintf(text + at, "</root>\n");
  XML_Parser parser = XML_ParserCreate(0);
  XML_SetElementHandler(parser, on_start, on_end);
  XML_SetCharacterDataHandler(parser, on_text);
  int wrong = XML_Parse(parser, text, (int)at, 1) != XML_STATUS_OK;
  XML_ParserFree(parser);
  printf("%ld\n", seen);
  return wrong;
}
