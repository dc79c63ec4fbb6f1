#!/usr/bin/env bash
# What was recorded before a crash or a full disk can be read, and the trace can be appended to.
# Usage: crash_keeps_trace.sh BUILD_DIR
source "$(dirname "$0")/preamble.sh"

cat >target.c <<'SOURCE'
#include <stdint.h>
#include <stddef.h>
#include <stdlib.h>
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  volatile unsigned sum = 0;
  for (size_t i = 0; i < size; ++i)
    sum += data[i];
  if (size > 0 && data[0] == '3')
    abort();
  return 0;
}
SOURCE
mkdir corpus
for i in 1 2 3 4 5; do echo "${i}bytes" >corpus/$i; done

runs() { runs_of "$1" | tail -n +2 | wc -l; }

check_crash() {
  # 134: SIGABRT, as a shell reports it. libFuzzer's own handler exits with 77.
  exits "abort in replay" 134 env PERFIDY_TRACE=trace ./replay "$work/corpus"
  [[ $(runs trace) == 2 ]] || fail "LLVM $1: $(runs trace) runs instead of 2"
  "$perfidy" dump trace >dump.txt
  ! grep -q truncated dump.txt || fail "LLVM $1: the trace is torn"
  exits "abort in libFuzzer" 77 env PERFIDY_TRACE=fuzz.trace ./fuzz "$work"/corpus/{1,2,3,4,5}
  [[ $(runs fuzz.trace) == 2 ]] || fail "LLVM $1: libFuzzer: $(runs fuzz.trace) runs instead of 2"
  exits "the rest" 0 env PERFIDY_TRACE=trace ./replay "$work/corpus/4" "$work/corpus/5"
  [[ $(runs trace) == 4 ]] || fail "LLVM $1: $(runs trace) runs instead of 4 after appending"
  passed "LLVM $1: a crash keeps the runs before it"
}

check_full_disk() {
  exits "/dev/full" 2 env PERFIDY_TRACE=/dev/full ./replay "$work/corpus/1"
  [[ $(wc -l <output.log) == 1 ]] || fail "LLVM $1: /dev/full: $(cat output.log)"
  grep -q '^perfidy: cannot write.*/dev/full.*free space' output.log || fail "$(cat output.log)"
  # A limit on file size stands for a disk that fills up in the middle of a record.
  local many=()
  for ((i = 0; i < 100; ++i)); do many+=("$work/corpus/1"); done
  exits "file size limit" 2 bash -c 'trap "" XFSZ; ulimit -f 1; PERFIDY_TRACE=limited ./replay "$@"' - "${many[@]}"
  [[ $(wc -l <output.log) == 1 ]] || fail "LLVM $1: limit: $(cat output.log)"
  grep -q '^perfidy: cannot write to the trace: File too large' output.log || fail "$(cat output.log)"
  local before
  before=$(runs limited)
  [[ $before -gt 0 && $before -lt 100 ]] || fail "LLVM $1: $before runs before the limit"
  "$perfidy" dump limited >limited.txt
  grep -q '^truncated$' limited.txt || fail "LLVM $1: the limit did not cut a record"
  exits "appending" 0 env PERFIDY_TRACE=limited ./replay "$work/corpus/1"
  [[ $(runs limited) == $((before + 1)) ]] || fail "LLVM $1: cannot append after a full disk"
  passed "LLVM $1: a full disk gives one message and a readable trace"
}

check() {
  succeeds "build" "$build/bin/perfidy-clang-$1" "$work/target.c" -o replay
  succeeds "build" "$build/bin/perfidy-clang-$1" -fsanitize=fuzzer "$work/target.c" -o fuzz
  check_crash "$1"
  check_full_disk "$1"
}
each_llvm check
