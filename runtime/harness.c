#include "runtime/harness.h"
#include "runtime/perfidy.h"

static struct {
  uint64_t size, scale;
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

void perfidy_harness_override_scale(uint64_t value) { declared.scale = value; }

void perfidy_rt_size(uint64_t size) { declared.size = size; }

void perfidy_rt_param(const char *name, double value) {
  perfidy_put_string(&declared.parameter_bytes, name);
  perfidy_put_double(&declared.parameter_bytes, value);
  ++declared.parameters;
}

uint64_t perfidy_rt_scale(const char *name, uint64_t drawn, uint64_t low, uint64_t high) {
  uint64_t value = declared.scale ? declared.scale : drawn;
  value = value < low ? low : value > high ? high : value;
  declared.size = value;
  perfidy_rt_tag("scale", name);
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
