#!/usr/bin/env bash
# layering.sh finds what it is there to find: each planted include must be named.
# Usage: layering_catches.sh SOURCE_DIR
set -euo pipefail

source=$(cd "$1" && pwd)
check=$source/test/pipeline/layering.sh
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

copy() {
  rm -rf "$work/tree"
  mkdir "$work/tree"
  cp -r "$source"/{passes,runtime,fuzzer,explainer,tools} "$work/tree"
  mkdir "$work/tree/test"
}

# plant FILE INCLUDE: adds the line to a file that is or is not there; the check must name it.
plant() {
  local file=$1 line="#include $2"
  copy
  echo "$line" >>"$work/tree/$file"
  if "$check" "$work/tree" >"$work/out" 2>&1; then
    echo "FAILED: $file may include $2" >&2
    exit 1
  fi
  if ! grep -q "^$file:[0-9]*: " "$work/out"; then
    echo "FAILED: $file with $2 gives:" >&2
    cat "$work/out" >&2
    exit 1
  fi
  echo "ok: $file may not include $2"
}

copy
"$check" "$work/tree" >"$work/out" 2>&1 || { cat "$work/out" >&2; exit 1; }
plant passes/plugin.cc '"runtime/session.h"'
plant passes/plugin.cc '"fuzzer/pattern.h"'
plant runtime/session.c '"fuzzer/search.h"'
plant runtime/trace.cc '"explainer/table.h"'
plant runtime/entry.c '"fuzzer/pattern.h"'
plant fuzzer/pattern.cc '"explainer/table.h"'
plant explainer/table.cc '"fuzzer/pattern.h"'
plant explainer/table.cc '"runtime/trace_labels.h"'
plant explainer/table.cc '"tools/escape.h"'
plant tools/escape.cc '"passes/table.h"'
plant tools/escape.h '<llvm/IR/Module.h>'
plant test/planted.cc '<llvm/IR/Module.h>'
plant runtime/trace.cc '<Eigen/Dense>'
plant runtime/trace_writer.c '<vector>'
plant fuzzer/search.cc '<algorithm>'
plant fuzzer/random.h '<cstring>'
echo "every planted include was found"
