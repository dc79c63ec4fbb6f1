/* Linked into every shared object that the compiler wrapper links: tells the runtime of the
 * program, if it has one, what is instrumented here. */
#include "runtime/images.h"

#include <stddef.h>

extern perfidy_function __start_perfidy_funcs[] __attribute__((weak, visibility("hidden")));
extern perfidy_function __stop_perfidy_funcs[] __attribute__((weak, visibility("hidden")));
extern void perfidy_image_add(perfidy_function *, perfidy_function *) __attribute__((weak));

/* The compiler wrapper asks for it, so that the linker takes this object out of its archive. */
__attribute__((visibility("hidden"))) int perfidy_shared_object_anchor;

__attribute__((constructor)) static void register_image(void) {
  if (perfidy_image_add && __start_perfidy_funcs)
    perfidy_image_add(__start_perfidy_funcs, __stop_perfidy_funcs);
}
