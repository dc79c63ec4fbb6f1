/* Core of the runtime: reads and resets the counters of all images (images.h). Memory only: needs
 * no libc (a test over its symbols proves it), allocates nothing. Costs pages of
 * counters that were ever touched, not what there is. Not thread-safe: called by the thread that
 * runs the target. */
#ifndef PERFIDY_RUNTIME_COUNTERS_H
#define PERFIDY_RUNTIME_COUNTERS_H

#include "runtime/images.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Bytes of library work that weigh as one IR instruction. */
#define PERFIDY_WORK_BYTES_PER_INSTRUCTION 8u

/* Writes the ids of the functions entered since the last reset, ascending, at most `capacity`;
 * returns how many there are. */
uint32_t perfidy_touched(uint32_t *ids, uint32_t capacity);

/* Reads the counters of the given functions: fills their `counts` (block counts, then bytes of
 * work), which stay until the next call, and returns the cost of it all. Calls still active when
 * the counters are read (a run being stopped) make counts of their functions wrong by at most one
 * per call; a count is never below zero. */
uint64_t perfidy_read(const uint32_t *ids, uint32_t count);

/* Zeroes the counters of all functions entered since the last reset. */
void perfidy_reset(void);

#ifdef __cplusplus
}
#endif

#endif
