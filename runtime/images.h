/* The images of a process, that is the program and its instrumented shared objects, and all their
 * functions under one numbering. The program's own image is found by its linker symbols; a shared
 * object registers its bounds from a constructor (shared_object.c), at start or in dlopen. Ids are
 * given in the order of registration and are not taken back: shared objects are linked so that
 * they stay loaded. */
#ifndef PERFIDY_RUNTIME_IMAGES_H
#define PERFIDY_RUNTIME_IMAGES_H

#include "runtime/abi.h"

#ifdef __cplusplus
extern "C" {
#endif

#define PERFIDY_MAX_IMAGES 256u
#define PERFIDY_MAX_FUNCTIONS (1u << 24)
#define PERFIDY_PAGE 4096u

/* The counters of one function, as far as looking for what was touched needs to know. */
typedef struct perfidy_span {
  uint64_t *counters;
  uint32_t count, id;
} perfidy_span;

/* The spans that reach into one page of memory: stop - first of them, by index. */
typedef struct perfidy_page {
  uintptr_t address;
  uint32_t first, stop;
} perfidy_page;

/* One program or shared object. Spans are sorted by address, pages too. `touched` is a page's last
 * known state: it is never true for a page that has not been written to. */
typedef struct perfidy_image {
  perfidy_span *spans;
  perfidy_page *pages;
  unsigned char *touched;
  uint32_t page_count;
} perfidy_image;

/* What is known of the process. functions: by id. marks (one bit per id, zero between calls) and
 * values (room for those of any function) are scratch memory of counters.c. */
extern struct perfidy_image_table {
  perfidy_image images[PERFIDY_MAX_IMAGES];
  perfidy_function **functions;
  uint64_t *marks, *values;
  uint32_t image_count, function_count;
  uint32_t values_room;
} perfidy_images;

/* Registers the program's own image; calling it again does nothing. Ends the process with a message
 * when an object was made for another ABI version or memory is short, as perfidy_image_add. */
void perfidy_images_start(void);

/* Registers an image. */
__attribute__((visibility("default"))) void perfidy_image_add(perfidy_function *first,
                                                              perfidy_function *stop);

/* Brings `touched` of an image up to date: asks the kernel which pages were ever written to, when
 * there are so many that this is cheaper than to look at all. */
void perfidy_image_refresh(perfidy_image *image);

/* The record with an id below perfidy_images.function_count. */
static inline const perfidy_function *perfidy_function_at(uint32_t id) {
  return perfidy_images.functions[id];
}

#ifdef __cplusplus
}
#endif

#endif
