// Splits lines into fields, unquotes them, and writes them back separated by tabs.
//
// SEED "a,b\n"
// PLANTED BUG_FIELD kind=repeated_scan function=field_start exponent=2
// PLANTED BUG_QUOTE kind=missing_early_exit function=closing_quote exponent=2
// PLANTED BUG_STRCAT kind=quadratic_append function=emit_field exponent=2
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct row {
  const char *text, *end;
  const char **starts;
  size_t fields;
};

struct output {
  char *text;
  size_t used;
};

// End of the row behind `text`.
static const char *row_end(const char *text, const char *end) {
  while (text < end && *text != '\n')
    ++text;
  return text;
}

static void find_fields(struct row *row) {
  row->fields = 0;
  row->starts[row->fields++] = row->text;
  for (const char *at = row->text; at < row->end; ++at)
    if (*at == ',')
      row->starts[row->fields++] = at + 1;
}

static const char *field_start(const struct row *row, size_t number) {
#ifdef BUG_FIELD
  const char *at = row->text;
  while (number > 0) // GUILTY_FIELD
    number -= *at++ == ',';
  return at;
#else
  return row->starts[number];
#endif
}

static const char *field_end(const struct row *row, size_t number) {
  return number + 1 < row->fields ? field_start(row, number + 1) - 1 : row->end;
}

// The last quote of a field that opens with one; quotes inside it may be doubled.
static const char *closing_quote(const char *from, const char *field, const char *rest) {
  const char *found = NULL;
#ifdef BUG_QUOTE
  for (const char *at = from; at < rest; ++at) // GUILTY_QUOTE
    if (*at == '"' && at < field)
      found = at;
#else
  (void)rest;
  for (const char *at = field; at > from && !found;)
    if (*--at == '"')
      found = at;
#endif
  return found;
}

static void emit_field(struct output *out, const char *from, const char *end) {
#ifdef BUG_STRCAT
  out->used = strlen(out->text); // GUILTY_STRCAT
#endif
  while (from < end)
    out->text[out->used++] = *from++;
  out->text[out->used++] = '\t';
  out->text[out->used] = 0;
}

static void convert_row(const struct row *row, struct output *out) {
  for (size_t i = 0; i < row->fields; ++i) {
    const char *from = field_start(row, i), *end = field_end(row, i);
    if (from < end && *from == '"') {
      const char *quote = closing_quote(from + 1, end, row->end);
      if (quote) {
        ++from;
        end = quote;
      }
    }
    emit_field(out, from, end);
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const char *at = (const char *)data, *end = at + size;
  struct output out = {malloc(3 * size + 3), 0};
  struct row row = {at, end, malloc((size + 1) * sizeof *row.starts), 0};
  out.text[0] = 0;
  while (at < end) {
    row.text = at;
    row.end = row_end(at, end);
    find_fields(&row);
    convert_row(&row, &out);
    at = row.end + 1;
  }
  int result = out.used == (size_t)-1;
  free(row.starts);
  free(out.text);
  return result;
}
