/* The contract between the pass and the runtime: data only.
 *
 * Instrumented code calls nothing of ours and has no undefined symbol of ours. Every instrumented
 * function contributes one perfidy_function record to the section "perfidy_funcs"; the linker's
 * __start_/__stop_ symbols bound it. Included by both sides; struct sizes are asserted
 * below. A change of any layout or meaning raises PERFIDY_ABI_VERSION; FORMAT.md has the whole.
 * Identity of a region is function name + file + ordinal; ids follow link order and mean nothing
 * across builds. */
#ifndef PERFIDY_RUNTIME_ABI_H
#define PERFIDY_RUNTIME_ABI_H

#include <stdint.h>

#define PERFIDY_ABI_VERSION 2u
#define PERFIDY_SECTION "perfidy_funcs"
/* Functions of the fuzz target that the pass renames; the runtime defines the public names. */
#define PERFIDY_RENAMED_SUFFIX ".perfidy"
#define PERFIDY_NONE 0xffffffffu

/* perfidy_function.flags */
#define PERFIDY_FN_WRITES 1u  /* stores to memory other than its own locals and its return slot */
#define PERFIDY_FN_HARNESS 2u /* the user's LLVMFuzzerTestOneInput */
#define PERFIDY_FN_SPLIT 4u   /* control may leave blocks in the middle (exceptions, longjmp...) */
#define PERFIDY_FN_PER_BLOCK 8u /* entered in the middle (setjmp, coroutine): value = block */
/* its loops read what a pointer in memory leads to, see Function::walks */
#define PERFIDY_FN_FOLLOWS 16u

/* perfidy_function.terms */
#define PERFIDY_TERM_MINUS 0x80000000u
#define PERFIDY_TERM_LAST 0x40000000u

/* perfidy_call.kind */
#define PERFIDY_CALL_DIRECT 0u
#define PERFIDY_CALL_INDIRECT 1u
#define PERFIDY_CALL_LIBRARY 2u /* has a work counter (bytes) */
#define PERFIDY_CALL_PASSED 3u  /* a function's address passed as an argument */

/* One basic block. Weights saturate. */
typedef struct perfidy_block {
  uint32_t line, end_line; /* 1-based; 0 = unknown */
  uint32_t loop;           /* innermost loop, index into loops, or PERFIDY_NONE */
  uint32_t value;          /* the value that is its count, or PERFIDY_NONE: it never runs */
  uint16_t instructions;   /* weighted IR instructions of one execution */
  uint16_t memory;         /* loads and stores */
  uint16_t calls;
  uint16_t reserved;
} perfidy_block;

/* One natural loop. */
typedef struct perfidy_loop {
  uint32_t header,
      preheader;          /* block indexes; preheader PERFIDY_NONE if there is no single entry */
  uint32_t parent, depth; /* parent: index into loops or PERFIDY_NONE; depth 1 = outermost */
  uint32_t line, end_line, column, reserved;
} perfidy_loop;

/* One call site. work: index of its counter behind the others, or PERFIDY_NONE. */
typedef struct perfidy_call {
  const char *callee; /* linkage name, NULL when indirect */
  uint32_t block, line, column, kind, work, reserved;
} perfidy_call;

/* One instrumented function.
 *
 * counters: counter_count counters, then work_count work counters (bytes), all 64 bits, zero at
 * start, written by instrumented code only. They are all zero if and only if the function has not
 * been entered.
 *
 * Block counts follow from values. Values 0 to counter_count - 1 are the counters; each further one
 * is a sum of earlier values, spelled in `terms` one after the other: index, with
 * PERFIDY_TERM_MINUS if it is subtracted, with PERFIDY_TERM_LAST if it ends the sum.
 *
 * counts and id belong to the runtime: room for block_count block counts and work_count work
 * counts, and the function's index among all functions of the process. */
typedef struct perfidy_function {
  uint32_t abi_version, flags;
  uint64_t *counters;
  uint64_t *counts;
  const perfidy_block *blocks;
  const perfidy_loop *loops;
  const perfidy_call *calls;
  const uint32_t *terms;
  const char *name, *file, *directory;
  uint32_t block_count, loop_count, call_count, work_count;
  uint32_t counter_count, value_count;
  uint32_t line, end_line;
  uint32_t id, reserved;
} perfidy_function;

#ifdef __cplusplus
static_assert(sizeof(perfidy_block) == 24 && sizeof(perfidy_loop) == 32, "ABI layout");
static_assert(sizeof(perfidy_call) == 32 && sizeof(perfidy_function) == 120, "ABI layout");
#else
_Static_assert(sizeof(perfidy_block) == 24 && sizeof(perfidy_loop) == 32, "ABI layout");
_Static_assert(sizeof(perfidy_call) == 32 && sizeof(perfidy_function) == 120, "ABI layout");
#endif

#endif
