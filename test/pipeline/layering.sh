#!/usr/bin/env bash
# Who may include whom: reads the include lines of every source file against the table of the design.
# Names each line that breaks it. Usage: layering.sh SOURCE_DIR
set -euo pipefail
export LC_ALL=C
cd "$1"

found=0
report() {
  echo "$1" >&2
  found=$((found + 1))
}

# includes FILES...: "file:line:<header>" or "file:line:"header"" of every include line.
includes() {
  [[ $# -eq 0 ]] || grep -nHE '^[[:space:]]*#[[:space:]]*include' "$@" |
    sed -E 's/^([^:]*:[0-9]+:)[[:space:]]*#[[:space:]]*include[[:space:]]*/\1/; s/([>"])[^>"]*$/\1/' || true
}

sources() {
  find "$@" -type f \( -name '*.c' -o -name '*.cc' -o -name '*.h' -o -name '*.h.in' \) | sort
}

# only FOLDER PATTERN: quoted includes of the folder must match the pattern, a path from the root.
only() {
  local folder=$1 pattern=$2 place header files
  mapfile -t files < <(sources "$folder")
  [[ ${#files[@]} -gt 0 ]] || report "$folder: no sources; is $PWD the source directory?"
  while IFS= read -r line; do
    place=${line%%:[<\"]*} header=${line#*:*:}
    [[ $header == \"* ]] || continue
    header=${header//\"/}
    [[ "$place" =~ ^runtime/entry\.c: && $header == fuzzer/search.h ]] && continue
    # The two headers for harnesses are installed side by side.
    [[ "$place" =~ ^runtime/perfidy_data\.h: && $header == perfidy.h ]] && continue
    [[ $header =~ $pattern ]] || report "$place: $folder/ may not include $header"
    [[ $header == llvm/* || -f $header ]] || report "$place: $header is not a path from the root"
  done < <(includes "${files[@]}")
}

# never PATTERN WHY FOLDERS...: no include of these folders matches.
never() {
  local pattern=$1 why=$2 files line
  shift 2
  mapfile -t files < <(sources "$@")
  while IFS= read -r line; do
    [[ ${line#*:*:} =~ $pattern ]] && report "${line%%:[<\"]*}: $why: ${line#*:*:}"
  done < <(includes "${files[@]}")
  return 0
}

# Sources of the archive that is linked into programs under test.
in_target_sources() {
  local list
  list=$(tr '\n' ' ' <fuzzer/CMakeLists.txt | sed -nE 's/.*add_library\(perfidy_search OBJECT ([^)]*)\).*/\1/p')
  [[ -n $list ]] || report "fuzzer/CMakeLists.txt: the sources of perfidy_search are not found"
  printf 'fuzzer/%s\n' $list
  find runtime -name '*.c' | sort
}

# Every file the in-target sources are made of, headers of ours included.
in_target_files() {
  local -A seen=()
  local queue file header
  mapfile -t queue < <(in_target_sources)
  while [[ ${#queue[@]} -gt 0 ]]; do
    file=${queue[0]}
    queue=("${queue[@]:1}")
    [[ -z ${seen[$file]:-} ]] || continue
    seen[$file]=1
    echo "$file"
    while IFS= read -r header; do
      [[ -f $header ]] && queue+=("$header")
    done < <(includes "$file" | sed -nE 's/.*:"([^"]*)"$/\1/p')
  done
}

# Standard C++ headers have no extension: <vector>, and <cstring> as well.
no_cxx_headers() {
  local files line
  mapfile -t files < <(in_target_files)
  while IFS= read -r line; do
    [[ ${line#*:*:} =~ ^\<[a-z_0-9]+\>$ ]] &&
      report "${line%%:[<\"]*}: linked into targets, may not include the C++ header ${line#*:*:}"
  done < <(includes "${files[@]}")
  return 0
}

only passes '^(passes/|llvm/|runtime/abi\.h$)'
only runtime '^runtime/'
only fuzzer '^(fuzzer|runtime)/'
only explainer '^(explainer/|runtime/trace\.h$)'
only tools '^(tools|explainer|fuzzer|runtime)/'
never '^[<"](llvm|clang)(-c)?/' 'LLVM belongs to passes/' runtime fuzzer explainer tools test
never '^[<"]([Ee]igen|Eigen3/|unsupported/Eigen)' 'Eigen belongs to explainer/' passes runtime fuzzer
no_cxx_headers
[[ $found == 0 ]] || { echo "$found includes break the layering" >&2; exit 1; }
echo "layering holds in $(sources passes runtime fuzzer explainer tools | wc -l) files"
