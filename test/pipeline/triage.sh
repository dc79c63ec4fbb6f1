#!/usr/bin/env bash
# triage.sh BUILD_DIR: the commands for people who have slow inputs already, on a program with two
# planted causes and its fixed version: triage, pump, min, verify, diff, and the places inputs come from.
set -euo pipefail
build=$(realpath "$1")
programs=$(realpath "$(dirname "$0")/../programs")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
perfidy=$build/bin/perfidy
fail() { echo "FAILED: $*"; exit 1; }
# expect CODE COMMAND...: runs it, output in out.txt.
expect() {
  local code=$1 status=0
  shift
  "$@" >out.txt 2>&1 || status=$?
  [ "$status" = "$code" ] || { cat out.txt; fail "exit code $status instead of $code: $*"; }
}
for version in old new; do
  flags=()
  [ "$version" = new ] && flags=(-DFIXED)
  "$build/bin/perfidy-clang++" -O2 -g -fsanitize=fuzzer "${flags[@]}" \
    "$programs/triage/two_causes.cc" -o "$version"
done

mkdir -p slow ordinary afl/main/{queue,hangs}
python3 - <<'P'
import random, zipfile
random.seed(4)
paren = b"x" + b"(" * 3000 + b"y"
noisy = b"".join(b"(" + bytes(random.choice(b"abcdefgh") for _ in range(random.randrange(3))) for _ in range(2000))
keys = b"".join(b"[%d]: u\n" % i for i in range(1, 1200))
open("slow/slow-unit-paren", "wb").write(paren)
open("slow/timeout-noisy", "wb").write(noisy)
open("slow/slow-unit-keys", "wb").write(keys)
text = b" ".join(random.choice([b"word", b"(pair)", b"[same]", b"x"]) for _ in range(600))
open("ordinary/text", "wb").write(text)
open("afl/main/hangs/id:000000", "wb").write(paren)
open("afl/main/queue/id:000000", "wb").write(b"(a)")
open("afl/main/fuzzer_stats", "wb").write(b"not an input")
with zipfile.ZipFile("old_seed_corpus.zip", "w", zipfile.ZIP_DEFLATED) as z:
    z.writestr("deep/keys", keys)
    z.writestr("text", text)
P

# Two causes of three inputs; the ordinary one is none. The same twice.
for out in one two; do
  mkdir "$out"
  (cd "$out" && expect 1 "$perfidy" triage ../old ../slow ../ordinary/text --against ../ordinary --quiet)
done
cmp one/perfidy-triage/findings.json two/perfidy-triage/findings.json
python3 - <<'P'
import json
found = json.load(open("one/perfidy-triage/findings.json"))
causes = {f["regions"][0]["function"].split("::")[-1]: f for f in found["findings"]}
assert set(causes) <= {"closeBracket", "addKey", "sameKey"} and len(causes) == 2, causes.keys()
assert causes["closeBracket"]["inputs"] == ["../slow/slow-unit-paren", "../slow/timeout-noisy"], causes["closeBracket"]["inputs"]
other = [f for name, f in causes.items() if name != "closeBracket"][0]
assert other["inputs"] == ["../slow/slow-unit-keys"] and other["pattern"]["counters"], other["pattern"]
for f in found["findings"]:
    assert 1.6 < f["slow"]["exponent"] < 2.3, f["slow"]["exponent"]
    assert f["pair"]["confirmed"] and f["pair"]["size"] <= 512, f["pair"]["size"]
