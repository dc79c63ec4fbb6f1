#!/usr/bin/env bash
# Counts are exact: entries of functions against LLVM's own -fprofile-instr-generate, blocks against
# counts that the program keeps of itself by source line. Usage: exact_counts.sh BUILD_DIR
source "$(dirname "$0")/preamble.sh"

# Entry counts by function, from LLVM's profile and from our trace. Library templates are included;
# functions that never ran are in neither. Functions of no linkage are qualified with their file there.
profile_entries() {
  "llvm-profdata-$1" show --all-functions --counts "$2" |
    awk '/^  [^ ].*:$/ {name = $1; sub(/:$/, "", name); sub(/.*[:;]/, "", name)}
         /Function count:/ {if ($3 > 0) print name, $3}' | sort
}
trace_entries() {
  "$perfidy" dump "$1" | awk '$1 == "count" && $3 == 0 {print $2, $4}' | sort
}

# entries VERSION COMPILER SOURCE FLAGS...
entries() {
  local v=$1 compiler=$2 source=$3
  shift 3
  # Functions that are inlined before counting have no entries of their own.
  succeeds "$source: build" "$build/bin/perfidy-$compiler-$v" -mllvm -perfidy-inline=false "$@" \
    "$here/$source" -o counted
  # Later clangs leave functions of system headers out of the profile unless told.
  local profile=(-fprofile-instr-generate)
  [[ $v -lt 17 ]] || profile+=(-mllvm -system-headers-coverage)
  succeeds "$source: build" "$compiler-$v" "$@" "${profile[@]}" "$here/$source" -o profiled
  rm -f trace raw profile
  PERFIDY_TRACE=trace ./counted >hits.txt || fail "$source: exit code $?"
  LLVM_PROFILE_FILE=raw ./profiled >profiled.txt || fail "$source: exit code $?"
  cmp hits.txt profiled.txt || fail "$source: the instrumented program behaves differently"
  "llvm-profdata-$v" merge raw -o profile
  profile_entries "$v" profile >expected
  trace_entries trace >actual
  [[ $(wc -l <expected) -gt 5 ]] || fail "$source: nothing to compare with"
  diff expected actual >differences || fail "LLVM $v: $source: $(head -n 5 differences)"
  passed "LLVM $v: $source $*: entries of $(wc -l <expected) functions are exact"
}

# For each line with a marker, the block with the tightest line range around it must have its count.
blocks() {
  "$perfidy" dump trace >dump.txt
  awk '
    FILENAME == "hits.txt" {hits[$1] = $2; next}
    $1 == "function" {name = $3}
    $1 == "block" {split($4, range, "-"); first[name, $2] = range[1] + 0; last[name, $2] = range[2] + 0}
    $1 == "count" {count[$2, $3] = $4}
    END {
      for (line in hits) {
        width = 1000000; found = "none"
        for (block in count)
          if (first[block] <= line + 0 && line + 0 <= last[block] && last[block] - first[block] < width) {
            width = last[block] - first[block]
            found = count[block]
          }
        if (found != hits[line]) {
          print "line " line ": counted " found " instead of " hits[line]
          wrong = 1
        }
        ++compared
      }
      print compared " lines compared"
      exit wrong || compared < 15
    }' hits.txt dump.txt >blocks.txt || fail "LLVM $1: $(cat blocks.txt)"
  passed "LLVM $1: blocks: $(tail -n 1 blocks.txt)"
}

check() {
  entries "$1" clang exact_counts.c -O1
  blocks "$1"
  entries "$1" clang exact_counts.c -O3
  blocks "$1"
  entries "$1" clang++ exact_counts_cxx.cc -O2
  entries "$1" clang exact_counts.c -O0
}
each_llvm check
