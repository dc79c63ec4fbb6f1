/* The measured window: begin, run the target, end. Ties counters, harness declarations, cost
 * budget, trace and search together. One session per process, used by one thread. */
#ifndef PERFIDY_RUNTIME_SESSION_H
#define PERFIDY_RUNTIME_SESSION_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Exit code of a process whose run passed the cost budget. */
#define PERFIDY_EXIT_CENSORED 79
/* Exit code on a usage error (trace cannot be written, wrong ABI version). */
#define PERFIDY_EXIT_USAGE 2

/* What one finished run was like; ids are indexes of function records, ascending. */
typedef struct perfidy_observation {
  const uint8_t *data;
  size_t length;
  uint64_t size, cost;
  const uint32_t *ids;
  uint32_t count;
} perfidy_observation;

/* Reads --perfidy_* flags, checks the ABI version, finds what is counted. Ends the
 * process with a message on errors. Calling it again does nothing. */
void perfidy_session_start(int argc, char **argv);

/* Opens the trace named by PERFIDY_TRACE, once. The trace lists the functions known by now: those
 * of shared objects loaded later are not in it. */
void perfidy_session_trace(void);

/* Value of a flag --perfidy_NAME=VALUE, or NULL. Valid for the life of the process. */
const char *perfidy_flag(const char *name);

/* Opens the window for one input: counters, declarations and budget start from zero. Returns how
 * many of the bytes are the target's: a parameter vector at the end is not (parameters.h). */
size_t perfidy_window_begin(const uint8_t *data, size_t length);

/* Closes it: writes the run to the trace, and describes it (valid until the next begin). */
const perfidy_observation *perfidy_window_end(void);

#ifdef __cplusplus
}
#endif

#endif
