#!/usr/bin/env bash
# The search's features reach libFuzzer: the section exists in a linked target (an array that is only
# written would be deleted by an optimiser) and the engine reports it. Usage: extra_counters.sh BUILD_DIR
source "$(dirname "$0")/preamble.sh"

check() {
  local flags
  for flags in "-O1" "-O2 -flto -fuse-ld=lld" "-O2 -ffunction-sections -Wl,--gc-sections"; do
    if [[ $flags == *lld* ]] && ! command -v "ld.lld-$1" >/dev/null; then
      continue
    fi
    # shellcheck disable=SC2086 # several flags
    succeeds "build $flags" "$build/bin/perfidy-clang++-$1" $flags -fsanitize=fuzzer \
      "$here/mixed_target.cc" -o target
    [[ $(readelf -SW target) == *" __libfuzzer_extra_counters "* ]] ||
      fail "LLVM $1 $flags: no section __libfuzzer_extra_counters"
    succeeds "run $flags" ./target -runs=50 -seed=1
    grep -q 'INFO: 32768 Extra Counters' output.log || fail "LLVM $1 $flags: $(grep INFO output.log)"
    passed "LLVM $1 $flags: libFuzzer sees the extra counters"
  done
}
each_llvm check
