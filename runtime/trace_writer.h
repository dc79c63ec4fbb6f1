/* Writes traces, record by record, in the format of FORMAT.md. Linked into targets: C, no
 * allocation but anonymous mappings, one write(2) per record so that a killed run loses at most the
 * record being written. Errors: every function returns 0, or a negative errno value. */
#ifndef PERFIDY_RUNTIME_TRACE_WRITER_H
#define PERFIDY_RUNTIME_TRACE_WRITER_H

#include "runtime/abi.h"

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#define PERFIDY_TRACE_MAGIC "perfidy\n"
#define PERFIDY_TRACE_VERSION 1u
/* The first version with PERFIDY_RECORD_POINTS; written by series.cc only. */
#define PERFIDY_TRACE_VERSION_POINTS 2u
/* Record types. */
#define PERFIDY_RECORD_BUILD 1u
#define PERFIDY_RECORD_FUNCTION 2u
#define PERFIDY_RECORD_RUN 3u
#define PERFIDY_RECORD_LABEL 4u
#define PERFIDY_RECORD_POINTS 5u
/* Run status. */
#define PERFIDY_RUN_COMPLETE 0u
#define PERFIDY_RUN_CENSORED 1u
#define PERFIDY_RUN_CRASHED 2u

/* A growing byte buffer over an anonymous mapping. Zero-initialised = empty. */
typedef struct perfidy_buffer {
  unsigned char *data;
  size_t length, capacity;
} perfidy_buffer;

/* Appends; a buffer that cannot grow stays as it is and marks itself (length > capacity). */
void perfidy_put_bytes(perfidy_buffer *buffer, const void *bytes, size_t length);
void perfidy_put_varint(perfidy_buffer *buffer, uint64_t value);
void perfidy_put_string(perfidy_buffer *buffer, const char *text);
void perfidy_put_double(perfidy_buffer *buffer, double value);

/* What a run record holds besides the counts (which are read from the counters). */
typedef struct perfidy_run {
  uint64_t input_hash, input_bytes, size, cost;
  uint32_t status;
  /* Encoded name/value pairs and how many there are: see FORMAT.md. */
  uint32_t parameters, tags, series_points;
  const perfidy_buffer *parameter_bytes, *tag_bytes, *series_bytes;
} perfidy_run;

/* Opens (creates or appends to) a trace. A new file gets header and region table; an existing one
 * must be of the same version and build, otherwise -EINVAL. What a killed process left unfinished
 * at its end is cut off. Several processes may append to one file at the same time. Returns the
 * descriptor or a negative errno value. */
int perfidy_trace_open(const char *path);

/* Appends the run with the current counts of the given functions. */
int perfidy_trace_run(int descriptor, const perfidy_run *run, const uint32_t *ids, uint32_t count);

/* XXH3-64 of bytes: the hash that joins runs with input files. */
uint64_t perfidy_hash(const void *bytes, size_t length);

#ifdef __cplusplus
}
#endif

#endif
