#include "runtime/counters.h"

static int is_zero(const perfidy_span *span) {
  uint64_t any = 0;
  for (uint32_t c = 0; c < span->count; ++c)
    any |= span->counters[c];
  return any == 0;
}

/* Whether the counters of a page, within its spans, are all zero. Also true for most pages that
 * were touched long ago, so worth asking before each span is looked at. */
static int page_is_zero(const perfidy_image *image, const perfidy_page *page) {
  const perfidy_span *last = &image->spans[page->stop - 1];
  uintptr_t first = (uintptr_t)image->spans[page->first].counters;
  uintptr_t stop = (uintptr_t)(last->counters + last->count);
  first = first < page->address ? page->address : first;
  stop = stop > page->address + PERFIDY_PAGE ? page->address + PERFIDY_PAGE : stop;
  uint64_t any = 0;
  for (const uint64_t *word = (const uint64_t *)first; word < (const uint64_t *)stop; ++word)
    any |= *word;
  return any == 0;
}

/* Marks the touched functions of an image in the bitmap; widens the range of words used. */
static void mark(perfidy_image *image, uint32_t *first, uint32_t *last) {
  perfidy_image_refresh(image);
  for (uint32_t p = 0; p < image->page_count; ++p) {
    const perfidy_page *page = &image->pages[p];
    if (!image->touched[p] || page_is_zero(image, page))
      continue;
    for (uint32_t i = page->first; i < page->stop; ++i) {
      if (is_zero(&image->spans[i]))
        continue;
      uint32_t id = image->spans[i].id, word = id / 64;
      perfidy_images.marks[word] |= (uint64_t)1 << (id % 64);
      *first = word < *first ? word : *first;
      *last = word > *last ? word : *last;
    }
  }
}

uint32_t perfidy_touched(uint32_t *ids, uint32_t capacity) {
  uint32_t first = UINT32_MAX, last = 0, found = 0;
  for (uint32_t i = 0; i < perfidy_images.image_count; ++i)
    mark(&perfidy_images.images[i], &first, &last);
  for (uint64_t word = first; word <= last; ++word) {
    uint64_t bits = perfidy_images.marks[word];
    perfidy_images.marks[word] = 0;
    for (; bits; bits &= bits - 1, ++found)
      if (found < capacity)
        ids[found] = (uint32_t)word * 64 + (uint32_t)__builtin_ctzll(bits);
  }
  return found;
}

/* All values of a function: counters, then sums. */
static void evaluate(const perfidy_function *function, uint64_t *values) {
  uint32_t known = function->counter_count;
  const uint32_t *term = function->terms;
  for (uint32_t i = 0; i < known; ++i)
    values[i] = function->counters[i];
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
    perfidy_image *image = &perfidy_images.images[i];
    perfidy_image_refresh(image);
    for (uint32_t p = 0; p < image->page_count; ++p) {
      const perfidy_page *page = &image->pages[p];
      if (!image->touched[p] || page_is_zero(image, page))
        continue;
      for (uint32_t s = page->first; s < page->stop; ++s)
        for (uint32_t c = 0; c < image->spans[s].count; ++c)
          image->spans[s].counters[c] = 0;
    }
  }
}
