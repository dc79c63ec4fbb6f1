#define _GNU_SOURCE
#include "runtime/images.h"
#include "runtime/session.h"

#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

/* Weak and hidden: a program with nothing instrumented links, and each program has its own. */
extern perfidy_function __start_perfidy_funcs[] __attribute__((weak, visibility("hidden")));
extern perfidy_function __stop_perfidy_funcs[] __attribute__((weak, visibility("hidden")));
extern uint64_t own_touched __asm__(PERFIDY_TOUCHED) __attribute__((weak, visibility("hidden")));

struct perfidy_image_table perfidy_images;

static void fail(const char *what) {
  fprintf(stderr, "perfidy: %s\n", what);
  _exit(PERFIDY_EXIT_USAGE);
}

/* Zeroed memory; pages that are never used cost nothing. */
static void *reserve(uint64_t bytes) {
  int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
  void *memory = mmap(NULL, bytes + 1, PROT_READ | PROT_WRITE, flags, -1, 0);
  if (memory == MAP_FAILED)
    fail("out of memory for the tables of counted functions");
  return memory;
}

static void check_version(const perfidy_function *function) {
  if (function->abi_version == PERFIDY_ABI_VERSION)
    return;
  fprintf(stderr,
          "perfidy: %s in this program was instrumented for ABI version %u, but this runtime is "
          "version %u. Rebuild every object with one installation of perfidy-clang.\n",
          function->abi_version ? "an object" : "a record",
          function->abi_version,
          PERFIDY_ABI_VERSION);
  _exit(PERFIDY_EXIT_USAGE);
}

/* Room for the values of the function with the most of them. */
static void make_room(uint32_t values) {
  if (values <= perfidy_images.values_room)
    return;
  if (perfidy_images.values)
    munmap(perfidy_images.values, perfidy_images.values_room * sizeof(uint64_t) + 1);
  perfidy_images.values = reserve((uint64_t)values * sizeof(uint64_t));
  perfidy_images.values_room = values;
}

void perfidy_image_add(perfidy_function *first, perfidy_function *stop, uint64_t *touched) {
  uint64_t all = (uint64_t)(stop - first), counts = 0;
  uint32_t values = 1;
  if (all == 0)
    return;
  if (perfidy_images.image_count == PERFIDY_MAX_IMAGES ||
      perfidy_images.function_count + all > PERFIDY_MAX_FUNCTIONS)
    fail("too many instrumented shared objects or functions in one process");
  if (!perfidy_images.functions) {
    perfidy_images.functions = reserve((uint64_t)PERFIDY_MAX_FUNCTIONS * sizeof(void *));
    perfidy_images.marks = reserve(PERFIDY_MAX_FUNCTIONS / 8);
  }
  for (perfidy_function *function = first; function < stop; ++function) {
    check_version(function);
    counts += function->block_count + function->work_count;
    values = function->value_count > values ? function->value_count : values;
  }
  make_room(values);
  uint64_t *room = reserve(counts * sizeof(uint64_t));
  for (perfidy_function *function = first; function < stop; ++function) {
    function->id = perfidy_images.function_count;
    function->counts = room;
    room += function->block_count + function->work_count;
    perfidy_images.functions[perfidy_images.function_count++] = function;
  }
  perfidy_images.images[perfidy_images.image_count++] = (perfidy_image){first, stop, touched};
}

void perfidy_images_start(void) {
  static int started;
  if (!started && __start_perfidy_funcs)
    perfidy_image_add(__start_perfidy_funcs, __stop_perfidy_funcs, &own_touched);
  started = 1;
}
