/* The in-process search, as the runtime sees it. C linkage on both sides. */
#ifndef PERFIDY_FUZZER_SEARCH_H
#define PERFIDY_FUZZER_SEARCH_H

#include "runtime/session.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Reads its own flags (perfidy_flag) and those of the engine that concern it. Called once, after
 * the session has started. */
void perfidy_search_start(int argc, char **argv);

/* Called after each run of the target, before the next begins: turns the run into features for the
 * engine and updates the archive. Does nothing when the search is off. */
void perfidy_search_observe(const perfidy_observation *seen);

#ifdef __cplusplus
}
#endif

#endif
