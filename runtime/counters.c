#include "runtime/counters.h"

/* The functions of a list, each marked in the bitmap; widens the range of words used. */
static uint32_t mark(const perfidy_image *image, uint32_t *first, uint32_t *last) {
  uint32_t found = 0;
  uint64_t next = *image->touched;
  while (next > PERFIDY_TOUCHED_END) {
    const perfidy_function *function = (const perfidy_function *)next;
    uint32_t word = function->id / 64;
    perfidy_images.marks[word] |= (uint64_t)1 << (function->id % 64);
    *first = word < *first ? word : *first;
    *last = word > *last ? word : *last;
    ++found;
    next = (uint64_t)function->next;
  }
  return found;
}

uint32_t perfidy_touched(uint32_t *ids, uint32_t capacity) {
  uint32_t first = UINT32_MAX, last = 0, found = 0, written = 0;
  for (uint32_t i = 0; i < perfidy_images.image_count; ++i)
    found += mark(&perfidy_images.images[i], &first, &last);
  for (uint32_t word = first; found && word <= last; ++word) {
    uint64_t bits = perfidy_images.marks[word];
    perfidy_images.marks[word] = 0;
    for (; bits && written < capacity; bits &= bits - 1)
      ids[written++] = word * 64 + (uint32_t)__builtin_ctzll(bits);
  }
  return found;
}

/* All values of a function: counters, then sums. A count below zero is one that active calls have
 * not finished: nothing was counted there. */
static void evaluate(const perfidy_function *function, uint64_t *values) {
  uint32_t known = function->counter_count;
  const uint32_t *term = function->terms;
  for (uint32_t i = 0; i < known; ++i)
    values[i] = function->counters[i];
  values[0] = 0 - values[0];
  for (uint32_t i = known; i < function->value_count; ++i) {
    uint64_t sum = 0;
    uint32_t code;
    do {
      code = *term++;
      uint64_t value = values[code & ~(PERFIDY_TERM_MINUS | PERFIDY_TERM_LAST)];
      sum += code & PERFIDY_TERM_MINUS ? 0 - value : value;
    } while (!(code & PERFIDY_TERM_LAST));
    values[i] = sum;
  }
}

uint64_t perfidy_read(const uint32_t *ids, uint32_t count) {
  uint64_t cost = 0, bytes = 0, *values = perfidy_images.values;
  for (uint32_t i = 0; i < count; ++i) {
    const perfidy_function *function = perfidy_images.functions[ids[i]];
    evaluate(function, values);
    for (uint32_t b = 0; b < function->block_count; ++b) {
      const perfidy_block *block = &function->blocks[b];
      uint64_t blocks = block->value == PERFIDY_NONE ? 0 : values[block->value];
      blocks = (int64_t)blocks < 0 ? 0 : blocks;
      function->counts[b] = blocks;
      cost += blocks * block->instructions;
    }
    const uint64_t *work = function->counters + function->counter_count;
    for (uint32_t w = 0; w < function->work_count; ++w) {
      function->counts[function->block_count + w] = work[w];
      bytes += work[w];
    }
  }
  return cost + bytes / PERFIDY_WORK_BYTES_PER_INSTRUCTION;
}

void perfidy_reset(void) {
  for (uint32_t i = 0; i < perfidy_images.image_count; ++i) {
    uint64_t next = *perfidy_images.images[i].touched;
    *perfidy_images.images[i].touched = PERFIDY_TOUCHED_END;
    while (next > PERFIDY_TOUCHED_END) {
      perfidy_function *function = (perfidy_function *)next;
      uint32_t all = function->counter_count + function->work_count;
      for (uint32_t c = 0; c < all; ++c)
        function->counters[c] = 0;
      next = (uint64_t)function->next;
      function->next = 0;
    }
  }
}
