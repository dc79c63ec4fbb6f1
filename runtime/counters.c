#include "runtime/counters.h"

/* Weak and hidden: a program with nothing instrumented links, and each program has its own. */
extern const perfidy_function __start_perfidy_funcs[] __attribute__((weak, visibility("hidden")));
extern const perfidy_function __stop_perfidy_funcs[] __attribute__((weak, visibility("hidden")));

uint32_t perfidy_functions(const perfidy_function **first) {
  *first = __start_perfidy_funcs;
  return (uint32_t)(__stop_perfidy_funcs - __start_perfidy_funcs);
}

int64_t perfidy_abi_mismatch(void) {
  const perfidy_function *functions;
  uint32_t count = perfidy_functions(&functions);
  for (uint32_t i = 0; i < count; ++i)
    if (functions[i].abi_version != PERFIDY_ABI_VERSION)
      return i;
  return -1;
}

uint32_t perfidy_touched(uint32_t *ids, uint32_t capacity) {
  const perfidy_function *functions;
  uint32_t count = perfidy_functions(&functions), touched = 0;
  for (uint32_t i = 0; i < count; ++i) {
    if (functions[i].counters[0] == 0)
      continue;
    if (touched < capacity)
      ids[touched] = i;
    ++touched;
  }
  return touched;
}

uint64_t perfidy_cost(const uint32_t *ids, uint32_t count) {
  const perfidy_function *functions;
  perfidy_functions(&functions);
  uint64_t cost = 0, bytes = 0;
  for (uint32_t i = 0; i < count; ++i) {
    const perfidy_function *function = &functions[ids[i]];
    const uint64_t *counters = function->counters;
    for (uint32_t b = 0; b < function->block_count; ++b)
      cost += counters[b] * function->blocks[b].instructions;
    for (uint32_t w = 0; w < function->work_count; ++w)
      bytes += counters[function->block_count + w];
  }
  return cost + bytes / PERFIDY_WORK_BYTES_PER_INSTRUCTION;
}

void perfidy_reset(void) {
  const perfidy_function *functions;
  uint32_t count = perfidy_functions(&functions);
  for (uint32_t i = 0; i < count; ++i) {
    uint64_t *counters = functions[i].counters;
    if (counters[0] == 0)
      continue;
    uint32_t all = functions[i].block_count + functions[i].work_count;
    for (uint32_t c = 0; c < all; ++c)
      counters[c] = 0;
  }
}
