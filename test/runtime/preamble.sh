# shellcheck shell=bash
# Sourced by the scripts of this folder, which are called with the build directory: a work folder of
# their own, and how they report. Sets build (absolute), here (this folder).
set -euo pipefail
build=$(cd "$1" && pwd)
# shellcheck disable=SC2034 # used by the scripts
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
unset PERFIDY_TRACE
export LC_ALL=C
perfidy=$build/bin/perfidy

fail() {
  echo "FAILED: $1" >&2
  exit 1
}
passed() { echo "ok: $1"; }

# succeeds NAME COMMAND...: runs it; its output is shown only when it fails.
succeeds() {
  local name=$1 code=0
  shift
  "$@" >output.log 2>&1 || code=$?
  [[ $code == 0 ]] || fail "$name: exit code $code: $(tail -n 20 output.log)"
}

# exits NAME CODE COMMAND...: must end with this exit code; stdout and stderr are in output.log.
exits() {
  local name=$1 expected=$2 code=0
  shift 2
  # In a subshell of its own, which also keeps bash's word on signals.
  ("$@"; exit $?) >output.log 2>&1 || code=$?
  [[ $code == "$expected" ]] || fail "$name: exit code $code instead of $expected: $(cat output.log)"
}

# each_llvm FUNCTION: calls FUNCTION VERSION in a fresh folder for every LLVM a plugin was built for.
each_llvm() {
  local plugin version found=0
  for plugin in "$build"/lib/perfidy/PerfidyPass-*.so; do
    [[ -e $plugin ]] || fail "no plugin in the build directory"
    version=${plugin##*PerfidyPass-}
    version=${version%.so}
    mkdir "$work/llvm-$version"
    cd "$work/llvm-$version"
    "$1" "$version"
    found=$((found + 1))
  done
  echo "all checks passed for $found compiler(s)"
}

# What a trace says of its runs, without what names the build.
runs_of() { "$perfidy" dump --format csv "$1"; }
# The counts by function name and block, without ids, which follow link order.
counts_of() { "$perfidy" dump "$1" | grep -E '^(run|  count) ' | sort; }
