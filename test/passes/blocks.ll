; One counter per block, bumped where the block is entered; the record describes the function.
; RUN: %perblock %s | %FileCheck %s

; CHECK: @[[C:__perfidy.counters]] = private global [4 x i64] zeroinitializer, align 8
; Rows of blocks: lines, loop, instructions, memory, calls, reserved.
; CHECK: @__perfidy.table = private constant [4 x { i32, i32, i32, i32, i16, i16, i16, i16 }]
; CHECK-SAME: { i32 0, i32 0, i32 -1, i32 0, i16 2, i16 0, i16 0, i16 0 }
; CHECK-SAME: { i32 0, i32 0, i32 -1, i32 1, i16 2, i16 1, i16 0, i16 0 }
; CHECK-SAME: { i32 0, i32 0, i32 -1, i32 2, i16 11, i16 0, i16 0, i16 0 }
; A block of a PHI and a return.
; CHECK-SAME: { i32 0, i32 0, i32 -1, i32 3, i16 1, i16 0, i16 0, i16 0 }
; It stores to memory that is not its own: flag 1; one counter for each block: flag 8. Four blocks,
; no loop, call or work; four counters, four values.
; CHECK: @__perfidy.function = private global {{.*}} { i32 2, i32 9,
; CHECK-SAME: i32 4, i32 0, i32 0, i32 0, i32 4, i32 4, i32 0, i32 0, i32 0, i32 0 }, section "perfidy_funcs", align 8
; CHECK: @llvm.used = {{.*}}@__perfidy.function

define i32 @f(i32 %n, i32* %p) {
; CHECK-LABEL: define i32 @f(
; CHECK-NEXT: entry:
; CHECK-NEXT: [[V:%.*]] = load i64, {{.*}}@[[C]]{{.*}}, !nosanitize
; CHECK-NEXT: [[W:%.*]] = add i64 [[V]], 1
; CHECK-NEXT: store i64 [[W]], {{.*}}@[[C]]{{.*}}, !nosanitize
; CHECK-NEXT: %c = icmp
entry:
  %c = icmp sgt i32 %n, 0
  br i1 %c, label %left, label %right

left:
; CHECK: left:
; CHECK-NEXT: load i64, {{.*}}@[[C]], i64 0, i64 1){{.*}}, !nosanitize
; CHECK-NEXT: add i64 {{%.*}}, 1
; CHECK-NEXT: store i64 {{.*}}@[[C]], i64 0, i64 1){{.*}}, !nosanitize
; CHECK-NEXT: store i32 1
  store i32 1, i32* %p
  br label %join

right:
; CHECK: right:
; CHECK-NEXT: load i64, {{.*}}@[[C]], i64 0, i64 2)
  %q = sdiv i32 %n, 3
  br label %join

join:
; PHIs stay first.
; CHECK: join:
; CHECK-NEXT: %r = phi
; CHECK-NEXT: load i64, {{.*}}@[[C]], i64 0, i64 3)
; CHECK-NEXT: add i64
; CHECK-NEXT: store i64
; CHECK-NEXT: ret i32 %r
  %r = phi i32 [ 1, %left ], [ %q, %right ]
  ret i32 %r
}

; Static allocas stay at the head of the entry block.
define void @locals() {
; CHECK-LABEL: define void @locals(
; CHECK-NEXT: entry:
; CHECK-NEXT: %a = alloca i32
; CHECK-NEXT: %b = alloca i32
; CHECK-NEXT: load i64, {{.*}}@__perfidy.counters
entry:
  %a = alloca i32
  %b = alloca i32
  store i32 1, i32* %a
  ret void
}
