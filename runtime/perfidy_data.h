/* Data sets from declared knobs, for harnesses of solvers. C and C++; include after nothing else is
 * needed, link with libm.
 *
 *   perfidy_data knobs = perfidy_data_knobs();
 *   perfidy_data_fill(&knobs, points, labels, samples, features, 2);
 *
 * Raw bytes make data that no solver was written for, and an explanation in bytes helps nobody. The
 * knobs are parameters like any others (perfidy.h): the search chooses them, and a report says
 * "slow when duplicates > 0.4". The same values make the same data, on every machine that rounds
 * alike. Nothing here is counted. */
#ifndef PERFIDY_DATA_H
#define PERFIDY_DATA_H

#include "perfidy.h"

#include <math.h>
#include <stddef.h>

/* What the data is like; see perfidy_data_knobs() for ranges. */
typedef struct perfidy_data {
  double duplicates;    /* share of samples that repeat an earlier one */
  double sortedness;    /* share of samples whose first feature rises with their position */
  double feature_scale; /* the last feature is this many times as wide as the first */
  double overlap;       /* 0: classes lie apart, 1: they are the same */
  double tail;          /* each sample is shrunk by up to exp(tail) */
  uint64_t state;       /* of the generator */
} perfidy_data;

/* Draws the knobs by name; what the bytes say is not asked. */
PERFIDY_UNCOUNTED static inline perfidy_data perfidy_data_knobs(void) {
  perfidy_data knobs;
  knobs.duplicates = perfidy_param_real("duplicates", 0, 0, 1);
  knobs.sortedness = perfidy_param_real("sortedness", 0, 0, 1);
  knobs.feature_scale = perfidy_param_log("feature_scale", 1, 1e-4, 1e4);
  knobs.overlap = perfidy_param_real("overlap", 0.5, 0, 1);
  knobs.tail = perfidy_param_log("tail", 0, 0, 700);
  knobs.state = (uint64_t)perfidy_param_integer("data_seed", 1, 0, 9);
  return knobs;
}

/* Uniform in [0, 1): SplitMix64 (Steele, Lea, Flood 2014). */
PERFIDY_UNCOUNTED static inline double perfidy_data_uniform(perfidy_data *knobs) {
  uint64_t z = (knobs->state += 0x9e3779b97f4a7c15u);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return (double)((z ^ (z >> 31)) >> 11) / 9007199254740992.0;
}

/* Fills `samples` x `features` numbers, row by row, and the labels 0 .. classes - 1 (may be null).
 */
PERFIDY_UNCOUNTED static inline void perfidy_data_fill(perfidy_data *knobs,
                                                       double *points,
                                                       int *labels,
                                                       size_t samples,
                                                       size_t features,
                                                       int classes) {
  for (size_t i = 0; i < samples; ++i) {
    double *row = points + i * features;
    const int label = classes > 0 ? (int)(i % (size_t)classes) : 0;
    const int repeated = perfidy_data_uniform(knobs) < knobs->duplicates && i > 0;
    const size_t origin = (size_t)(perfidy_data_uniform(knobs) * (double)i);
    const double shrink = exp(-knobs->tail * perfidy_data_uniform(knobs));
    const int sorted = perfidy_data_uniform(knobs) < knobs->sortedness;
    if (labels)
      labels[i] = repeated ? labels[origin] : label;
    for (size_t f = 0; f < features; ++f) {
      const double part = features > 1 ? (double)f / (double)(features - 1) : 0;
      const double center = f % 2 == 0 ? 2.0 * label : -2.0 * label;
      double value = 2 * perfidy_data_uniform(knobs) - 1 + (1 - knobs->overlap) * center;
      if (sorted && f == 0)
        value = 2 * (double)i / (double)samples - 1;
      row[f] = repeated ? points[origin * features + f]
                        : value * shrink * pow(knobs->feature_scale, part);
    }
  }
}

#endif
