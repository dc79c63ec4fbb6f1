// An arena of blocks driven by commands: a letter allocates 1 to 26 units, "-" frees the newest
// block that is in use, "+" frees the oldest.
//
// SEED "ab-"
// PLANTED BUG_FIT kind=missing_early_exit function=take_free exponent=2
// PLANTED BUG_BEFORE kind=repeated_scan function=block_before exponent=2
// PLANTED BUG_TOTAL kind=repeated_scan function=units_in_use exponent=2
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

enum { kSizes = 27 };

struct block {
  uint32_t units, inUse;
  uint32_t newer, older; // in use, by age; 0 is the end
  uint32_t nextFree;
};

struct arena {
  struct block *blocks; // 0 is not used
  uint32_t count, newest, oldest;
  uint32_t freeBySize[kSizes], freeAll;
  size_t used, peak;
};

// A free block of the size; 0 if there is none.
static uint32_t take_free(struct arena *arena, uint32_t units) {
#ifdef BUG_FIT
  for (uint32_t *at = &arena->freeAll; *at; at = &arena->blocks[*at].nextFree) // GUILTY_FIT
    if (arena->blocks[*at].units == units) {
      uint32_t found = *at;
      *at = arena->blocks[found].nextFree;
      return found;
    }
  return 0;
#else
  uint32_t found = arena->freeBySize[units];
  if (found)
    arena->freeBySize[units] = arena->blocks[found].nextFree;
  return found;
#endif
}

static size_t units_in_use(const struct arena *arena) {
#ifdef BUG_TOTAL
  size_t used = 0;
  for (uint32_t at = arena->oldest; at; at = arena->blocks[at].newer) // GUILTY_TOTAL
    used += arena->blocks[at].units;
  return used;
#else
  return arena->used;
#endif
}

static void allocate(struct arena *arena, uint32_t units) {
  uint32_t id = take_free(arena, units);
  if (!id)
    id = ++arena->count;
  struct block *block = &arena->blocks[id];
  block->units = units;
  block->inUse = 1;
  block->newer = 0;
  block->older = arena->newest;
  if (arena->newest)
    arena->blocks[arena->newest].newer = id;
  else
    arena->oldest = id;
  arena->newest = id;
  arena->used += units;
  size_t used = units_in_use(arena);
  arena->peak = used > arena->peak ? used : arena->peak;
}

// The block in use that was allocated before this one.
static uint32_t block_before(const struct arena *arena, uint32_t id) {
#ifdef BUG_BEFORE
  uint32_t before = 0;
  for (uint32_t at = arena->oldest; at != id; at = arena->blocks[at].newer) // GUILTY_BEFORE
    before = at;
  return before;
#else
  return arena->blocks[id].older;
#endif
}

static void release(struct arena *arena, uint32_t id) {
  struct block *block = &arena->blocks[id];
  uint32_t before = block_before(arena, id);
  if (before)
    arena->blocks[before].newer = block->newer;
  else
    arena->oldest = block->newer;
  if (block->newer)
    arena->blocks[block->newer].older = before;
  else
    arena->newest = before;
  block->inUse = 0;
  arena->used -= block->units;
#ifdef BUG_FIT
  block->nextFree = arena->freeAll;
  arena->freeAll = id;
#else
  block->nextFree = arena->freeBySize[block->units];
  arena->freeBySize[block->units] = id;
#endif
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  struct arena arena = {0};
  arena.blocks = calloc(size + 1, sizeof *arena.blocks);
  for (size_t i = 0; i < size; ++i) {
    if (data[i] >= 'a' && data[i] <= 'z')
      allocate(&arena, data[i] - 'a' + 1u);
    else if (data[i] == '-' && arena.newest)
      release(&arena, arena.newest);
    else if (data[i] == '+' && arena.oldest)
      release(&arena, arena.oldest);
  }
  int result = arena.peak == (size_t)-1;
  free(arena.blocks);
  return result;
}
