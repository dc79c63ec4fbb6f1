; The loop table: header, preheader, parent, depth. A loop entered from two places gets a preheader,
; one that has it keeps its blocks, one entered by indirectbr cannot have one.
; RUN: %perblock %s | %FileCheck %s
; RUN: %perblock %s | %FileCheck --check-prefix=TABLE %s

; with: blocks entry 0, loop 1, exit 2.
; TABLE: @[[B0:__perfidy.table[.0-9]*]] = private constant [3 x { i32, i32, i32, i32, i16
; TABLE-SAME: { i32 0, i32 0, i32 -1, {{.*}}{ i32 0, i32 0, i32 0, {{.*}}{ i32 0, i32 0, i32 -1,
; TABLE: private constant [1 x { i32, i32, i32, i32, i32, i32, i32, i32 }]
; TABLE-SAME: [{{.*}} { i32 1, i32 0, i32 -1, i32 1, i32 0, i32 0, i32 0, i32 0 }]
; without: entry 0, other 1, loop.preheader 2, loop 3, exit 4.
; TABLE: private constant [5 x { i32, i32, i32, i32, i16
; TABLE: private constant [1 x { i32, i32, i32, i32, i32, i32, i32, i32 }]
; TABLE-SAME: [{{.*}} { i32 3, i32 2, i32 -1, i32 1, i32 0, i32 0, i32 0, i32 0 }]
; nested: entry 0, outer 1, inner 2, latch 3, exit 4; the inner loop's preheader is the outer header.
; TABLE: private constant [5 x { i32, i32, i32, i32, i16
; TABLE-SAME: { i32 0, i32 0, i32 -1, {{.*}}{ i32 0, i32 0, i32 0, {{.*}}{ i32 0, i32 0, i32 1,
; TABLE-SAME: { i32 0, i32 0, i32 0, {{.*}}{ i32 0, i32 0, i32 -1,
; TABLE: private constant [2 x { i32, i32, i32, i32, i32, i32, i32, i32 }]
; TABLE-SAME: { i32 1, i32 0, i32 -1, i32 1, i32 0, i32 0, i32 0, i32 0 }
; TABLE-SAME: { i32 2, i32 1, i32 0, i32 2, i32 0, i32 0, i32 0, i32 0 }
; indirect: no preheader.
; TABLE: private constant [1 x { i32, i32, i32, i32, i32, i32, i32, i32 }]
; TABLE-SAME: [{{.*}} { i32 1, i32 -1, i32 -1, i32 1, i32 0, i32 0, i32 0, i32 0 }]

define void @with(i32 %n) {
; CHECK-LABEL: define void @with(
; CHECK-NOT: preheader
; CHECK: ret void
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %j, %loop ]
  %j = add i32 %i, 1
  %c = icmp slt i32 %j, %n
  br i1 %c, label %loop, label %exit
exit:
  ret void
}

define void @without(i32 %n, i1 %k) {
; CHECK-LABEL: define void @without(
; CHECK: br i1 %k, label %loop.preheader, label %other
; CHECK: br i1 %k, label %loop.preheader, label %exit
; CHECK: loop.preheader:
; CHECK-NEXT: %i.ph = phi
; CHECK-NEXT: load i64, {{.*}}@__perfidy.counters{{[.0-9]*}}, i64 0, i64 2)
; CHECK: br label %loop
entry:
  br i1 %k, label %loop, label %other
other:
  br i1 %k, label %loop, label %exit
loop:
  %i = phi i32 [ 0, %entry ], [ 1, %other ], [ %j, %loop ]
  %j = add i32 %i, 1
  %c = icmp slt i32 %j, %n
  br i1 %c, label %loop, label %exit
exit:
  ret void
}

define void @nested(i32 %n) {
entry:
  br label %outer
outer:
  %i = phi i32 [ 0, %entry ], [ %i2, %latch ]
  br label %inner
inner:
  %j = phi i32 [ 0, %outer ], [ %j2, %inner ]
  %j2 = add i32 %j, 1
  %c = icmp slt i32 %j2, %n
  br i1 %c, label %inner, label %latch
latch:
  %i2 = add i32 %i, 1
  %d = icmp slt i32 %i2, %n
  br i1 %d, label %outer, label %exit
exit:
  ret void
}

define void @indirect(i8* %where) {
; CHECK-LABEL: define void @indirect(
; CHECK-NOT: preheader
; CHECK: indirectbr
entry:
  indirectbr i8* %where, [label %loop, label %exit]
loop:
  indirectbr i8* %where, [label %loop, label %exit]
exit:
  ret void
}
