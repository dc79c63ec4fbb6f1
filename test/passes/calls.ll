; Kinds of call sites: direct 0, indirect 1 (no name), library 2, passed 3. And the flags: a function
; that stores to memory other than its locals has PERFIDY_FN_WRITES (1).
; RUN: %perfidy %s | %FileCheck %s

; caller: the call of qsort-like @apply is direct, @callback is passed to it in the same block.
; CHECK: private constant [3 x { {{(ptr|i8\*)}}, i32, i32, i32, i32, i32, i32 }]
; CHECK-SAME: @__perfidy.s.apply{{.*}}, i32 0, i32 0, i32 0, i32 0, i32 -1, i32 0 }
; CHECK-SAME: @__perfidy.s.callback{{.*}}, i32 0, i32 0, i32 0, i32 3, i32 -1, i32 0 }
; CHECK-SAME: { {{(ptr|i8\*)}} null, i32 0, i32 0, i32 0, i32 1, i32 -1, i32 0 }
; CHECK: @__perfidy.function = {{.*}} { i32 2, i32 0,
define void @caller(void ()* %unknown) {
  call void @apply(void ()* @callback)
  call void %unknown()
  ret void
}

; CHECK: @__perfidy.function{{.*}} = {{.*}} { i32 2, i32 1, {{.*}}@__perfidy.s.callback
@global = global i32 0
define void @callback() {
  store i32 1, i32* @global
  ret void
}

; Locals and the return slot are its own.
; CHECK: @__perfidy.function{{.*}} = {{.*}} { i32 2, i32 0, {{.*}}@__perfidy.s.own_memory
define void @own_memory(i32* sret(i32) %result) {
  %local = alloca i32
  store i32 1, i32* %local
  store i32 1, i32* %result
  ret void
}

; CHECK: @__perfidy.function{{.*}} = {{.*}} { i32 2, i32 1, {{.*}}@__perfidy.s.argument
define void @argument(i32* %p) {
  store i32 1, i32* %p
  ret void
}

; CHECK: @__perfidy.function{{.*}} = {{.*}} { i32 2, i32 1, {{.*}}@__perfidy.s.atomic
define void @atomic(i32* %p) {
  %old = atomicrmw add i32* %p, i32 1 seq_cst
  ret void
}

declare void @apply(void ()*)
