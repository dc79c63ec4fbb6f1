/* Function records made by hand, as the pass would emit them: the test program's instrumented code.
 * Kept in C so that designated initialisers name every field. */
#include "test/runtime/round_trip_records.h"

uint64_t first_counters[4], idle_counters[1], second_counters[2];

static const perfidy_block first_blocks[] = {
    {.line = 3, .end_line = 4, .loop = PERFIDY_NONE, .value = 0, .instructions = 5, .memory = 1},
    {.line = 5, .end_line = 5, .loop = 0, .value = 1, .instructions = 7, .calls = 1},
    {.line = 6, .end_line = 6, .loop = PERFIDY_NONE, .value = 2, .instructions = 65535}};
static const perfidy_loop first_loops[] = {{.header = 1,
                                            .preheader = 0,
                                            .parent = PERFIDY_NONE,
                                            .depth = 1,
                                            .line = 5,
                                            .end_line = 5,
                                            .column = 3}};
static const perfidy_call first_calls[] = {{.callee = "strlen",
                                            .block = 1,
                                            .line = 5,
                                            .column = 9,
                                            .kind = PERFIDY_CALL_LIBRARY,
                                            .work = 0},
                                           {.callee = NULL,
                                            .block = 2,
                                            .line = 6,
                                            .column = 1,
                                            .kind = PERFIDY_CALL_INDIRECT,
                                            .work = PERFIDY_NONE}};
static const perfidy_block plain_blocks[] = {{.loop = PERFIDY_NONE, .value = 0, .instructions = 2},
                                             {.loop = PERFIDY_NONE, .value = 1, .instructions = 3}};

/* An array, since compilers order separate variables as they like. The second is never entered by
 * the test: ids and global block numbers must step over it. */
perfidy_function round_trip_records[3]
    __attribute__((section(PERFIDY_SECTION), used, aligned(8))) = {
        {.abi_version = PERFIDY_ABI_VERSION,
         .flags = PERFIDY_FN_WRITES | PERFIDY_FN_HARNESS,
         .counters = first_counters,
         .blocks = first_blocks,
         .loops = first_loops,
         .calls = first_calls,
         .name = "first",
         .file = "a.c",
         .directory = "/src",
         .block_count = 3,
         .counter_count = 3,
         .value_count = 3,
         .loop_count = 1,
         .call_count = 2,
         .work_count = 1,
         .line = 2,
         .end_line = 7},
        {.abi_version = PERFIDY_ABI_VERSION,
         .counters = idle_counters,
         .blocks = plain_blocks,
         .name = "idle",
         .block_count = 1,
         .counter_count = 1,
         .value_count = 1},
        {.abi_version = PERFIDY_ABI_VERSION,
         .counters = second_counters,
         .blocks = plain_blocks,
         .name = "second",
         .block_count = 2,
         .counter_count = 2,
         .value_count = 2}};
