#!/usr/bin/env bash
# An object of another ABI version is refused by name of both versions, before anything is counted.
# Usage: abi_mismatch.sh BUILD_DIR
source "$(dirname "$0")/preamble.sh"

cat >other.c <<'SOURCE'
#include "runtime/abi.h"
static uint64_t counters[1];
static const perfidy_block blocks[1] = {{1, 1, PERFIDY_NONE, 0, 1, 0, 0, 0}};
perfidy_function record __attribute__((section(PERFIDY_SECTION), used, aligned(8))) = {
    999, 0, counters, 0, blocks, 0, 0, 0, "other", "other.c", "", 1, 0, 0, 0, 1, 1, 1, 1, 0, 0};
SOURCE
echo 'int main(void) { return 0; }' >main.c
echo 'int LLVMFuzzerTestOneInput(const unsigned char *d, unsigned long n) { return d[n - n] * 0; }' >target.c
echo input >input

check() {
  local cc=$build/bin/perfidy-clang-$1
  "clang-$1" -I"$here/../.." -c "$work/other.c" -o other.o
  succeeds "link" "$cc" "$work/main.c" other.o -o plain
  succeeds "link" "$cc" "$work/target.c" other.o -o replay
  exits "plain main" 2 env PERFIDY_TRACE=t ./plain
  grep -q 'version 999.*version 2\b.*Rebuild' output.log || fail "message: $(cat output.log)"
  [[ ! -e t ]] || fail "a trace was written"
  exits "fuzz target" 2 ./replay "$work/input"
  grep -q 'version 999.*version 2\b.*Rebuild' output.log || fail "message: $(cat output.log)"
  [[ $(wc -l <output.log) == 1 ]] || fail "more than one line: $(cat output.log)"
  # Nothing is measured, nothing to refuse.
  exits "plain main without a trace" 0 ./plain
  passed "LLVM $1: another ABI version is refused"
}
each_llvm check
