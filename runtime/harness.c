#include "runtime/harness.h"
#include "runtime/parameters.h"
#include "runtime/perfidy.h"

#include <stdio.h>
#include <string.h>

static struct {
  uint64_t size;
  uint32_t parameters, tags, points;
  perfidy_buffer parameter_bytes, tag_bytes, series_bytes;
} declared;

void perfidy_harness_begin(uint64_t size) {
  declared.size = size;
  declared.parameters = declared.tags = declared.points = 0;
  declared.parameter_bytes.length = declared.tag_bytes.length = declared.series_bytes.length = 0;
}

void perfidy_harness_describe(perfidy_run *run) {
  run->size = declared.size;
  run->parameters = declared.parameters;
  run->tags = declared.tags;
  run->series_points = declared.points;
  run->parameter_bytes = &declared.parameter_bytes;
  run->tag_bytes = &declared.tag_bytes;
  run->series_bytes = &declared.series_bytes;
}

void perfidy_rt_size(uint64_t size) { declared.size = size; }

void perfidy_rt_param(const char *name, double value) {
  perfidy_put_string(&declared.parameter_bytes, name);
  perfidy_put_double(&declared.parameter_bytes, value);
  ++declared.parameters;
}

double perfidy_rt_choose(
    const char *name, int kind, double drawn, double low, double high, const char *const *values) {
  /* Of the longest enumeration. */
  static char declaration[PERFIDY_MOST_VALUES * (PERFIDY_LONGEST_NAME + 1) + 8];
  static char key[PERFIDY_LONGEST_NAME + 16];
  int fresh = 0;
  double value = perfidy_parameters_choose(name, kind, drawn, low, high, values, &fresh);
  perfidy_rt_param(name, value);
  const perfidy_parameter *known;
  uint32_t count = perfidy_parameters(&known);
  for (uint32_t i = 0; fresh && i < count; ++i) {
    if (strncmp(known[i].name, name, PERFIDY_LONGEST_NAME) != 0)
      continue;
    perfidy_write_declaration(&known[i], declaration, sizeof declaration);
    snprintf(key, sizeof key, "parameter %s", known[i].name);
    perfidy_rt_tag(key, declaration);
  }
  return value;
}

uint64_t perfidy_rt_scale(const char *name, uint64_t drawn, uint64_t low, uint64_t high) {
  uint64_t value = (uint64_t)perfidy_rt_choose(
      name, PERFIDY_KIND_SCALE, (double)drawn, (double)low, (double)high, NULL);
  if (perfidy_parameters_is_size(name)) {
    declared.size = value;
    perfidy_rt_tag("scale", name);
  }
  return value;
}

void perfidy_rt_series(const char *name, double step, double value) {
  perfidy_put_string(&declared.series_bytes, name);
  perfidy_put_double(&declared.series_bytes, step);
  perfidy_put_double(&declared.series_bytes, value);
  ++declared.points;
}

void perfidy_rt_tag(const char *key, const char *value) {
  perfidy_put_string(&declared.tag_bytes, key);
  perfidy_put_string(&declared.tag_bytes, value);
  ++declared.tags;
}
