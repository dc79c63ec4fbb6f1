#!/usr/bin/env bash
# Named parameters: a harness draws them as it likes (FuzzedDataProvider here), and an input that ends
# with a parameter vector says their values, with and without an engine; what was declared is in the
# trace. Usage: parameters.sh BUILD_DIR
source "$(dirname "$0")/preamble.sh"

cat >harness.cc <<'SOURCE'
#include <fuzzer/FuzzedDataProvider.h>
#include <perfidy.h>
#include <stdio.h>
extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t length) {
  static const char *const kKernels[] = {"linear", "poly", "rbf"};
  FuzzedDataProvider draw(data, length);
  uint64_t n = perfidy_scale("samples", 100, 16, 4096);
  uint64_t f = perfidy_scale("features", 8, 2, 64);
  uint32_t kernel = perfidy_param_enum("kernel", draw.ConsumeIntegral<uint8_t>(), kKernels, 3);
  int64_t depth = perfidy_param_integer("depth", draw.ConsumeIntegralInRange<int>(0, 9), -3, 9);
  double C = perfidy_param_log("C", 1.5, 0, 1e6);
  double share = perfidy_param_real("share", 0.25, 0, 1);
  perfidy_tag("outcome", depth < 0 ? "invalid parameters" : "done");
  fprintf(stderr, "DREW %zu %d %d %s %d %g %g\n", length, (int)n, (int)f, kKernels[kernel], (int)depth, C, share);
  volatile int sum = 0;
  for (uint64_t i = 0; i < n * (kernel + 1); ++i) sum += (int)i;
  return 0;
}
SOURCE

# drew WANTED COMMAND...: the line that the harness printed.
drew() {
  local wanted=$1
  shift
  succeeds "run" "$@"
  [[ $(grep -a DREW output.log) == "DREW $wanted" ]] || fail "$*: $(grep -a DREW output.log) instead of $wanted"
}

check() {
  local cc=$build/bin/perfidy-clang++-$1 program
  succeeds "build" "$cc" -O2 -g "$work/harness.cc" -o replay
  succeeds "build" "$cc" -O2 -g -fsanitize=fuzzer "$work/harness.cc" -o fuzz
  succeeds "build" "clang++-$1" -O2 -fsanitize=fuzzer -idirafter "$build/include" "$work/harness.cc" -o alone
  printf 'ab' >plain
  printf 'ab\n#perfidy\nkernel=rbf\ndepth=-2\nC=0\nsamples=640\nshare=7\n' >vector
  printf '#perfidy\nC=1e-07\nunknown=3\nkernel=none\nshare=nan\nperfidy.size=features\nfeatures=31\n' >bare
  printf 'ab\n#perfidy\nkernel rbf\n' >broken
  for program in ./replay ./fuzz; do
    drew "2 100 8 rbf 7 1.5 0.25" $program plain
    drew "2 640 8 rbf -2 0 1" $program vector
    drew "0 100 31 linear 0 1e-07 0.25" $program bare
    drew "23 100 8 poly 2 1.5 0.25" $program broken
    drew "2 640 17 rbf -2 0 1" $program --perfidy_scale=features=17 vector
    drew "2 4096 8 rbf -2 0 1" $program --perfidy_scale=5000 vector
    rm -f trace
    succeeds "trace" env PERFIDY_TRACE=trace $program plain vector bare
    "$perfidy" dump trace >dump.txt
    [[ $(grep '^run' dump.txt | cut -d' ' -f5-8 | tr '\n' ';') == \
      "bytes $(stat -c %s plain) size 100;bytes $(stat -c %s vector) size 640;bytes $(stat -c %s bare) size 31;" ]] || fail "runs: $(grep '^run' dump.txt)"
    for line in 'parameter C 1e-07' 'parameter kernel 2' 'tag outcome invalid parameters' 'tag scale features' \
      'tag parameter kernel enum linear|poly|rbf' 'tag parameter C log 0 1e+06' \
      'tag parameter samples scale 16 4096' 'tag parameter depth integer -3 9'; do
      grep -qF "  $line" dump.txt || fail "LLVM $1: no '$line' in the trace"
    done
    [[ $(grep -c 'tag parameter C' dump.txt) == 1 ]] || fail "declared more than once"
  done
  # The same input, the same counts, whatever ran before.
  rm -f trace
  succeeds "trace" env PERFIDY_TRACE=trace ./fuzz vector bare vector
  "$perfidy" dump trace --format csv | awk -F, 'NR==2{a=$6} NR==4{exit $6!=a}' || fail "the file does not reproduce the run"
  "$perfidy" trace ./fuzz vector --scale samples=77 -o scaled 2>/dev/null
  "$perfidy" dump scaled | grep '^run 0 .* size 77 ' >grep.log || fail "--scale has no effect"
  # Without the runtime everything is as drawn from the bytes.
  drew "2 100 8 rbf 7 1.5 0.25" ./alone plain
  passed "LLVM $1: vectors choose, and are recorded"
}
each_llvm check
