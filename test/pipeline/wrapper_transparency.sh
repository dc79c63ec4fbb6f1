#!/usr/bin/env bash
# The compiler wrappers behave like the clang they stand for: same output, same exit code, nothing
# of their own on the terminal. Prints each check and stops at the first that fails.
# Usage: wrapper_transparency.sh BUILD_DIR
set -euo pipefail

build=$(cd "$1" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
unset PERFIDY_TRACE

fail() {
  echo "FAILED: ${1//"$build/bin/"/}" >&2
  exit 1
}
passed() { echo "ok: ${1//"$build/bin/"/}"; }

# same NAME WRAPPER CLANG ARGS...: stdout, stderr and exit code must be equal; stdin from ./stdin.
same() {
  local name=$1 wrapper=$2 clang=$3 expected=0 actual=0
  shift 3
  "$clang" "$@" <stdin >plain.out 2>plain.err || expected=$?
  "$wrapper" "$@" <stdin >wrapped.out 2>wrapped.err || actual=$?
  [[ $expected == "$actual" ]] || fail "$name: exit code $actual instead of $expected: $(cat wrapped.err)"
  cmp -s plain.out wrapped.out || fail "$name: output differs: $(diff plain.out wrapped.out | head -n 5)"
  cmp -s plain.err wrapped.err || fail "$name: messages differ: $(diff plain.err wrapped.err | head -n 5)"
  passed "$name"
}

# quiet NAME COMMAND...: succeeds without a word.
quiet() {
  local name=$1 code=0
  shift
  "$@" <stdin >quiet.out 2>&1 || code=$?
  [[ $code == 0 ]] || fail "$name: exit code $code: $(cat quiet.out)"
  [[ ! -s quiet.out ]] || fail "$name: prints: $(cat quiet.out)"
  passed "$name"
}

# refuses NAME CODE PATTERN COMMAND...: fails with this code and one line that matches.
refuses() {
  local name=$1 expected=$2 pattern=$3 code=0
  shift 3
  "$@" <stdin >refused.out 2>&1 || code=$?
  [[ $code == "$expected" ]] || fail "$name: exit code $code instead of $expected"
  grep -qE "$pattern" refused.out || fail "$name: message is: $(cat refused.out)"
  [[ $(wc -l <refused.out) == 1 ]] || fail "$name: more than one line: $(cat refused.out)"
  passed "$name"
}

instrumented() {
  [[ $(readelf -SW "$1") == *perfidy_funcs* ]] || fail "$2: $1 is not instrumented"
  passed "$2"
}
plain() {
  [[ $(readelf -SW "$1") != *perfidy_* ]] || fail "$2: $1 is instrumented"
  passed "$2"
}
has_lines() { [[ $(readelf -SW "$1") == *debug_line* ]]; }

write_sources() {
  echo 'int fromStdin(int n) { while (n > 9) n -= 3; return n; }' >stdin
  printf '#include "a.h"\nint main(void) { return twice(1) - 2; }\n' >a.c
  echo 'static inline int twice(int n) { return 2 * n; }' >a.h
  echo '#include <vector>
int main() { std::vector<int> v(3); int s = 0; for (int x : v) s += x; return s; }' >b.cc
  echo 'int part(int n) { for (int i = 0; i < 9; ++i) n += i; return n; }' >part.c
  echo 'int part(int); int main(void) { return part(0) != 36; }' >user.c
  echo 'int broken(' >broken.c
  echo 'int f(int n) { int unused; return n; }' >warns.c
  printf '.text\n.globl low\nlow:\n  ret\n.section .note.GNU-stack,"",@progbits\n' >low.s
  printf '#define NAME low\n.text\n.globl NAME\nNAME:\n  ret\n' >macro.S
  cat >target.c <<'SOURCE'
#include <perfidy.h>
#include <stddef.h>
#include <stdint.h>
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  volatile unsigned sum = 0;
  for (size_t i = 0; i < size; ++i)
    sum += data[i];
  return 0;
}
SOURCE
}

