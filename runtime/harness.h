/* Declarations of the current run (size, parameters, tags, series), as made through perfidy.h. */
#ifndef PERFIDY_RUNTIME_HARNESS_H
#define PERFIDY_RUNTIME_HARNESS_H

#include "runtime/trace_writer.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Forgets the declarations of the last run; `size` is the default size of the next. */
void perfidy_harness_begin(uint64_t size);

/* Fills size, parameters, tags and series of a run record. */
void perfidy_harness_describe(perfidy_run *run);

#ifdef __cplusplus
}
#endif

#endif
