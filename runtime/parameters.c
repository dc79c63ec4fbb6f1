#define _GNU_SOURCE
#include "runtime/parameters.h"
#include "runtime/perfidy.h"

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define MARK PERFIDY_VECTOR_MARK
#define MARK_LENGTH (sizeof MARK - 1)
/* Memory for the names of enumerated values: fixed, so that the target's heap is not disturbed. */
#define NAME_BYTES (1u << 16)

/* Part of the current input. */
typedef struct {
  const char *text;
  size_t length;
} piece;

static struct {
  perfidy_parameter known[PERFIDY_MOST_PARAMETERS];
  uint32_t count;
  uint64_t run;
  piece names[PERFIDY_MOST_PARAMETERS + 8], values[PERFIDY_MOST_PARAMETERS + 8]; /* the vector */
  uint32_t entries;
  piece dimension;   /* named by the vector; text NULL = none */
  const char *size;  /* the scale that is the size of this run, once known */
  const char *fixed; /* value of the process, NULL = none */
  piece fixed_name;  /* which scale; text NULL = the size */
  char *pool;
  size_t pooled;
} state;

/* --- text --------------------------------------------------------------------------------------
 */

static locale_t c_locale(void) {
  static locale_t locale;
  if (!locale)
    locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
  return locale;
}

/* False when the text is no number (NaN is none either). */
static int read_number(const char *text, size_t length, double *value) {
  char copy[64], *end;
  if (length == 0 || length >= sizeof copy)
    return 0;
  memcpy(copy, text, length);
  copy[length] = 0;
  *value = strtod_l(copy, &end, c_locale());
  return end == copy + length && *value == *value;
}

size_t perfidy_write_number(double value, char *out) {
  locale_t before = uselocale(c_locale());
  int length = 0;
  for (int digits = 6; digits <= 17; digits += digits == 6 ? 9 : 2) {
    double back = 0;
    length = snprintf(out, 32, "%.*g", digits, value);
    if (read_number(out, (size_t)length, &back) && back == value)
      break;
  }
  uselocale(before);
  return (size_t)length;
}

static int same(piece text, const char *name) {
  return text.text && strlen(name) == text.length && memcmp(text.text, name, text.length) == 0;
}

/* --- vectors -----------------------------------------------------------------------------------
 */

/* Every line behind the mark is NAME=VALUE, and the last one is complete. */
static int well_formed(const char *at, const char *end) {
  while (at < end) {
    const char *line = memchr(at, '\n', (size_t)(end - at));
    const char *equals = line ? memchr(at, '=', (size_t)(line - at)) : NULL;
    if (!equals || equals == at)
      return 0;
    at = line + 1;
  }
  return 1;
}

size_t perfidy_vector_begin(const uint8_t *data, size_t length) {
  if (length < MARK_LENGTH || data[length - 1] != '\n')
    return length;
  size_t least = length > PERFIDY_LONGEST_VECTOR ? length - PERFIDY_LONGEST_VECTOR : 0;
  for (size_t at = length - MARK_LENGTH + 1; at-- > least;)
    if ((at == 0 || data[at - 1] == '\n') && memcmp(data + at, MARK, MARK_LENGTH) == 0 &&
        well_formed((const char *)data + at + MARK_LENGTH, (const char *)data + length))
      /* The line end before the mark belongs to the vector. */
      return at > 0 ? at - 1 : 0;
  return length;
}

static void read_vector(const char *at, const char *end) {
  while (at < end && state.entries < PERFIDY_MOST_PARAMETERS + 8) {
    const char *line = memchr(at, '\n', (size_t)(end - at));
    const char *equals = memchr(at, '=', (size_t)(line - at));
    piece name = {at, (size_t)(equals - at)}, value = {equals + 1, (size_t)(line - equals - 1)};
    if (same(name, PERFIDY_DIMENSION_KEY)) {
      state.dimension = value;
    } else {
      state.names[state.entries] = name;
      state.values[state.entries++] = value;
    }
    at = line + 1;
  }
}

/* Reads the vector of an input, if any; returns where the target's bytes end. */
static size_t take_vector(const uint8_t *data, size_t length) {
  size_t begin = perfidy_vector_begin(data, length);
  state.entries = 0;
  state.dimension.text = NULL;
  if (begin < length) {
    size_t mark = begin + (data[begin] == '\n');
    read_vector((const char *)data + mark + MARK_LENGTH, (const char *)data + length);
  }
  return begin;
}

size_t perfidy_parameters_begin(const uint8_t *data, size_t length) {
  ++state.run;
  state.size = NULL;
  return take_vector(data, length);
}

/* --- declarations ------------------------------------------------------------------------------
 */