assert any("ordinary/text: is not slow" in note for note in found["notes"]), found["notes"]
P
ls one/perfidy-triage/generators/*.py >/dev/null
echo "ok: triage"

# Exact on the same build, fixed on the other, also when only the JSON file was passed on.
cp one/perfidy-triage/findings.json alone.json
for findings in one/perfidy-triage/findings.json alone.json; do
  expect 1 "$perfidy" verify "$findings" ./old
  [ "$(grep -c '^unchanged' out.txt)" = 2 ] || fail "$(cat out.txt)"
  expect 0 "$perfidy" verify "$findings" ./new --json verdicts.json
  [ "$(grep -c '"verdict": "fixed"' verdicts.json)" = 2 ] || fail "$(cat out.txt)"
done
echo "ok: verify"

# The pattern with its counter, verified at larger sizes; the generator makes it again.
expect 1 "$perfidy" pump ./old slow/slow-unit-keys -o gen.py --quiet
grep -q 'for i < k' out.txt || fail "no counter: $(cat out.txt)"
grep -qE 'exponent (1\.[7-9]|2\.)' out.txt || fail "$(cat out.txt)"
python3 gen.py --size 60000 >large
[ "$(wc -c <large)" -gt 59000 ] && [ "$(wc -c <large)" -le 60000 ] || fail "the generator's size"
expect 0 "$perfidy" pump ./new slow/slow-unit-keys -o gen2.py --quiet
echo "ok: pump"

# Smaller, of the same class.
expect 0 "$perfidy" min ./old slow/timeout-noisy -o least --cost 200000 --quiet
[ "$(wc -c <least)" -lt 400 ] || fail "only down to $(wc -c <least) bytes: $(cat out.txt)"
expect 0 "$perfidy" trace ./old least -o least.trace
[ "$("$perfidy" dump least.trace --format csv | tail -1 | cut -d, -f6)" -ge 200000 ] || fail "too cheap: $("$perfidy" dump least.trace --format csv)"
expect 0 "$perfidy" min ./old one/perfidy-triage/findings.json
expect 2 "$perfidy" min ./old ordinary/text --cost 999999999 --quiet
echo "ok: min"

# Both directions, as programs and as traces.
expect 0 "$perfidy" diff ./old ./new slow ordinary --json diff.json
grep -q closeBracket out.txt || fail "$(cat out.txt)"
expect 1 "$perfidy" diff ./new ./old slow ordinary
expect 0 "$perfidy" trace ./old slow -o old.trace
expect 0 "$perfidy" trace ./new slow -o new.trace
expect 0 "$perfidy" diff old.trace new.trace
expect 0 "$perfidy" diff old.trace old.trace
expect 2 "$perfidy" diff ./old ./new
echo "ok: diff"

# What people have: seed corpus archives, AFL++ directories, dictionaries and options.
expect 0 "$perfidy" trace ./old old_seed_corpus.zip afl -o all.trace
grep -q '4 runs' out.txt || fail "$(cat out.txt)"
expect 1 "$perfidy" triage ./old afl/main/hangs --out o-afl --quiet
printf '"("\n' >words.dict
printf '[libfuzzer]\nmax_len = 200\nonly_ascii = 1\n' >old.options
expect 0 "$perfidy" fuzz ./old afl words.dict --corpus corpus --out o-fuzz --runs 300 --time 0 --quiet
ls corpus | grep 'main_hangs_id:000000' >/dev/null || fail "the AFL++ inputs did not arrive"
expect 2 "$perfidy" fuzz ./old ordinary --corpus c2 --out o-f2 --runs 9 --time 0 --quiet -- -dict=/nonexistent
grep -q 'libFuzzer did not start' out.txt || fail "$(cat out.txt)"
expect 0 "$perfidy" fuzz ./old ordinary --corpus c3 --out o-f3 --runs 9 --time 0 --quiet -- -nonsense=1
grep -q "unrecognized flag '-nonsense=1'" out.txt || fail "$(cat out.txt)"
expect 1 "$perfidy" explain one/perfidy-triage/ladder-01.trace -o e.json
grep -q 'findings in e.json' out.txt || fail "$(cat out.txt)"
echo "ok: inputs"

# An input that would take hours is explained from what it counted before it was stopped.
"$build/bin/perfidy-clang++" -O2 -g -fsanitize=fuzzer "$programs/cost/exponential_recursion.cc" -o never
python3 -c 'print("*" * 200, end="")' >slow-never
expect 1 "$perfidy" triage ./never slow-never --out o-never --quiet
grep -q 'matches' out.txt || fail "$(cat out.txt)"
echo "ok: hours"