# What generates no code must be the same to the byte.
check_same_output() {
  local cc=$1 cxx=$2 v=$3
  same "$cc --version" "$cc" "clang-$v" --version
  same "$cc -dumpmachine" "$cc" "clang-$v" -dumpmachine
  same "$cc -print-search-dirs" "$cc" "clang-$v" -print-search-dirs
  same "$cc -print-file-name with an input" "$cc" "clang-$v" -print-file-name=libc.a a.c
  same "$cc without inputs" "$cc" "clang-$v"
  same "$cxx without inputs" "$cxx" "clang++-$v" -O2 -o x
  same "$cc -v without inputs" "$cc" "clang-$v" -v
  same "$cc -### without inputs" "$cc" "clang-$v" '-###'
  same "$cc asks the linker" "$cc" "clang-$v" -Wl,--version
  same "$cc -E" "$cc" "clang-$v" -E a.c
  same "$cc -E from stdin" "$cc" "clang-$v" -E -
  same "$cc -dM -E of a language" "$cc" "clang-$v" -dM -E -x c /dev/null
  same "$cxx -E" "$cxx" "clang++-$v" -E b.cc
  same "$cc -M" "$cc" "clang-$v" -M a.c
  same "$cxx -MM" "$cxx" "clang++-$v" -MM b.cc
  same "$cc -fsyntax-only" "$cc" "clang-$v" -fsyntax-only a.c
  same "$cc -fsyntax-only with a warning" "$cc" "clang-$v" -Wall -fsyntax-only warns.c
  same "$cc -fsyntax-only with an error" "$cc" "clang-$v" -fsyntax-only broken.c
  same "$cc -c with an error" "$cc" "clang-$v" -c broken.c
  same "$cc -c with a warning" "$cc" "clang-$v" -Wall -c warns.c
  same "$cc with a missing input" "$cc" "clang-$v" -c nothere.c
  same "$cc with a missing response file" "$cc" "clang-$v" -c @nothere
  same "$cc with an unknown option" "$cc" "clang-$v" -c --no-such-option a.c
  same "$cc -E of assembly" "$cc" "clang-$v" -E macro.S
  same "$cc -S of assembly" "$cc" "clang-$v" -S low.s -o -
  "clang-$v" -S part.c -o plain.s
  quiet "$cc --perfidy-off -S" "$cc" --perfidy-off -S part.c -o off.s
  cmp plain.s off.s || fail "$cc --perfidy-off -S: not the plain compiler's output"
}

# Assembler sources: the object is clang's own.
check_assembly() {
  local cc=$1 v=$2 file
  for file in low.s macro.S; do
    "clang-$v" -c "$file" -o plain.o
    quiet "$cc -c $file" "$cc" -c "$file" -o wrapped.o
    cmp -s plain.o wrapped.o || fail "$cc -c $file: object differs"
  done
}

check_compiling() {
  local cc=$1 cxx=$2
  quiet "$cc -c" "$cc" -c part.c -o part.o
  instrumented part.o "$cc -c instruments"
  has_lines part.o || fail "$cc -c: no line information"
  quiet "$cc -c -g0" "$cc" -g0 -c part.c -o part0.o
  ! has_lines part0.o || fail "$cc -g0: has line information"
  quiet "$cxx -c" "$cxx" -O2 -c b.cc -o b.o
  instrumented b.o "$cxx -c instruments"
  quiet "$cc -c from stdin" "$cc" -x c - -c -o stdin.o
  instrumented stdin.o "$cc from stdin instruments"
  quiet "$cc -MMD" "$cc" -MMD -MF a.d -c a.c -o a.o
  grep -q 'a\.h' a.d || fail "$cc -MMD: a.h is missing in a.d"
  quiet "$cc -S" "$cc" -S part.c -o part.s
  grep -q perfidy_ part.s || fail "$cc -S: not instrumented"
  quiet "$cc with an unused -I" "$cc" -Wall -Werror -Inowhere -c part.c -o part.o
  quiet "$cc with several inputs" "$cc" -c part.c a.c low.s
  quiet "$cc -emit-llvm" "$cc" -emit-llvm -c part.c -o part.bc
  quiet "$cc --perfidy-off" "$cc" --perfidy-off -mllvm -perfidy-counters=atomic -c part.c -o off.o
  plain off.o "$cc --perfidy-off does not instrument"
  printf -- '-O1\n-c "part.c"\n-o rsp.o' >c.rsp
  quiet "$cc @response" "$cc" @c.rsp
  instrumented rsp.o "$cc @response instruments"
}

check_precompiled_headers() {
  local cc=$1 v=$2
  quiet "$cc compiles a header" "$cc" -x c-header a.h -o a.h.pch
  quiet "$cc uses its own" "$cc" -include-pch a.h.pch -c user.c -o pch.o
  instrumented pch.o "$cc with a precompiled header instruments"
  "clang-$v" -x c-header a.h -o a.h.pch
  quiet "$cc uses clang's" "$cc" -include-pch a.h.pch -fsyntax-only user.c
}

