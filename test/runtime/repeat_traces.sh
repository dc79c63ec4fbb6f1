#!/usr/bin/env bash
# The same corpus gives the same bytes, 20 times, with and without address space randomisation.
# Usage: repeat_traces.sh BUILD_DIR
source "$(dirname "$0")/preamble.sh"
source "$here/mixed_inputs.sh"

check() {
  local i without=(setarch -R)
  setarch -R true 2>/dev/null || { echo "setarch -R is not permitted here: not checked"; without=(env); }
  succeeds "build" "$build/bin/perfidy-clang++-$1" -O2 "$here/mixed_target.cc" -o target
  for ((i = 0; i < 20; ++i)); do
    succeeds "run $i" env PERFIDY_TRACE=$i.trace ./target "$work/corpus"
    succeeds "run $i" env PERFIDY_TRACE=fixed$i.trace "${without[@]}" ./target "$work/corpus"
    cmp 0.trace $i.trace || fail "LLVM $1: trace $i differs"
    cmp 0.trace fixed$i.trace || fail "LLVM $1: trace $i without randomisation differs"
  done
  passed "LLVM $1: 40 traces are byte-identical"
}
each_llvm check
