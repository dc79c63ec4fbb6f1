/* Named parameters of the program under test: what it declares (perfidy.h), and the parameter
 * vector that an input may end with, by which the search, the ladder and people choose values by
 * name.
 *
 * A vector is text behind the bytes that the target gets (FORMAT.md):
 *
 *   #perfidy
 *   kernel=linear
 *   C=31.5
 *
 * so the input file alone reproduces the run. Declarations are kept for the life of the process, in
 * memory of their own; the values of a vector are read from the input while its run lasts. One
 * thread. */
#ifndef PERFIDY_RUNTIME_PARAMETERS_H
#define PERFIDY_RUNTIME_PARAMETERS_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define PERFIDY_MOST_PARAMETERS 64
#define PERFIDY_MOST_VALUES 64
#define PERFIDY_LONGEST_NAME 63
/* A vector stands within the last bytes of an input. */
#define PERFIDY_LONGEST_VECTOR 8192
#define PERFIDY_VECTOR_MARK "#perfidy\n"
/* Entry of a vector that names the scale which is the run's size. */
#define PERFIDY_DIMENSION_KEY "perfidy.size"

/* One declared parameter; kinds as in perfidy.h. */
typedef struct perfidy_parameter {
  char name[PERFIDY_LONGEST_NAME + 1];
  int kind;
  double low, high;
  double value;  /* as last returned to the program */
  uint64_t run;  /* the run that was in, numbered from 1 */
  char **values; /* ENUM: high + 1 names */
} perfidy_parameter;

/* Where the bytes for the target end: length, or less when the input ends with a vector. */
size_t perfidy_vector_begin(const uint8_t *data, size_t length);

/* What the vector of an input that is not being run says of a declared parameter, in its range;
 * returns 0 when it says nothing. Not during a run. */
int perfidy_vector_value(const uint8_t *data,
                         size_t length,
                         const perfidy_parameter *parameter,
                         double *value);

/* Begins a run: reads the vector of its input, if any; returns the length of the target's bytes. */
size_t perfidy_parameters_begin(const uint8_t *data, size_t length);

/* The value to use for a parameter of this run: that of perfidy_parameters_fix(), else that of the
 * vector, else `drawn`; brought into the range. Notes the declaration; *fresh = 1 when it is new or
 * has changed since it was last noted. `values` may be null but for ENUM. */
double perfidy_parameters_choose(const char *name,
                                 int kind,
                                 double drawn,
                                 double low,
                                 double high,
                                 const char *const *values,
                                 int *fresh);

/* Fixes a scale for the whole process: "NAME=VALUE", or a value for whichever scale is the size. */
void perfidy_parameters_fix(const char *text);

/* True if the scale is the size of this run: the one that the vector (or the process, "NAME")
 * names, else the first that is declared. */
int perfidy_parameters_is_size(const char *name);

/* All declared so far, in order of first declaration; returns how many. */
uint32_t perfidy_parameters(const perfidy_parameter **first);

/* Number of the current run, as in perfidy_parameter.run. */
uint64_t perfidy_parameters_run(void);

/* Writes a number as text that reads back as the same, with a point in every locale; at most 32
 * bytes with the terminator. Returns the length. */
size_t perfidy_write_number(double value, char *out);

/* The declaration of a parameter as text ("log 1e-06 1e+06", "enum linear|rbf"): the value of its
 * tag in a trace. At most `capacity` bytes with the terminator. */
void perfidy_write_declaration(const perfidy_parameter *parameter, char *out, size_t capacity);

#ifdef __cplusplus
}
#endif

#endif
