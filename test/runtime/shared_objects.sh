#!/usr/bin/env bash
# Shared objects have counters of their own and register them with the program: one linked to it, and
# one that it loads while it runs. Usage: shared_objects.sh BUILD_DIR
source "$(dirname "$0")/preamble.sh"

cat >linked.c <<'SOURCE'
int linkedTwice(int n) { int s = 0; for (int i = 0; i < n; ++i) s += i & 3 ? i : 1; return s; }
SOURCE
sed 's/linkedTwice/loadedTwice/' linked.c >loaded.c
cat >target.c <<'SOURCE'
#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>
int linkedTwice(int n);
static int (*loaded)(int);
int LLVMFuzzerInitialize(int *argc, char ***argv) {
  void *object = dlopen("./libloaded.so", RTLD_NOW);
  loaded = object ? (int (*)(int))dlsym(object, "loadedTwice") : NULL;
  return loaded == NULL;
}
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  (void)data;
  return (linkedTwice((int)size) + loaded(2 * (int)size)) & 0;
}
SOURCE
printf '%0100d' 0 >input

check() {
  local cc=$build/bin/perfidy-clang-$1 name
  for name in linked loaded; do
    succeeds "build $name" "$cc" -O2 -g -fPIC -shared "$work/$name.c" -o "lib$name.so"
  done
  succeeds "build target" "$cc" -O2 -g "$work/target.c" -L. -llinked -ldl '-Wl,-rpath,$ORIGIN' -o target
  succeeds "run" env PERFIDY_TRACE=trace ./target "$work/input" "$work/input"
  "$perfidy" dump trace >dump.txt
  for name in linkedTwice loadedTwice LLVMFuzzerTestOneInput; do
    [[ $(grep -c "^  count $name 0 1\$" dump.txt) == 2 ]] || fail "LLVM $1: $name: $(grep "count $name" dump.txt)"
  done
  grep -q '^  count loadedTwice [0-9]* 200$' dump.txt || fail "LLVM $1: the loop of loadedTwice did not run 200 times"
  # In a program without our runtime nothing is registered, and it runs.
  succeeds "plain program" "clang-$1" -O2 "$work/target.c" -x c - -L. -llinked -ldl '-Wl,-rpath,$ORIGIN' -o plain \
    <<<'int LLVMFuzzerInitialize(int *, char ***); int LLVMFuzzerTestOneInput(const unsigned char *, unsigned long);
        int main(int c, char **v) { return LLVMFuzzerInitialize(&c, &v) || LLVMFuzzerTestOneInput(0, 9); }'
  succeeds "run plain program" ./plain
  passed "LLVM $1: shared objects are counted, linked and loaded"
}
each_llvm check