/* A copy in the pool, cut at the longest name; NULL when the pool is full. */
static char *pooled(const char *text) {
  if (!state.pool) {
    void *memory =
        mmap(NULL, NAME_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    state.pool = memory == MAP_FAILED ? NULL : memory;
  }
  size_t length = strnlen(text, PERFIDY_LONGEST_NAME);
  if (!state.pool || state.pooled + length + 1 > NAME_BYTES)
    return NULL;
  char *copy = state.pool + state.pooled;
  memcpy(copy, text, length);
  copy[length] = 0;
  state.pooled += length + 1;
  return copy;
}

/* Names of enumerated values are copied when they are first declared. */
static int keep_values(perfidy_parameter *into, const char *const *values, uint32_t count) {
  static char *table[PERFIDY_MOST_PARAMETERS][PERFIDY_MOST_VALUES];
  char **row = table[into - state.known];
  for (uint32_t i = 0; i < count; ++i)
    if (!(row[i] = pooled(values[i])))
      return 0;
  into->values = row;
  return 1;
}

static perfidy_parameter *find(const char *name) {
  for (uint32_t i = 0; i < state.count; ++i)
    if (strncmp(state.known[i].name, name, PERFIDY_LONGEST_NAME) == 0)
      return &state.known[i];
  return NULL;
}

static int is_enum_of(const perfidy_parameter *known, const char *const *values, double high) {
  for (uint32_t i = 0; i <= (uint32_t)high; ++i)
    if (strncmp(known->values[i], values[i], PERFIDY_LONGEST_NAME) != 0)
      return 0;
  return 1;
}

/* NULL when there is no room, or the name could not stand in a vector. */
static perfidy_parameter *declare(
    const char *name, int kind, double low, double high, const char *const *values, int *fresh) {
  perfidy_parameter *known = find(name);
  int unchanged = known && known->kind == kind && known->low == low && known->high == high &&
                  (kind != PERFIDY_KIND_ENUM || is_enum_of(known, values, high));
  *fresh = !unchanged;
  if (unchanged)
    return known;
  if (strpbrk(name, "=\n") || !*name || (!known && state.count == PERFIDY_MOST_PARAMETERS))
    return NULL;
  if (!known)
    known = &state.known[state.count++];
  snprintf(known->name, sizeof known->name, "%s", name);
  known->kind = kind;
  known->low = low;
  known->high = high;
  if (kind == PERFIDY_KIND_ENUM &&
      (!values || high >= PERFIDY_MOST_VALUES || !keep_values(known, values, (uint32_t)high + 1)))
    known->kind = PERFIDY_KIND_INTEGER;
  return known;
}

/* Value of the vector for a parameter; false when it says nothing that makes sense. */
static int named_value(const perfidy_parameter *parameter, double *value) {
  for (uint32_t i = 0; i < state.entries; ++i) {
    if (!same(state.names[i], parameter->name))
      continue;
    if (parameter->kind == PERFIDY_KIND_ENUM)
      for (uint32_t v = 0; v <= (uint32_t)parameter->high; ++v)
        if (same(state.values[i], parameter->values[v])) {
          *value = v;
          return 1;
        }
    return read_number(state.values[i].text, state.values[i].length, value);
  }
  return 0;
}

static double into_range(double value, int kind, double low, double high) {
  value = value >= low ? (value > high ? high : value) : low;
  if (kind == PERFIDY_KIND_LOG || kind == PERFIDY_KIND_REAL)
    return value;
  /* Ranges of integers are within 2^53 of 0; floor() would need libm. */
  return (double)(int64_t)(value < 0 ? value - 0.5 : value + 0.5);
}

double perfidy_parameters_choose(const char *name,
                                 int kind,
                                 double drawn,
                                 double low,
                                 double high,
                                 const char *const *values,
                                 int *fresh) {
  perfidy_parameter *parameter = declare(name, kind, low, high, values, fresh);
  double value = drawn;
  if (kind == PERFIDY_KIND_SCALE && state.fixed &&
      (state.fixed_name.text ? same(state.fixed_name, name) : perfidy_parameters_is_size(name)))
    read_number(state.fixed, strlen(state.fixed), &value);
  else if (parameter && !named_value(parameter, &value))
    value = drawn;
  value = into_range(value, kind, low, high);
  if (!parameter) {
    *fresh = 0;
    return value;
  }
  parameter->value = value;
  parameter->run = state.run;
  return value;
}

int perfidy_vector_value(const uint8_t *data,
                         size_t length,
                         const perfidy_parameter *parameter,
                         double *value) {
  take_vector(data, length);
  double named;
  if (!named_value(parameter, &named))
    return 0;
  *value = into_range(named, parameter->kind, parameter->low, parameter->high);
  return 1;
}

void perfidy_parameters_fix(const char *text) {
  const char *equals = strrchr(text, '=');
  state.fixed = equals ? equals + 1 : text;
  state.fixed_name.text = equals ? text : NULL;
  state.fixed_name.length = equals ? (size_t)(equals - text) : 0;
}

int perfidy_parameters_is_size(const char *name) {
  if (state.dimension.text)
    return same(state.dimension, name);
  if (state.fixed_name.text)
    return same(state.fixed_name, name);
  if (!state.size)
    state.size = name;
  return strcmp(state.size, name) == 0;
}

uint32_t perfidy_parameters(const perfidy_parameter **first) {
  *first = state.known;
  return state.count;
}

uint64_t perfidy_parameters_run(void) { return state.run; }

void perfidy_write_declaration(const perfidy_parameter *parameter, char *out, size_t capacity) {
  static const char *const kinds[] = {"", "enum", "integer", "log", "real", "scale"};
  char low[32], high[32];
  if (parameter->kind != PERFIDY_KIND_ENUM) {
    perfidy_write_number(parameter->low, low);
    perfidy_write_number(parameter->high, high);
    snprintf(out, capacity, "%s %s %s", kinds[parameter->kind], low, high);
    return;
  }
  size_t length = (size_t)snprintf(out, capacity, "enum ");
  for (uint32_t i = 0; i <= (uint32_t)parameter->high && length < capacity; ++i)
    length += (size_t)snprintf(
        out + length, capacity - length, "%s%s", i ? "|" : "", parameter->values[i]);
}
