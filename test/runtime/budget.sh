#!/usr/bin/env bash
# The cost budget stops a run inside whatever burns it, and the counts say where it was; whether a run
# is over the budget follows from its cost alone, to the unit.
# Usage: budget.sh BUILD_DIR
source "$(dirname "$0")/preamble.sh"

# A run that would not end: stopped, censored, and the function that burned it has the largest count.
stopped() {
  local build_name=$1 input=$2 function=$3 most
  printf %s "$input" >input
  rm -f trace
  exits "$build_name: $function" 79 env PERFIDY_TRACE=trace timeout 60 ./target --perfidy_budget=3000000 input
  grep -q "its cost passed the budget" output.log || fail "$build_name: $function: $(cat output.log)"
  "$perfidy" dump --format csv trace | grep censored >grep.log || fail "$build_name: $function: not censored"
  # Library work is in bytes, counts are not: compared in instructions.
  most=$("$perfidy" dump trace |
    awk '$1 == "count" {print $4, $2} $1 == "work" {print $4 / 8, $2}' | sort -rn | head -n 1)
  [[ $most == *"$function"* ]] || fail "$build_name: $function is lost; most counted: $most"
}

# The same input with a budget of its cost, and of one less.
border() {
  local build_name=$1 cost
  printf 'x%0500d' 0 >input
  rm -f trace
  succeeds "$build_name: cost" env PERFIDY_TRACE=trace ./target input
  cost=$("$perfidy" dump trace | sed -n 's/^run .* cost \([0-9]*\).*/\1/p')
  [[ $cost -gt 500000 ]] || fail "$build_name: a cost of '$cost'"
  exits "$build_name: within" 0 ./target --perfidy_budget="$cost" input
  rm -f trace
  exits "$build_name: over, recorded" 0 env PERFIDY_TRACE=trace ./target --perfidy_budget=$((cost - 1)) input
  "$perfidy" dump --format csv trace | grep censored >grep.log || fail "$build_name: one over is not censored"
  exits "$build_name: over" 79 ./target --perfidy_budget=$((cost - 1)) input
}

check() {
  local place level
  for place in stable late; do
    for level in 1 2 3; do
      succeeds "build" "$build/bin/perfidy-clang++-$1" --perfidy-place=$place "-O$level" -fsanitize=fuzzer \
        "$here/budget_target.cc" -o target
      stopped "$1 $place -O$level" s searchState
      stopped "$1 $place -O$level" n nestedLoops
      stopped "$1 $place -O$level" r recursion
      [[ $level == 1 ]] || stopped "$1 $place -O$level" t tailCalls # there a stack overflow
      stopped "$1 $place -O$level" w libraryWork
      border "$1 $place -O$level"
    done
    passed "LLVM $1: $place: endless runs are stopped where they burn, verdicts follow the cost"
  done
}
each_llvm check
