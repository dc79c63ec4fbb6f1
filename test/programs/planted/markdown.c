// Inline and block structure of a small Markdown: emphasis, links, nested quotes.
//
// SEED "*a*\n"
// PLANTED BUG_EMPHASIS kind=missing_early_exit function=close_emphasis exponent=2
// PLANTED BUG_LINK kind=repeated_scan function=link_end exponent=2
// PLANTED BUG_QUOTE kind=repeated_scan function=continue_quotes exponent=2
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

struct delimiter {
  char symbol;
  int open;
};

struct document {
  const char *at, *end;
  const char *closing;     // behind the last bracket found in this line
  struct delimiter *stack; // of the paragraph
  size_t depth;
  size_t openers[256]; // on the stack, by symbol
  char *quotes;        // open block quotes, one entry each
  size_t quoteDepth, lastQuotes;
  size_t emphasis, links;
};

static void push(struct document *doc, char symbol) {
  doc->stack[doc->depth].symbol = symbol;
  doc->stack[doc->depth++].open = 1;
  ++doc->openers[(unsigned char)symbol];
}

// Emphasis ends at a delimiter that has an opener of its kind on the stack.
static void close_emphasis(struct document *doc, char symbol) {
#ifndef BUG_EMPHASIS
  if (doc->openers[(unsigned char)symbol] == 0)
    return;
#endif
  for (size_t i = doc->depth; i > 0; --i) // GUILTY_EMPHASIS
    if (doc->stack[i - 1].symbol == symbol) {
      while (doc->depth >= i)
        --doc->openers[(unsigned char)doc->stack[--doc->depth].symbol];
      ++doc->emphasis;
      return;
    }
}

// Behind the bracket that ends a link; the end of the line if there is none.
static const char *link_end(struct document *doc, const char *from, const char *lineEnd) {
#ifndef BUG_LINK
  if (doc->closing > from || doc->closing == lineEnd)
    return doc->closing;
#endif
  doc->closing = lineEnd;
  for (const char *at = from; at < lineEnd; ++at) // GUILTY_LINK
    if (*at == ']') {
      doc->closing = at + 1;
      break;
    }
  return doc->closing;
}

static void read_inlines(struct document *doc, const char *lineEnd) {
  doc->depth = 0;
  doc->openers['*'] = doc->openers['_'] = 0;
  doc->closing = NULL;
  while (doc->at < lineEnd) {
    char c = *doc->at++;
    if (c == '*' || c == '_')
      push(doc, c);
    else if (c == '/' || c == '~')
      close_emphasis(doc, c == '/' ? '*' : '_');
    else if (c == '[')
      doc->links += link_end(doc, doc->at, lineEnd) < lineEnd;
  }
}

// Quotes of the last line that this one continues; a blank line leaves them open.
static size_t continue_quotes(struct document *doc, const char *lineEnd) {
  size_t kept = 0;
  int blank = doc->at == lineEnd;
#ifndef BUG_QUOTE
  if (blank)
    return doc->quoteDepth;
#endif
  while (kept < doc->quoteDepth) { // GUILTY_QUOTE
    if (!blank && (doc->at >= lineEnd || *doc->at != '>'))
      break;
    doc->at += !blank;
    doc->lastQuotes += doc->quotes[kept++];
  }
  return kept;
}

static void read_line(struct document *doc) {
  const char *lineEnd = doc->at;
  while (lineEnd < doc->end && *lineEnd != '\n')
    ++lineEnd;
  doc->quoteDepth = continue_quotes(doc, lineEnd);
  while (doc->at < lineEnd && *doc->at == '>') {
    doc->quotes[doc->quoteDepth++] = 1;
    ++doc->at;
  }
  read_inlines(doc, lineEnd);
  doc->at = lineEnd + 1;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  struct document doc = {0};
  doc.at = (const char *)data;
  doc.end = doc.at + size;
  doc.stack = malloc((size + 1) * sizeof *doc.stack);
  doc.quotes = malloc(size + 1);
  while (doc.at < doc.end)
    read_line(&doc);
  free(doc.stack);
  free(doc.quotes);
  return doc.emphasis + doc.links + doc.lastQuotes == (size_t)-1;
}
