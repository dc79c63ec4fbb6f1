#!/usr/bin/env bash
# Programs with a plain main: one run per process in PERFIDY_TRACE, nothing without it; and perfidy.h
# is a no-op wherever the runtime is not linked. Usage: plain_main.sh BUILD_DIR
source "$(dirname "$0")/preamble.sh"

cat >main.c <<'SOURCE'
#include <perfidy.h>
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv) {
  uint64_t n = perfidy_scale("n", argc > 1 ? strtoull(argv[1], 0, 10) : 3, 1, 100);
  perfidy_param("argument", (double)argc);
  perfidy_tag("kind", "plain");
  volatile int sum = 0;
  for (uint64_t i = 0; i < n; ++i) {
    sum += (int)i;
    perfidy_series("sum", (double)i, sum);
  }
  printf("%llu %d\n", (unsigned long long)n, sum);
  return argc > 2 ? (exit(7), 0) : 0;
}
SOURCE
cp main.c main.cc

check_processes() {
  local cc=$build/bin/perfidy-clang-$1
  succeeds "build" "$cc" -O2 "$work/main.c" -o main
  mkdir empty && cd empty
  exits "run" 0 ../main 5
  rm output.log
  [[ -z $(ls -A) ]] || fail "LLVM $1: writes without PERFIDY_TRACE: $(ls -A)"
  exits "run with an empty variable" 0 env PERFIDY_TRACE= ../main 5
  [[ $(ls -A) == output.log ]] || fail "LLVM $1: writes with an empty PERFIDY_TRACE: $(ls -A)"
  cd ..
  exits "run" 0 env PERFIDY_TRACE=trace ./main 5
  exits "run that calls exit" 7 env PERFIDY_TRACE=trace ./main 9 x
  exits "run" 0 env PERFIDY_TRACE=trace ./main 1000
  "$perfidy" dump trace >dump.txt
  [[ $(grep '^run' dump.txt | cut -d' ' -f1-2,5-9 | tr '\n' ';') == \
    "run 0 bytes 0 size 5 status;run 1 bytes 0 size 9 status;run 2 bytes 0 size 100 status;" ]] ||
    fail "LLVM $1: runs: $(grep '^run' dump.txt)"
  grep -q '  tag kind plain' dump.txt || fail "no tag"
  grep -q '  series sum 4 10' dump.txt || fail "no series"
  grep -q '  count main [0-9]* 100$' dump.txt || fail "LLVM $1: the loop is not counted: $(grep count dump.txt)"
  passed "LLVM $1: one run per process"
}

check_header() {
  local compiler
  for compiler in gcc g++ "clang-$1" "clang++-$1"; do
    command -v "$compiler" >/dev/null || continue
    local source=main.c standard=-std=c99
    [[ $compiler != *++* ]] || { source=main.cc standard=-std=c++11; }
    for flags in -O0 -O2 "-O2 -static" "-O1 -fPIE -pie"; do
      # shellcheck disable=SC2086 # several flags
      succeeds "$compiler $flags" "$compiler" $standard $flags -Wall -Wextra -Werror -pedantic \
        -idirafter "$build/include" "$work/$source" -o alone
      exits "$compiler $flags" 0 env PERFIDY_TRACE=alone.trace ./alone 7
      [[ $(cat output.log) == "7 21" ]] || fail "$compiler $flags: prints $(cat output.log)"
      [[ ! -e alone.trace ]] || fail "$compiler $flags: writes a trace"
    done
  done
  passed "perfidy.h is a no-op without the runtime"
}

check() {
  check_processes "$1"
  check_header "$1"
}
each_llvm check
