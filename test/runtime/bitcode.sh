#!/usr/bin/env bash
# Bitcode that perfidy-clang made may go through perfidy-clang again, alone or linked with other
# bitcode: nothing is counted twice. Usage: bitcode.sh BUILD_DIR
source "$(dirname "$0")/preamble.sh"
source "$here/mixed_inputs.sh"

record() { succeeds "run $1" env PERFIDY_TRACE="$1.trace" "./$1" "$work/corpus"; }

check() {
  local cxx=$build/bin/perfidy-clang++-$1
  cp "$here/mixed_target.cc" .
  echo 'extern "C" int perfidyTestPlain(int n) { return n < 2 ? n : perfidyTestPlain(n - 2); }' >plain.cc
  succeeds "compile" "$cxx" -O2 mixed_target.cc -o once
  succeeds "compile to bitcode" "$cxx" -O2 -c -emit-llvm mixed_target.cc -o target.bc
  succeeds "compile bitcode" "$cxx" -O2 target.bc -o twice
  record once
  record twice
  cmp once.trace twice.trace || fail "LLVM $1: bitcode compiled again gives another trace"
  # A function without counters in the same module still gets them.
  succeeds "compile plain" "clang++-$1" -c -emit-llvm plain.cc -o plain.bc
  succeeds "link bitcode" "llvm-link-$1" target.bc plain.bc -o all.bc
  succeeds "compile linked bitcode" "$cxx" -O2 all.bc -o linked
  record linked
  "$perfidy" dump linked.trace >linked.txt
  grep -q '^function [0-9]* perfidyTestPlain ' linked.txt ||
    fail "LLVM $1: a function of plain bitcode has no counters"
  counts_of linked.trace | cmp - <(counts_of once.trace) || fail "LLVM $1: other counts after llvm-link"
  passed "LLVM $1: bitcode is instrumented once"
}
each_llvm check
