/* Core of the runtime: finds the function records, checks their version, reads and resets counters.
 * Memory only: needs no libc (a test over its symbols proves it), allocates nothing. Not
 * thread-safe: called by the thread that runs the target. */
#ifndef PERFIDY_RUNTIME_COUNTERS_H
#define PERFIDY_RUNTIME_COUNTERS_H

#include "runtime/abi.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Bytes of library work that weigh as one IR instruction. */
#define PERFIDY_WORK_BYTES_PER_INSTRUCTION 8u

/* Number of function records of this program; `first` receives the first one. Ids are indexes. */
uint32_t perfidy_functions(const perfidy_function **first);

/* Index of the first record of another ABI version, or -1 when all match. */
int64_t perfidy_abi_mismatch(void);

/* Writes the ids of the functions entered since the last reset, ascending, at most `capacity`;
 * returns how many there are. Costs one load per function, not per counter. */
uint32_t perfidy_touched(uint32_t *ids, uint32_t capacity);

/* Cost of what was counted since the last reset in the given functions. */
uint64_t perfidy_cost(const uint32_t *ids, uint32_t count);

/* Zeroes the counters of all functions entered since the last reset. */
void perfidy_reset(void);

#ifdef __cplusplus
}
#endif

#endif
