/* The hand-made records of round_trip_test.cc. */
#ifndef PERFIDY_TEST_ROUND_TRIP_RECORDS_H
#define PERFIDY_TEST_ROUND_TRIP_RECORDS_H

#include "runtime/abi.h"

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Three blocks and one work counter; one block, never entered; two blocks. One counter per block.
 */
extern uint64_t first_counters[4], idle_counters[1], second_counters[2];
extern perfidy_function round_trip_records[3];

#ifdef __cplusplus
}
#endif

#endif
