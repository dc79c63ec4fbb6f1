#define _GNU_SOURCE
#include "runtime/images.h"
#include "runtime/session.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* Weak and hidden: a program with nothing instrumented links, and each program has its own. */
extern perfidy_function __start_perfidy_funcs[] __attribute__((weak, visibility("hidden")));
extern perfidy_function __stop_perfidy_funcs[] __attribute__((weak, visibility("hidden")));

struct perfidy_image_table perfidy_images;

/* Fewer pages are looked at faster than the kernel is asked. */
#define FEW_PAGES 64u

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

/* Before any arithmetic on them: records of another version may be of another size. */
static void check_versions(const perfidy_function *first, const perfidy_function *stop) {
  uintptr_t left = (uintptr_t)stop - (uintptr_t)first;
  for (; left >= sizeof(uint32_t); ++first) {
    check_version(first);
    if (left < sizeof *first)
      fail("the table of counted functions is damaged; rebuild every object");
    left -= sizeof *first;
  }
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

static int by_address(const void *left, const void *right) {
  const perfidy_span *a = left, *b = right;
  if (a->counters != b->counters)
    return a->counters < b->counters ? -1 : 1;
  return a->id < b->id ? -1 : a->id > b->id;
}

/* Lists the pages that hold counters. */
static void find_pages(perfidy_image *image, uint32_t spans) {
  perfidy_page *last = NULL;
  for (uint32_t i = 0; i < spans; ++i) {
    const perfidy_span *span = &image->spans[i];
    uintptr_t first = (uintptr_t)span->counters & -(uintptr_t)PERFIDY_PAGE;
    uintptr_t end = (uintptr_t)(span->counters + span->count);
    for (uintptr_t page = first; page < end; page += PERFIDY_PAGE) {
      if (!last || last->address < page) {
        last = &image->pages[image->page_count++];
        *last = (perfidy_page){page, i, i};
      }
      if (last->address == page)
        last->stop = i + 1;
    }
  }
  /* Huge pages would all be touched at once. */
  if (last && image->page_count > FEW_PAGES)
    madvise((void *)image->pages[0].address,
            last->address + PERFIDY_PAGE - image->pages[0].address,
            MADV_NOHUGEPAGE);
}

static void add_spans(perfidy_image *image, perfidy_function *first, perfidy_function *stop) {
  uint64_t pages = 0;
  image->spans = reserve((uint64_t)(stop - first) * sizeof(perfidy_span));
  for (perfidy_function *function = first; function < stop; ++function) {
    uint32_t count = function->counter_count + function->work_count;
    image->spans[function - first] = (perfidy_span){function->counters, count, function->id};
    pages += 2 + count * sizeof(uint64_t) / PERFIDY_PAGE;
  }
  qsort(image->spans, (size_t)(stop - first), sizeof(perfidy_span), by_address);
  image->pages = reserve(pages * sizeof(perfidy_page));
  find_pages(image, (uint32_t)(stop - first));
  image->touched = reserve(image->page_count);
}

void perfidy_image_add(perfidy_function *first, perfidy_function *stop) {
  check_versions(first, stop);
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
  add_spans(&perfidy_images.images[perfidy_images.image_count], first, stop);
  perfidy_images.image_count++;
}

/* Entries of /proc/self/pagemap: a page that exists is present or swapped out. */
#define PAGE_EXISTS ((uint64_t)3 << 62)

void perfidy_image_refresh(perfidy_image *image) {
  static int pagemap = -2;
  if (image->page_count > FEW_PAGES && pagemap == -2)
    pagemap = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
  if (image->page_count <= FEW_PAGES || pagemap < 0) {
    memset(image->touched, 1, image->page_count);
    return;
  }
  uint64_t entries[512];
  for (uint32_t i = 0; i < image->page_count;) {
    uintptr_t start = image->pages[i].address / PERFIDY_PAGE;
    ssize_t got = pread(pagemap, entries, sizeof entries, (off_t)(start * sizeof(uint64_t)));
    uint64_t known = got < 0 ? 0 : (uint64_t)got / sizeof(uint64_t);
    if (known == 0)
      image->touched[i++] = 1;
    for (; i < image->page_count && image->pages[i].address / PERFIDY_PAGE - start < known; ++i)
      image->touched[i] =
          (entries[image->pages[i].address / PERFIDY_PAGE - start] & PAGE_EXISTS) != 0;
  }
}

void perfidy_images_start(void) {
  static int started;
  if (!started && __start_perfidy_funcs)
    perfidy_image_add(__start_perfidy_funcs, __stop_perfidy_funcs);
  started = 1;
}
