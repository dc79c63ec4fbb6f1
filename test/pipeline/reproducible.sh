#!/usr/bin/env bash
# reproducible.sh BUILD_DIR: the same seed and number of runs give the same corpus and, byte for byte,
# the same findings and reports, also for a target whose runs keep passing the cost budget.
set -euo pipefail
build=$(realpath "$1")
programs=$(realpath "$(dirname "$0")/../programs/cost")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
mkdir seeds && printf a >seeds/a
for program in hanging quadratic_loop exponential_recursion; do
  "$build/bin/perfidy-clang++" -O2 -g -fsanitize=fuzzer "$programs/$program.cc" -o target
  for time in first second; do
    mkdir "$time"
    # The output directory has the same name both times: labels hold the paths of inputs.
    (cd "$time" && "$build/bin/perfidy" run ../target ../seeds --runs 10000 --time 0 --seed 7 --quiet >text.txt) || true
  done
  for file in findings.json report.html report.sarif; do
    cmp "first/perfidy-out/$file" "second/perfidy-out/$file"
  done
  cmp first/text.txt second/text.txt
  diff -r first/perfidy-out/corpus second/perfidy-out/corpus
  "$build/bin/perfidy-clang++" -O2 -g -fsanitize=fuzzer "$programs/$program.cc" -o target
  # The parts of `run` agree with it.
  "$build/bin/perfidy" explain first/perfidy-out/ladder.trace -o again.json --target target || true
  python3 - <<'X'
import json
whole, part = json.load(open("first/perfidy-out/findings.json")), json.load(open("again.json"))
assert [f["id"] for f in whole["findings"]] == [f["id"] for f in part["findings"]], "ids differ"
assert whole["findings"], "nothing was found"
X
  rm -rf first second
  echo "ok: $program"
done
