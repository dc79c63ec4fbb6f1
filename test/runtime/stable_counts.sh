#!/usr/bin/env bash
# Counts are a property of the source, not of how it is optimised, linked or sanitised.
#
# -O1 to -O3 give byte-identical traces. -O0 does not: there clang emits every function optnone and
# runs no clean-up pass, so blocks, weights and line ranges are those of unoptimised code.
# Under sanitizers the entries of every function stay the same. AddressSanitizer instruments after us;
# it forbids our clean-up to speculate loads, so that `a || *b` keeps its blocks in a few functions
# (with it, they cost a little more); all other functions have exactly the same counts.
# UndefinedBehaviorSanitizer adds blocks of its own in the front end, which are counted.
# Usage: stable_counts.sh BUILD_DIR
source "$(dirname "$0")/preamble.sh"
source "$here/mixed_inputs.sh"

# build_and_run NAME FLAGS...: compiles, links and records NAME.trace. Uses $cxx.
build_and_run() {
  local name=$1
  shift
  succeeds "$name: build" "$cxx" "$@" mixed_target.cc -o "$name"
  succeeds "$name: run" env PERFIDY_TRACE="$name.trace" "./$name" "$work/corpus"
  [[ $(runs_of "$name.trace" | wc -l) == 6 ]] || fail "$name: not 5 runs"
}

# Entry counts of functions (their block 0).
entries_of() { "$perfidy" dump "$1" | grep -E '^(run|  count [^ ]+ 0) ' | sed 's/ cost .*//'; }

check_levels() {
  local level
  for level in 1 2 3 s; do
    build_and_run "O$level" "-O$level"
  done
  for level in 2 3 s; do
    cmp O1.trace "O$level.trace" || fail "LLVM $1: -O1 and -O$level give different traces"
  done
  passed "LLVM $1: -O1, -O2, -O3 and -Os give byte-identical traces"
}

check_linking() {
  local lld
  build_and_run gc -O2 -ffunction-sections -fdata-sections -Wl,--gc-sections
  build_and_run static -O2 -static
  build_and_run pie -O2 -fPIE -pie
  local names=(gc static pie)
  if command -v "ld.lld-$1" >/dev/null; then
    lld=$(command -v "ld.lld-$1")
    build_and_run lld -O2 "--ld-path=$lld"
    build_and_run lldgc -O2 "--ld-path=$lld" -ffunction-sections -Wl,--gc-sections
    build_and_run lto -O2 -flto "--ld-path=$lld"
    build_and_run thinlto -O2 -flto=thin "--ld-path=$lld"
    names+=(lld lldgc lto thinlto)
  else
    echo "ld.lld-$1 is not installed: not checked"
  fi
  runs_of O2.trace >expected.csv
  counts_of O2.trace >expected.counts
  local name
  for name in "${names[@]}"; do
    runs_of "$name.trace" | cmp - expected.csv || fail "LLVM $1: $name: other cost"
    counts_of "$name.trace" | cmp - expected.counts || fail "LLVM $1: $name: other counts"
  done
  passed "LLVM $1: the same cost and counts with ${names[*]}"
}

# Counts of the functions that have as many blocks in trace $1 as in trace $2, by name and block.
common_counts() {
  awk 'FNR == 1 {++file}
       $1 == "function" {name = $3}
       $1 == "block" && file == 1 {++ours[name]}
       $1 == "block" && file == 2 {++theirs[name]}
       $1 == "count" && file == 1 {lines[++n] = $2 " " $3 " " $4; owner[n] = $2}
       END {for (i = 1; i <= n; ++i) if (ours[owner[i]] == theirs[owner[i]]) print lines[i]}' \
    <("$perfidy" dump "$1") <("$perfidy" dump "$2") | sort
}

check_sanitizers() {
  local name common all
  # Without inlining: what a sanitizer adds can make a function too large to be inlined.
  local plain=(-O1 -mllvm -perfidy-inline=false)
  build_and_run whole "${plain[@]}"
  build_and_run asan "${plain[@]}" -fsanitize=address
  build_and_run ubsan "${plain[@]}" -fsanitize=undefined
  entries_of whole.trace >expected.entries
  for name in asan ubsan; do
    entries_of "$name.trace" | cmp - expected.entries || fail "LLVM $1: $name: other function entries"
  done
  common_counts whole.trace asan.trace >plain.common
  common_counts asan.trace whole.trace >asan.common
  cmp plain.common asan.common || fail "LLVM $1: AddressSanitizer changes counts"
  all=$(counts_of whole.trace | grep -c ' count ')
  common=$(wc -l <plain.common)
  [[ $((common * 10)) -gt $((all * 9)) ]] || fail "LLVM $1: only $common of $all counts are comparable"
  passed "LLVM $1: entries are the same under sanitizers; $common of $all counts compared under ASan"
}

check() {
  cxx=$build/bin/perfidy-clang++-$1
  # A name without a folder: the path of the source is part of the region table.
  cp "$here/mixed_target.cc" .
  check_levels "$1"
  check_linking "$1"
  check_sanitizers "$1"
}
each_llvm check
