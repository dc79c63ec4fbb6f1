/* Public header for authors of fuzz harnesses and training programs. C and C++.
 *
 * Everything here is a no-op when the program is not linked with the Perfidy runtime, so a harness
 * that includes it still builds with any compiler and engine. All calls belong to the current run
 * (between entry and return of LLVMFuzzerTestOneInput, or the whole process for a plain main) and
 * are made by the thread that entered it. Strings are copied. */
#ifndef PERFIDY_H
#define PERFIDY_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__) || defined(__clang__)
#define PERFIDY_WEAK __attribute__((weak))
#define PERFIDY_UNCOUNTED __attribute__((no_profile_instrument_function, unused))
#else
#error "perfidy.h needs GCC or Clang"
#endif

extern void perfidy_rt_size(uint64_t size) PERFIDY_WEAK;
extern void perfidy_rt_param(const char *name, double value) PERFIDY_WEAK;
extern uint64_t
perfidy_rt_scale(const char *name, uint64_t drawn, uint64_t low, uint64_t high) PERFIDY_WEAK;
extern void perfidy_rt_series(const char *name, double step, double value) PERFIDY_WEAK;
extern void perfidy_rt_tag(const char *key, const char *value) PERFIDY_WEAK;

/* Declares the size of this run (default: the length of the input in bytes). Runs of equal size are
 * compared; the cost function is learned in this size. */
PERFIDY_UNCOUNTED static inline void perfidy_size(uint64_t size) {
  if (perfidy_rt_size)
    perfidy_rt_size(size);
}

/* Declares a named input feature of this run, by which findings are explained. */
PERFIDY_UNCOUNTED static inline void perfidy_param(const char *name, double value) {
  if (perfidy_rt_param)
    perfidy_rt_param(name, value);
}

/* Declares a size that the ladder may choose: returns the size to use, `drawn` (clamped to
 * [low, high]) while searching. Implies perfidy_size(returned value). */
PERFIDY_UNCOUNTED static inline uint64_t
perfidy_scale(const char *name, uint64_t drawn, uint64_t low, uint64_t high) {
  if (perfidy_rt_scale)
    return perfidy_rt_scale(name, drawn, low, high);
  return drawn < low ? low : drawn > high ? high : drawn;
}

/* Appends one value to a named series (loss over epochs...). */
PERFIDY_UNCOUNTED static inline void perfidy_series(const char *name, double step, double value) {
  if (perfidy_rt_series)
    perfidy_rt_series(name, step, value);
}

/* Labels this run, e.g. perfidy_tag("outcome", "rejected"). The last value of a key stands. */
PERFIDY_UNCOUNTED static inline void perfidy_tag(const char *key, const char *value) {
  if (perfidy_rt_tag)
    perfidy_rt_tag(key, value);
}

#ifdef __cplusplus
}
#endif

#endif
