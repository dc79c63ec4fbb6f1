#!/usr/bin/env bash
# Inline functions, templates and vtables are counted whatever stands first on the link line: an
# uninstrumented object with the same ones changes nothing. Usage: link_order.sh BUILD_DIR
source "$(dirname "$0")/preamble.sh"

cat >shape.h <<'SOURCE'
#include <algorithm>
#include <memory>
#include <string>
#include <vector>
// No key function: every object that needs the vtable has a copy of it.
struct Shape {
  virtual ~Shape() = default;
  virtual int area(int n) const { int s = 0; for (int i = 0; i < n; ++i) s += i ^ side; return s; }
  int side = 3;
};
struct Square : virtual Shape {
  int area(int n) const override { return n < 2 ? side : side + area(n / 2); }
};
inline int twice(int n) { return n > 100 ? n : twice(2 * n + 1); }
struct Counted { // a static member function and a static local with a guard
  static int next() { static std::vector<int> made(3, 1); made.push_back(1); return int(made.size()); }
};
SOURCE
cat >target.cc <<'SOURCE'
#include "shape.h"
#include <cstddef>
#include <cstdint>
extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  std::vector<int> v(data, data + size);
  std::sort(v.begin(), v.end());
  std::unique_ptr<Shape> shapes[2] = {std::make_unique<Shape>(), std::make_unique<Square>()};
  int sum = twice(int(size)) + Counted::next();
  for (auto &shape : shapes)
    sum += shape->area(int(size));
  return sum == 12345;
}
SOURCE
cat >other.cc <<'SOURCE'
#include "shape.h"
int other(int n) {
  std::vector<int> v(size_t(n), 1);
  std::sort(v.begin(), v.end());
  std::unique_ptr<Shape> shapes[2] = {std::make_unique<Shape>(), std::make_unique<Square>()};
  return twice(n) + Counted::next() + shapes[n & 1]->area(n);
}
SOURCE
for i in 9 8 7 6 5 4 3 2 1 0; do printf 'the quick brown fox %d jumps over\n' $i; done >input

check() {
  local cxx=$build/bin/perfidy-clang++-$1 level
  for level in -O0 -O1 -O2; do
    succeeds "compile" "$cxx" -std=c++17 $level -c "$work/target.cc" -o target.o
    succeeds "compile" "clang++-$1" -std=c++17 $level -c "$work/other.cc" -o other.o
    rm -f ./*.trace
    succeeds "link" "$cxx" target.o other.o -o first
    succeeds "link" "$cxx" other.o target.o -o second
    succeeds "link" "$cxx" target.o -o alone
    for program in first second alone; do
      succeeds "run" env PERFIDY_TRACE=$program.trace ./$program "$work/input"
      runs_of $program.trace >$program.csv
      counts_of $program.trace >$program.counts
    done
    cmp first.csv second.csv || fail "LLVM $1 $level: cost depends on the link order"
    cmp first.counts second.counts || fail "LLVM $1 $level: counts depend on the link order"
    cmp first.counts alone.counts || fail "LLVM $1 $level: counts depend on another object"
    for name in __introsort_loop _ZNK5Shape4areaEi _ZNK6Square4areaEi _Z5twicei _ZN7Counted4nextEv; do
      grep -q "count [^ ]*$name" second.counts || fail "LLVM $1 $level: $name is not counted"
    done
    passed "LLVM $1 $level: $(wc -l <first.counts) counts, whatever the order"
  done
}
each_llvm check
