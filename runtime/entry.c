/* The fuzz target's public names, around the ones that the pass renamed. Any engine works
 * unchanged. */
#include "fuzzer/search.h"
#include "runtime/session.h"

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

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t length) {
  perfidy_window_begin(data, length);
  int result = target_run(data, length);
  perfidy_search_observe(perfidy_window_end());
  return result;
}
