/* Public header for authors of fuzz harnesses and training programs. C and C++.
 *
 * A solver's harness names what it draws; each call returns the value to use:
 *
 *   static const char *const kKernels[] = {"linear", "poly", "rbf"};
 *   FuzzedDataProvider draw(data, length); // or constants: the search chooses values by name
 *   uint64_t n = perfidy_scale("samples", 200, 16, 4096);
 *   uint32_t kernel = perfidy_param_enum("kernel", draw.ConsumeIntegral<uint8_t>(), kKernels, 3);
 *   double C = perfidy_param_log("C", 1.0, 1e-6, 1e6);
 *   if (C <= 0) { perfidy_tag("outcome", "refused"); return 0; }
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
extern double perfidy_rt_choose(const char *name,
                                int kind,
                                double drawn,
                                double low,
                                double high,
                                const char *const *values) PERFIDY_WEAK;
extern void perfidy_rt_series(const char *name, double step, double value) PERFIDY_WEAK;
extern void perfidy_rt_tag(const char *key, const char *value) PERFIDY_WEAK;

/* Declares the size of this run (default: the length of the input in bytes). Runs of equal size are
 * compared; the cost function is learned in this size. */
PERFIDY_UNCOUNTED static inline void perfidy_size(uint64_t size) {
  if (perfidy_rt_size)
    perfidy_rt_size(size);
}

/* Kinds of parameters; numbers as in traces (FORMAT.md). */
enum {
  PERFIDY_KIND_ENUM = 1,
  PERFIDY_KIND_INTEGER = 2,
  PERFIDY_KIND_LOG = 3,
  PERFIDY_KIND_REAL = 4,
  PERFIDY_KIND_SCALE = 5
};

/* Declares a named input feature of this run, by which findings are explained. The search cannot
 * choose it. */
PERFIDY_UNCOUNTED static inline void perfidy_param(const char *name, double value) {
  if (perfidy_rt_param)
    perfidy_rt_param(name, value);
}

/* The parameters below can be chosen by the search: each call returns the value to use, which is
 * the one that the input names (FORMAT.md, parameter vectors), else `drawn`, brought into the
 * range. Without the runtime it is always `drawn`. Names hold no '=' and no line end, at most 63
 * characters of them and of each value's name count; at most 64 parameters of a program can be
 * chosen. */

/* One of `count` named values (at most 64, none with '|' in its name): returns its index. `drawn`
 * is taken modulo count. */
PERFIDY_UNCOUNTED static inline uint32_t
perfidy_param_enum(const char *name, uint64_t drawn, const char *const *values, uint32_t count) {
  double index = (double)(count ? drawn % count : 0), last = count ? count - 1.0 : 0;
  return (uint32_t)(perfidy_rt_choose
                        ? perfidy_rt_choose(name, PERFIDY_KIND_ENUM, index, 0, last, values)
                        : index);
}

/* An integer in [low, high], both within 2^53 of 0. */
PERFIDY_UNCOUNTED static inline int64_t
perfidy_param_integer(const char *name, int64_t drawn, int64_t low, int64_t high) {
  drawn = drawn < low ? low : drawn > high ? high : drawn;
  if (!perfidy_rt_choose)
    return drawn;
  return (int64_t)perfidy_rt_choose(
      name, PERFIDY_KIND_INTEGER, (double)drawn, (double)low, (double)high, 0);
}

/* A number whose order of magnitude matters (tolerance, penalty, step width), in [low, high], low
 * at least 0. Low 0 means: 0 itself, or any magnitude from high x 1e-18 on. NaN becomes low. */
PERFIDY_UNCOUNTED static inline double
perfidy_param_log(const char *name, double drawn, double low, double high) {
  drawn = drawn >= low ? (drawn > high ? high : drawn) : low;
  return perfidy_rt_choose ? perfidy_rt_choose(name, PERFIDY_KIND_LOG, drawn, low, high, 0) : drawn;
}

/* A number in [low, high] on a linear scale. NaN becomes low. */
PERFIDY_UNCOUNTED static inline double
perfidy_param_real(const char *name, double drawn, double low, double high) {
  drawn = drawn >= low ? (drawn > high ? high : drawn) : low;
  return perfidy_rt_choose ? perfidy_rt_choose(name, PERFIDY_KIND_REAL, drawn, low, high, 0)
                           : drawn;
}

/* Declares a size that the ladder may choose, in [low, high]. The first one that a run declares is
 * its size, as by perfidy_size(returned value), unless the ladder climbs another one: a harness may
 * have several (samples, features), and the cost function is learned in one at a time. */
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

/* Labels this run; the last value of a key stands. Runs with different "outcome" ("invalid
 * parameters", "not converged") are never in one class. */
PERFIDY_UNCOUNTED static inline void perfidy_tag(const char *key, const char *value) {
  if (perfidy_rt_tag)
    perfidy_rt_tag(key, value);
}

#ifdef __cplusplus
}
#endif

#endif
