#!/usr/bin/env bash
# bad_use.sh BUILD_DIR: every kind of bad use ends in one clear message and the documented exit code,
# and what had been gathered is still on disk.
set -euo pipefail
build=$(realpath "$1")
programs=$(realpath "$(dirname "$0")/../programs/cost")
work=$(mktemp -d)
trap 'chmod -R u+rwx "$work" 2>/dev/null; rm -rf "$work"' EXIT
cd "$work"
perfidy=$build/bin/perfidy
compile() { "$build/bin/perfidy-clang++" -O2 -g -fsanitize=fuzzer "$programs/$1.cc" -o "$1"; }
mkdir seeds && printf a >seeds/a

# expect WHAT CODE PATTERN COMMAND...: exit code and a line of stderr; exactly one error line.
expect() {
  local what=$1 code=$2 pattern=$3 status=0
  shift 3
  "$@" >out.txt 2>err.txt || status=$?
  if [ "$status" != "$code" ]; then
    echo "FAILED: $what: exit code $status instead of $code"; cat err.txt; exit 1
  fi
  if ! grep -qE "$pattern" err.txt; then
    echo "FAILED: $what: no message like '$pattern':"; cat err.txt; exit 1
  fi
  if [ "$(grep -c '^perfidy: error:' err.txt)" -gt 1 ]; then
    echo "FAILED: $what: more than one error message:"; cat err.txt; exit 1
  fi
  echo "ok: $what"
}

expect "no arguments" 2 "subcommand is required" "$perfidy"
expect "unknown flag" 2 "not expected|--nonsense" "$perfidy" run x --nonsense
expect "no such target" 2 "no such program" "$perfidy" run ./missing seeds
clang++-14 -O1 -fsanitize=fuzzer "$programs/linear_scan.cc" -o plain 2>/dev/null ||
  clang++ -O1 -fsanitize=fuzzer "$programs/linear_scan.cc" -o plain
expect "not instrumented" 2 "is not instrumented" "$perfidy" run ./plain seeds
printf 'text' >notelf && chmod +x notelf
expect "not a program" 2 "notelf" "$perfidy" run ./notelf seeds
compile linear_scan
chmod -x linear_scan
expect "not executable" 2 "not executable" "$perfidy" run ./linear_scan seeds
chmod +x linear_scan
expect "no such corpus" 2 "no such file or directory" "$perfidy" run ./linear_scan missing-corpus --time 1 --quiet
mkdir empty
expect "empty corpus" 2 "corpus is empty|no readable input" "$perfidy" trace ./linear_scan empty -o e.trace
expect "empty corpus, no search" 2 "corpus is empty" "$perfidy" run ./linear_scan empty --no-fuzz --out o-empty --quiet

# Instrumented by another ABI version: a record that says so.
cat >old.c <<'X'
#include <stdint.h>
struct record { uint32_t abi, flags; void *p[7]; uint32_t n[6]; };
__attribute__((section("perfidy_funcs"), used, aligned(8))) static struct record old = {99, 0, {0}, {0}};
X
cc -c old.c -o old.o
"$build/bin/perfidy-clang++" -O2 -g -fsanitize=fuzzer "$programs/linear_scan.cc" old.o -o mismatched
expect "another ABI version" 2 "ABI version 99" "$perfidy" run ./mismatched seeds --time 1 --out o-abi --quiet

# Unreadable files are skipped with a warning; the rest is used. Root reads everything, so a broken
# link stands for an unreadable file as well.
mkdir mixed && printf aaaa >mixed/good && printf b >mixed/secret && chmod 000 mixed/secret
ln -s /nonexistent mixed/broken
if [ "$(id -u)" = 0 ]; then
  expect "broken link in the corpus" 0 "runs in" "$perfidy" trace ./linear_scan mixed -o m.trace
else
  expect "unreadable file" 0 "secret: skipped" "$perfidy" trace ./linear_scan mixed -o m.trace
fi

# A target that crashes on some inputs: those are named, the rest is recorded.
compile crashing
mkdir some && printf xa >some/2 && printf aa >some/1 && printf bb >some/3
expect "crash on one input" 0 "some/2: the target crashed" "$perfidy" trace ./crashing some -o c.trace
[ "$("$perfidy" dump c.trace --format csv | wc -l)" = 3 ] || { echo "FAILED: two runs expected"; exit 1; }
"$perfidy" run ./crashing seeds --runs 20000 --time 0 --out o-crash --quiet >run.txt 2>&1 && status=0 || status=$?
[ "$status" -le 1 ] || { echo "FAILED: crashing target stops the study ($status)"; cat run.txt; exit 1; }
ls o-crash/artifacts/crash-* >/dev/null && [ -s o-crash/findings.json ]
echo "ok: crashes during the search are kept and survived"

compile always_crashing
expect "crash at once" 3 "crashed before anything could be learned" \
  "$perfidy" run ./always_crashing seeds --time 5 --out o-always --quiet

# A target that hangs: the budget ends it, the input is kept, the search goes on.
compile hanging
"$perfidy" run ./hanging seeds --runs 20000 --time 30 --out o-hang --quiet >run.txt 2>&1 && status=0 || status=$?
[ "$status" -le 1 ] || { echo "FAILED: hanging target stops the study ($status)"; cat run.txt; exit 1; }
ls o-hang/artifacts/censored-* >/dev/null && [ -s o-hang/findings.json ]
echo "ok: hanging runs are censored, kept and survived"

# Disk full.
if [ -e /dev/full ]; then
  expect "trace on a full disk" 2 "cannot write" env PERFIDY_TRACE=/dev/full ./linear_scan seeds/a
fi

# Damaged data.
printf 'not a trace' >bad.trace
expect "not a trace" 2 "not a Perfidy trace" "$perfidy" dump bad.trace
head -c 200 c.trace >cut.trace
"$perfidy" dump cut.trace | grep truncated >/dev/null && echo "ok: a cut-off trace is readable"
python3 - <<'X'
data = bytearray(open("c.trace", "rb").read())
data[len(data) // 2] ^= 0x55
open("flipped.trace", "wb").write(data)
X
expect "corrupt trace" 2 "corrupt trace at byte" "$perfidy" explain flipped.trace -o f.json
expect "findings that are none" 2 "bad.trace" "$perfidy" report bad.trace
echo "all bad uses end well"
