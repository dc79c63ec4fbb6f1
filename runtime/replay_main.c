/* main for fuzz targets linked without an engine: runs the target once on each file named, and on
 * each file of each directory named, in name order. Arguments that start with '-' are flags. */
#include <dirent.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t length);

static int run_file(const char *path) {
  FILE *file = fopen(path, "rb");
  if (!file) {
    fprintf(stderr, "perfidy: cannot read %s: %s\n", path, strerror(errno));
    return 2;
  }
  size_t capacity = 1 << 16, length = 0, got;
  uint8_t *data = malloc(capacity);
  while (data && (got = fread(data + length, 1, capacity - length, file)) > 0) {
    length += got;
    if (length == capacity)
      data = realloc(data, capacity *= 2);
  }
  fclose(file);
  if (!data) {
    fprintf(stderr, "perfidy: out of memory reading %s\n", path);
    return 2;
  }
  LLVMFuzzerTestOneInput(data, length);
  free(data);
  return 0;
}

static int run_path(const char *path) {
  struct stat status;
  if (stat(path, &status) != 0 || !S_ISDIR(status.st_mode))
    return run_file(path);
  struct dirent **names;
  int count = scandir(path, &names, NULL, alphasort), worst = 0;
  for (int i = 0; i < count; ++i) {
    char full[4096];
    snprintf(full, sizeof full, "%s/%s", path, names[i]->d_name);
    if (stat(full, &status) == 0 && S_ISREG(status.st_mode) && run_file(full) != 0)
      worst = 2;
    free(names[i]);
  }
  if (count >= 0)
    free(names);
  return worst;
}

int main(int argc, char **argv) {
  int worst = 0;
  LLVMFuzzerInitialize(&argc, &argv);
  for (int i = 1; i < argc; ++i)
    if (argv[i][0] != '-' && run_path(argv[i]) != 0)
      worst = 2;
  return worst;
}
