/* Programs with a plain main: the whole process is one run, written at exit when PERFIDY_TRACE is
 * set. Also the anchor by which the compiler wrapper pulls the runtime into every program. */
#include "runtime/session.h"
#include "runtime/trace_writer.h"

#include <stdlib.h>

extern int target_run(const uint8_t *, size_t) __asm__("LLVMFuzzerTestOneInput.perfidy")
    __attribute__((weak));

int perfidy_runtime_anchor;

static int whole_process;

__attribute__((constructor)) static void process_start(void) {
  const char *path = getenv("PERFIDY_TRACE");
  if (target_run || !path || !*path)
    return;
  whole_process = 1;
  perfidy_window_begin((const uint8_t *)"", 0);
}

/* Late, so that the user's own destructors are counted. */
__attribute__((destructor(101))) static void process_end(void) {
  if (whole_process)
    perfidy_window_end();
}
