#!/usr/bin/env bash
# perfidy diagnose from end to end: a fault in an instrumented program leads to its line, a growing trace is
# followed, an imported log is diagnosed, wrong use is told.
# Usage: diagnose.sh SOURCE_DIR BUILD_DIR
set -euo pipefail
source_dir=$1 bin=$2/bin
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
sample=$source_dir/test/programs/training/sample

fail() {
  echo "diagnose.sh: $1" >&2
  exit 1
}

# The exit code of a command whose output goes to `out`.
code() {
  local status=0
  "$@" >out 2>&1 || status=$?
  echo "$status"
}

"$bin/perfidy-clang++" -O1 -g "$source_dir/test/programs/training/reset.cc" -o reset
PERFIDY_TRACE=clean1 ./reset --reset 0.1
PERFIDY_TRACE=clean2 ./reset --reset 0.09
PERFIDY_TRACE=faulty ./reset --no-reset 0.1
[[ $(code "$bin/perfidy" diagnose faulty --train "$sample" --clean clean1 clean2) != 2 ]] || fail "$(cat out)"
line=$(grep -n 'void clearGradient' "$source_dir/test/programs/training/reset.cc" | cut -d: -f1)
grep -q "reset.cc:$line in .*clearGradient never runs here" out || fail "the missing call is not named: $(cat out)"
grep -q 'base\|loss\|gradient' out || fail "no evidence: $(cat out)"

[[ $(code "$bin/perfidy" diagnose --train "$sample" --save-model model) == 0 ]] || fail "$(cat out)"
# A run of a program that the model knows only by its kin, recorded while it is followed.
"$bin/perfidy-training" run spiral-tanh --fault hyper.rate-x100 --seed 5 --trace live --live >/dev/null
[[ $(code "$bin/perfidy" diagnose live --train model --watch --patience 2) != 2 ]] || fail "$(cat out)"
grep -q '^epoch 16: ' out || fail "the last epoch was not seen: $(cat out)"
grep -q 'false alarms on' out || fail "says nothing of its reliability: $(cat out)"

printf 'epoch,loss,val_loss,accuracy\n0,2.3,2.3,0.1\n1,nan,nan,0.1\n' >keras.csv
"$bin/perfidy" import keras.csv -o log.trace --program mine
[[ $(code "$bin/perfidy" diagnose log.trace --train model --json d.json --html d.html) != 2 ]] || fail "$(cat out)"
python3 -c "import json; d = json.load(open('d.json'))[0]; assert d['program'] == 'mine' and len(d['candidates']) == 6"
[[ -s d.html ]] || fail "no page"

[[ $(code "$bin/perfidy" diagnose faulty) == 2 ]] && grep -q -- --train out || fail "$(cat out)"
[[ $(code "$bin/perfidy" diagnose faulty --train model --clean clean1 clean2) == 2 ]] || fail "$(cat out)"
[[ $(code "$bin/perfidy" diagnose keras.csv --train model) == 2 ]] || fail "$(cat out)"
[[ $(code "$bin/perfidy" diagnose) == 2 ]] || fail "$(cat out)"
echo "diagnose.sh: fine"
