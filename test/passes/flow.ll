; Fewer counters than blocks: the others are sums (runtime/abi.h). Flags 4: control may leave blocks in
; the middle; 8: one counter per block, for functions entered in the middle.
; RUN: %perfidy %s | %FileCheck %s

; A diamond: its sides have counters, entry and join are their sum, value 2.
; CHECK: @__perfidy.counters = private global [2 x i64]
; CHECK: private constant [4 x { i32, i32, i32, i32, i16, i16, i16, i16 }]
; CHECK-SAME: i32 -1, i32 2, i16 2,{{.*}} i32 -1, i32 {{0|1}}, i16 1,{{.*}} i32 -1, i32 {{0|1}}, i16 1,{{.*}} i32 -1, i32 2, i16 1
; The sum is coded as: value 0, value 1 with the bit of the last term.
; CHECK: @__perfidy.table{{.*}} = private constant [2 x i32] [i32 {{0|1}}, i32 107374182{{4|5}}]
; CHECK: @__perfidy.function = private global {{.*}} { i32 2, i32 0,
; CHECK-SAME: i32 4, i32 0, i32 0, i32 0, i32 2, i32 3, i32 0, i32 0, i32 0, i32 0 }, section
define void @diamond(i32 %n) {
  %c = icmp sgt i32 %n, 0
  br i1 %c, label %left, label %right
left:
  br label %join
right:
  br label %join
join:
  ret void
}

; The call may end by longjmp or exit: the block behind it needs a counter of its own.
; CHECK: @__perfidy.function{{.*}} = private global {{.*}} { i32 2, i32 4,
; CHECK-SAME: i32 2, i32 0, i32 1, i32 0, i32 2, i32 2, i32 0, i32 0, i32 0, i32 0 }, section
define void @left_in_the_middle(i1 %c) {
  call void @unknown()
  br label %behind
behind:
  ret void
}

; The callee is known to return: flow balances.
; CHECK: @__perfidy.function{{.*}} = private global {{.*}} { i32 2, i32 0,
; CHECK-SAME: i32 2, i32 0, i32 1, i32 0, i32 1, i32 1, i32 0, i32 0, i32 0, i32 0 }, section
define void @always_returned_to(i1 %c) {
  call void @diamond(i32 1)
  br label %behind
behind:
  ret void
}

; CHECK: @__perfidy.function{{.*}} = private global {{.*}} { i32 2, i32 8,
; CHECK-SAME: i32 3, i32 0, i32 1, i32 0, i32 3, i32 3, i32 0, i32 0, i32 0, i32 0 }, section
define void @entered_twice(i8* %b) {
  %r = call i32 @setjmp(i8* %b) returns_twice
  %c = icmp eq i32 %r, 0
  br i1 %c, label %first, label %second
first:
  br label %second
second:
  ret void
}

; Edges of an indirect jump cannot have counters: their targets do.
; CHECK: @__perfidy.function{{.*}} = private global
; CHECK-SAME: i32 3, i32 0, i32 0, i32 0, i32 {{2|3}}, i32 3, i32 0, i32 0, i32 0, i32 0 }, section
define void @jumps(i8* %t) {
  indirectbr i8* %t, [label %one, label %two]
one:
  ret void
two:
  ret void
}

; One counter in the loop, one outside.
; CHECK-LABEL: define void @loop(
; CHECK: entry:
; CHECK-NEXT: br label %head
define void @loop(i32 %n) {
entry:
  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %j, %head ]
  %j = add i32 %i, 1
  %c = icmp slt i32 %j, %n
  br i1 %c, label %head, label %exit
exit:
; CHECK: exit:
; CHECK-NEXT: load i64
  ret void
}

declare void @unknown()
declare i32 @setjmp(i8*)
