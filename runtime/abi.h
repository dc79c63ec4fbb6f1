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

#define PERFIDY_ABI_VERSION 1u
#define PERFIDY_SECTION "perfidy_funcs"
/* Functions of the fuzz target that the pass renames; the runtime defines the public names. */
#define PERFIDY_RENAMED_SUFFIX ".perfidy"
#define PERFIDY_NONE 0xffffffffu

/* perfidy_function.flags */
#define PERFIDY_FN_WRITES 1u  /* stores to memory other than its own locals and its return slot */
#define PERFIDY_FN_HARNESS 2u /* the user's LLVMFuzzerTestOneInput */
#define PERFIDY_FN_FOLLOWS                                                                         \
  4u /* its loops read what a pointer in memory leads to, see Function::walks */

/* perfidy_call.kind */
#define PERFIDY_CALL_DIRECT 0u
#define PERFIDY_CALL_INDIRECT 1u
#define PERFIDY_CALL_LIBRARY 2u /* has a work counter (bytes) */
#define PERFIDY_CALL_PASSED 3u  /* a function's address passed as an argument */

/* One basic block; its counter is counters[index]. Weights saturate. */
typedef struct perfidy_block {
  uint32_t line, end_line; /* 1-based; 0 = unknown */
  uint32_t loop;           /* innermost loop, index into loops, or PERFIDY_NONE */
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

/* One call site. work: index of its counter behind the block counters, or PERFIDY_NONE. */
typedef struct perfidy_call {
  const char *callee; /* linkage name, NULL when indirect */
  uint32_t block, line, column, kind, work, reserved;
} perfidy_call;

/* One instrumented function. counters: block_count block counters, then work_count work counters
 * (bytes), all 64 bits, zero at start, written by instrumented code only. */
typedef struct perfidy_function {
  uint32_t abi_version, flags;
  uint64_t *counters;
  const perfidy_block *blocks;
  const perfidy_loop *loops;
  const perfidy_call *calls;
  const char *name, *file, *directory;
  uint32_t block_count, loop_count, call_count, work_count;
  uint32_t line, end_line;
} perfidy_function;

#ifdef __cplusplus
static_assert(sizeof(perfidy_block) == 20 && sizeof(perfidy_loop) == 32, "ABI layout");
static_assert(sizeof(perfidy_call) == 32 && sizeof(perfidy_function) == 88, "ABI layout");
#else
_Static_assert(sizeof(perfidy_block) == 20 && sizeof(perfidy_loop) == 32, "ABI layout");
_Static_assert(sizeof(perfidy_call) == 32 && sizeof(perfidy_function) == 88, "ABI layout");
#endif

#endif