check_linking() {
  local cc=$1 cxx=$2
  quiet "$cc links one source" "$cc" a.c -o prog
  quiet "program runs" ./prog
  quiet "$cxx links one source" "$cxx" b.cc -o prog
  quiet "program runs" ./prog
  quiet "$cc links objects" "$cc" part.o user.c -o prog
  instrumented prog "linked program keeps the tables"
  quiet "program runs" ./prog
  quiet "$cc -static" "$cc" -static part.c user.c -o prog
  quiet "program runs" ./prog
  quiet "$cc -flto" "$cc" -flto -O1 part.c user.c -o prog
  quiet "program runs" ./prog
  quiet "$cc links stdin" "$cc" -x c user.c part.c - -o prog
  quiet "$cc with --" "$cc" -o prog -- part.c user.c
  quiet "$cc -shared" "$cc" -shared -fPIC part.c -o libpart.so
  quiet "$cc links with a library" "$cc" user.c -L. -lpart -Wl,-rpath,. -o prog
  quiet "program runs" ./prog
  quiet "$cc -r" "$cc" -r part.o -o relocatable.o
  echo 'part.o user.c -o prog' >link.rsp
  quiet "$cc @response links" "$cc" @link.rsp
  quiet "program runs" ./prog
}

# The same target without an engine, with libFuzzer, and with another engine's main.
check_targets() {
  local cc=$1
  quiet "$cc links a target without engine" "$cc" target.c -o replay
  quiet "replay writes a trace" env PERFIDY_TRACE=replay.trace ./replay a.c
  [[ -s replay.trace ]] || fail "replay: empty trace"
  quiet "$cc -fsanitize=fuzzer" "$cc" -fsanitize=fuzzer target.c -o fuzz
  PERFIDY_TRACE=fuzz.trace ./fuzz a.c >fuzz.log 2>&1 || fail "fuzz target: $(cat fuzz.log)"
  [[ -s fuzz.trace ]] || fail "fuzz target: empty trace"
  passed "fuzz target writes a trace"
  cat >engine.c <<'SOURCE'
#include <stddef.h>
#include <stdint.h>
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int main(void) { return LLVMFuzzerTestOneInput((const uint8_t *)"ab", 2); }
SOURCE
  "$cc" --perfidy-off -c engine.c -o engine.o
  rm -f engine.a && ar rcs engine.a engine.o
  quiet "$cc with an engine's archive" "$cc" target.c engine.a -o other
  quiet "the engine's main runs" ./other
}

# A command that cannot be instrumented is refused before it can fail obscurely.
check_refusals() {
  local v=$1 cc=$build/bin/perfidy-clang-$1 remedy
  local other=$((v == 14 ? 19 : 14))
  if command -v "clang-$other" >/dev/null; then
    remedy="no plugin for LLVM $other"
    [[ ! -e $build/lib/perfidy/PerfidyPass-$other.so ]] || remedy="use perfidy-clang-$other"
    refuses "clang-$other for LLVM $v" 2 "clang $other.*LLVM $v; $remedy" \
      "$cc" "--perfidy-clang=clang-$other" -c part.c
    quiet "--perfidy-off takes any clang" "$cc" "--perfidy-clang=clang-$other" --perfidy-off -c part.c
  fi
  quiet "--perfidy-clang of the right version" "$cc" "--perfidy-clang=clang-$v" -c part.c -o part.o
  refuses "--perfidy-clang of no clang" 2 'not clang' "$cc" --perfidy-clang=/bin/echo -c part.c
  refuses "--perfidy-clang of no program" 2 'does not run' "$cc" --perfidy-clang=/no/clang -c part.c
  refuses "clang not in PATH" 2 "clang-$v is not in PATH.*package clang-$v" \
    env PATH=/nowhere "$cc" -c part.c
  mkdir -p bare/bin
  cp -L "$cc" "bare/bin/perfidy-clang-$v"
  refuses "missing plugin" 2 "no plugin for LLVM $v" "bare/bin/perfidy-clang-$v" -c part.c
  refuses "missing archive" 2 'no runtime archive' "bare/bin/perfidy-clang-$v" part.o -o prog
  quiet "nothing needed, nothing missed" "bare/bin/perfidy-clang-$v" -fsyntax-only part.c
}

write_sources
versions=0
for plugin in "$build"/lib/perfidy/PerfidyPass-*.so; do
  [[ -e $plugin ]] || fail "no plugin in $build/lib/perfidy"
  v=${plugin##*PerfidyPass-}
  v=${v%.so}
  cc=$build/bin/perfidy-clang-$v
  cxx=$build/bin/perfidy-clang++-$v
  check_same_output "$cc" "$cxx" "$v"
  check_assembly "$cc" "$v"
  check_compiling "$cc" "$cxx"
  check_precompiled_headers "$cc" "$v"
  check_linking "$cc" "$cxx"
  check_targets "$cc"
  check_refusals "$v"
  versions=$((versions + 1))
done
quiet "the unsuffixed C wrapper" "$build/bin/perfidy-clang" -c part.c
quiet "the unsuffixed C++ wrapper" "$build/bin/perfidy-clang++" -c b.cc
echo "all checks passed for $versions compiler(s)"
