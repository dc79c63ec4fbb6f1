/* The fuzz target's public names, around the ones that the pass renamed. Any engine works
 * unchanged. */
#include "fuzzer/search.h"
#include "runtime/session.h"

#include <stdlib.h>
#include <string.h>

#define RENAMED(name) __asm__(name ".perfidy")
extern int target_run(const uint8_t *, size_t) RENAMED("LLVMFuzzerTestOneInput");
extern int target_initialize(int *, char ***) RENAMED("LLVMFuzzerInitialize") __attribute__((weak));

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t length);

int LLVMFuzzerInitialize(int *argc, char ***argv) {
  perfidy_session_start(*argc, *argv);
  perfidy_search_start(*argc, *argv);
  int result = target_initialize ? target_initialize(argc, argv) : 0;
  perfidy_session_trace();
  return result;
}

/* The target's bytes in memory of their own, so that sanitizers see reads beyond their end. */
static int run_apart(const uint8_t *data, size_t length) {
  uint8_t *copy = malloc(length ? length : 1);
  if (!copy)
    return target_run(data, length);
  memcpy(copy, data, length);
  int result = target_run(copy, length);
  free(copy);
  return result;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t length) {
  size_t own = perfidy_window_begin(data, length);
  int result = own < length ? run_apart(data, own) : target_run(data, length);
  perfidy_search_observe(perfidy_window_end());
  return result;
}
