#!/usr/bin/env bash
# readme_commands.sh SOURCE_DIR BUILD_DIR: the commands shown in the README work as shown. The two of
# "Two commands" install and build; of them only the existence is checked (CI runs the second one).
set -euo pipefail
source=$(realpath "$1")
build=$(realpath "$2")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
for command in tools/dev/demo tools/dev/test tools/dev/check; do
  grep -q "$command" "$source/README.md" || { echo "README.md does not show $command"; exit 1; }
  [ -x "$source/$command" ] || { echo "$command cannot be run"; exit 1; }
done
ln -s "$build" build
mkdir seeds && printf a >seeds/a
cp "$source/test/programs/cost/quadratic_loop.cc" harness.cc
printf 'int librarySide;\n' >library.cc
# The block of "Your own target in five minutes", with a shorter search.
awk '/^## Your own target/ {on=1} on && /^```sh/ {block=1; next} /^```/ {if (block) exit} block' \
  "$source/README.md" | sed 's/--time 60/--time 4/' >commands.sh
[ "$(wc -l <commands.sh)" -ge 2 ] || { echo "the README's commands were not found"; exit 1; }
status=0
bash -e commands.sh >out.txt 2>&1 || status=$?
[ "$status" = 1 ] || { echo "exit code $status instead of 1 (a finding)"; cat out.txt; exit 1; }
# Everything the README says is left behind.
for name in report.html findings.json report.sarif pairs corpus artifacts ladder; do
  [ -e "perfidy-out/$name" ] || { echo "perfidy-out/$name is missing"; exit 1; }
done
# Every command of the table exists and has a help text.
for name in run fuzz trace explain report dump doctor triage pump min verify diff; do
  grep -q "perfidy $name" "$source/README.md" || { echo "README.md does not show perfidy $name"; exit 1; }
  build/bin/perfidy "$name" --help | grep "$name\|Usage" >/dev/null || { echo "perfidy $name --help fails"; exit 1; }
done
build/bin/perfidy doctor ./target
echo "the README's commands work"
