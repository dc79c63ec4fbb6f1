#define _GNU_SOURCE
#include "runtime/session.h"
#include "runtime/counters.h"
#include "runtime/harness.h"
#include "runtime/parameters.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <unistd.h>

#define MAX_FLAGS 32
static const char *flags[MAX_FLAGS];
static int flag_count;

static struct {
  int started, trace; /* trace: descriptor or -1 */
  volatile sig_atomic_t open;
  uint64_t budget; /* 0 = none */
  uint64_t runs;   /* windows opened so far */
  uint32_t *ids;
  perfidy_observation seen;
} session = {.trace = -1};

static void fail(const char *what, const char *detail, const char *remedy) {
  fprintf(stderr, "perfidy: %s%s%s\n", what, detail, remedy);
  _exit(PERFIDY_EXIT_USAGE);
}

const char *perfidy_flag(const char *name) {
  size_t length = strlen(name);
  for (int i = 0; i < flag_count; ++i)
    if (strncmp(flags[i], name, length) == 0 && flags[i][length] == '=')
      return flags[i] + length + 1;
  return NULL;
}

static void collect(uint32_t status) {
  perfidy_run run = {0};
  uint32_t count = perfidy_touched(session.ids, PERFIDY_MAX_FUNCTIONS);
  session.seen.ids = session.ids;
  session.seen.count = count;
  session.seen.cost = perfidy_read(session.ids, count);
  perfidy_harness_describe(&run);
  session.seen.size = run.size;
  /* The verdict depends on the cost alone, not on whether the timer came in time. */
  if (session.budget && session.seen.cost > session.budget)
    status = PERFIDY_RUN_CENSORED;
  if (session.trace < 0)
    return;
  run.input_hash = perfidy_hash(session.seen.data, session.seen.length);
  run.input_bytes = session.seen.length;
  /* Where the timer caught it is chance; that it cost more than the budget is not. */
  run.cost = status == PERFIDY_RUN_CENSORED ? session.budget : session.seen.cost;
  run.status = status;
  int error = perfidy_trace_run(session.trace, &run, session.ids, count);
  if (error) {
    fprintf(stderr,
            "perfidy: cannot write to the trace: %s. Free space or choose another place; the runs "
            "recorded so far are complete.\n",
            strerror(-error));
    _exit(PERFIDY_EXIT_USAGE);
  }
}

/* Keeps the input of a censored run: <prefix>censored-<hash>. */
static void save_censored(void) {
  const char *prefix = perfidy_flag("censored_prefix");
  if (!prefix)
    return;
  char path[4096];
  snprintf(path,
           sizeof path,
           "%scensored-%016llx",
           prefix,
           (unsigned long long)perfidy_hash(session.seen.data, session.seen.length));
  int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (file < 0)
    return;
  ssize_t written = write(file, session.seen.data, session.seen.length);
  (void)written;
  close(file);
}

/* Ends the process over a run that passed the budget. */
static void stop_over_budget(void) {
  save_censored();
  fprintf(stderr,
          "perfidy: run %llu stopped: its cost passed the budget of %llu (input of %llu bytes)\n",
          (unsigned long long)session.runs,
          (unsigned long long)session.budget,
          (unsigned long long)session.seen.length);
  _exit(PERFIDY_EXIT_CENSORED);
}

static void on_tick(int signal_number) {
  (void)signal_number;
  if (!session.open)
    return;
  uint32_t count = perfidy_touched(session.ids, PERFIDY_MAX_FUNCTIONS);
  if (perfidy_read(session.ids, count) <= session.budget)
    return;
  session.open = 0;
  collect(PERFIDY_RUN_CENSORED);
  stop_over_budget();
}

/* The timer only bounds how long a run over its budget goes on. */
static void start_timer(void) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = on_tick;
  action.sa_flags = SA_RESTART;
  sigaction(SIGVTALRM, &action, NULL);
  struct itimerval every = {{0, 20000}, {0, 20000}};
  setitimer(ITIMER_VIRTUAL, &every, NULL);
}

void perfidy_session_trace(void) {
  static int done;
  if (done)
    return;
  done = 1;
  const char *path = getenv("PERFIDY_TRACE");
  if (!path || !*path)
    return;
  session.trace = perfidy_trace_open(path);
  if (session.trace == -22)
    fail("PERFIDY_TRACE names a trace of another build or version: ",
         path,
         ". Remove it or choose another file.");
  if (session.trace < 0)
    fail("cannot write the trace ", path, ": check the folder, its rights and the free space.");
}

void perfidy_session_start(int argc, char **argv) {
  static const char marker[] = "--perfidy_";
  for (int i = 1; !session.started && i < argc && flag_count < MAX_FLAGS; ++i)
    if (strncmp(argv[i], marker, sizeof marker - 1) == 0)
      flags[flag_count++] = argv[i] + sizeof marker - 1;
  if (session.started)
    return;
  session.started = 1;
  perfidy_images_start();
  size_t bytes = (size_t)PERFIDY_MAX_FUNCTIONS * sizeof(uint32_t);
  int how = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
  void *ids = mmap(NULL, bytes, PROT_READ | PROT_WRITE, how, -1, 0);
  if (ids == MAP_FAILED)
    fail("out of memory", "", "");
  session.ids = ids;
  const char *scale = perfidy_flag("scale"), *budget = perfidy_flag("budget");
  if (scale)
    perfidy_parameters_fix(scale);
  if (budget && (session.budget = strtoull(budget, NULL, 10)) != 0)
    start_timer();
}

size_t perfidy_window_begin(const uint8_t *data, size_t length) {
  perfidy_session_start(0, NULL);
  perfidy_session_trace();
  session.seen.data = data;
  session.seen.length = length;
  ++session.runs;
  size_t own = perfidy_parameters_begin(data, length);
  perfidy_harness_begin(own);
  perfidy_reset();
  session.open = 1;
  return own;
}

const perfidy_observation *perfidy_window_end(void) {
  session.open = 0;
  collect(PERFIDY_RUN_COMPLETE);
  /* While searching, a run over the budget ends the process whether the timer saw it or not, so
   * that the same seed always leads the same way. A replay goes on: the record says it is censored.
   */
  if (session.trace < 0 && session.budget && session.seen.cost > session.budget)
    stop_over_budget();
  return &session.seen;
}
