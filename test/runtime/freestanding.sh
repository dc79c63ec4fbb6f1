#!/usr/bin/env bash
# The core of the runtime needs no libc: its object refers to nothing but images.h. Usage: freestanding.sh BUILD_DIR
source "$(dirname "$0")/preamble.sh"

ar x "$build/lib/perfidy/libperfidy_rt.a" counters.c.o
undefined=$(nm -u counters.c.o | awk '{print $2}' | sort | tr '\n' ' ')
# The name of the GOT is no symbol of a library.
undefined=${undefined/_GLOBAL_OFFSET_TABLE_ /}
[[ $undefined == "perfidy_image_refresh perfidy_images " ]] ||
  fail "undefined symbols of counters.c: $undefined"
passed "counters.c needs no libc"

# Nothing in the archive needs the C++ library or a sanitizer's or profiler's runtime, and it brings
# no template of the standard library that could be merged with the user's.
nm -u "$build/lib/perfidy/libperfidy_rt.a" >all.txt
! grep -E ' (_ZS|_ZNS|_ZNKS|_Zn|_Zd|__cxa|__asan|__ubsan|__llvm|__gcov|__gxx)' all.txt ||
  fail "the archive needs more than libc"
nm --defined-only "$build/lib/perfidy/libperfidy_rt.a" >defined.txt
! grep -E ' [Wu] _ZN?K?S' defined.txt || fail "the archive instantiates templates of the library"
passed "the archive needs nothing but libc"
