; Work of library calls in bytes: listed as Library (kind 2) with a counter behind the block counters.
; RUN: %perfidy %s | %FileCheck %s

; CHECK: @[[LEN:__perfidy.counters[.0-9]*]] = private global [2 x i64]
; CHECK: @__perfidy.s.strlen =
; CHECK: private constant [1 x { {{(ptr|i8\*)}}, i32, i32, i32, i32, i32, i32 }]
; CHECK-SAME: @__perfidy.s.strlen{{.*}}, i32 0, i32 0, i32 0, i32 2, i32 0, i32 0 }

; The terminator counts: r + 1.
define i64 @length(i8* %s) {
; CHECK-LABEL: define i64 @length(
; CHECK: %n = call i64 @strlen(
; CHECK-NEXT: [[W:%.*]] = add i64 %n, 1
; CHECK-NEXT: [[V:%.*]] = load i64, {{.*}}@[[LEN]], i64 0, i64 1)
; CHECK-NEXT: [[S:%.*]] = add i64 [[V]], [[W]]
; CHECK-NEXT: store i64 [[S]], {{.*}}@[[LEN]], i64 0, i64 1)
  %n = call i64 @strlen(i8* %s)
  ret i64 %n
}

; Intrinsics have the name of the function they stand for; the size is known before the call.
define void @copy(i8* %d, i8* %s, i32 %n) {
; CHECK-LABEL: define void @copy(
; CHECK: [[N:%.*]] = zext i32 %n to i64
; CHECK-NEXT: load i64
; CHECK-NEXT: add i64 {{%.*}}, [[N]]
; CHECK-NEXT: store i64
; CHECK-NEXT: call void @llvm.memcpy
  call void @llvm.memcpy.p0i8.p0i8.i32(i8* %d, i8* %s, i32 %n, i1 false)
  ret void
}

; memcmp stops at the first difference, not at its size; where there is none, its size is known.
define i32 @compare(i8* %a, i8* %b, i64 %n) {
; CHECK-LABEL: define i32 @compare(
; CHECK: [[R:%.*]] = call i32 @memcmp(
; CHECK-NEXT: [[SAME:%.*]] = icmp eq i32 [[R]], 0
; CHECK-NEXT: [[L:%.*]] = select i1 [[SAME]], i64 0, i64 %n
; CHECK-NEXT: [[M:%.*]] = call i64 @__perfidy.scan({{(ptr|i8\*)}} %a, {{(ptr|i8\*)}} %b, i64 [[L]], i1 false)
; CHECK-NEXT: [[P:%.*]] = add i64 [[M]], 1
; CHECK-NEXT: select i1 [[SAME]], i64 %n, i64 [[P]]
  %r = call i32 @memcmp(i8* %a, i8* %b, i64 %n)
  ret i32 %r
}

; strchr: the distance to the hit; only a miss makes us scan (limit 0 otherwise): what lies behind a
; hit need not be terminated.
define i8* @find(i8* %s, i32 %c) {
; CHECK-LABEL: define {{(ptr|i8\*)}} @find(
; CHECK: %p = call {{(ptr|i8\*)}} @strchr(
; CHECK: [[MISS:%.*]] = icmp eq i64 {{%.*}}, 0
; CHECK-NEXT: [[LIMIT:%.*]] = select i1 [[MISS]], i64 -1, i64 0
; CHECK-NEXT: [[ALL:%.*]] = call i64 @__perfidy.scan({{(ptr|i8\*)}} %s, {{(ptr|i8\*)}} %s, i64 [[LIMIT]], i1 true)
; CHECK: select i1 {{%.*}}, i64 [[ALL]], i64
  %p = call i8* @strchr(i8* %s, i32 %c)
  ret i8* %p
}

; A small constant size is part of the block's weight: nothing is counted.
define i32 @keyword(i8* %a, i8* %b) {
; CHECK-LABEL: define i32 @keyword(
; CHECK-NOT: scan
; CHECK: ret i32
  %r = call i32 @strncmp(i8* %a, i8* %b, i64 4)
  ret i32 %r
}

; A must-tail call is followed by its return: listed, counter stays zero, no use of the result.
define i64 @tail(i8* %s) {
; CHECK-LABEL: define i64 @tail(
; CHECK: musttail call i64 @strlen(
; CHECK-NEXT: ret i64
  %n = musttail call i64 @strlen(i8* %s)
  ret i64 %n
}

; A user's own function of a library name is instrumented itself and has no library work.
define i64 @own(i8* %s) {
; CHECK-LABEL: define i64 @own(
; CHECK: %n = call i64 @strspn(
; CHECK-NEXT: ret i64 %n
  %n = call i64 @strspn(i8* %s, i8* %s)
  ret i64 %n
}
define i64 @strspn(i8* %s, i8* %t) {
  ret i64 0
}

; A library name with another signature is an ordinary call.
define void @odd(i8* %s) {
; CHECK-LABEL: define void @odd(
; CHECK: call void @strdup()
; CHECK-NEXT: ret void
  call void @strdup()
  ret void
}

; Our helper is neither instrumented nor visible.
; CHECK: define internal i64 @__perfidy.scan(
; CHECK-NOT: @__perfidy.counters
; CHECK: ret i64

declare i64 @strlen(i8*)
declare i32 @memcmp(i8*, i8*, i64)
declare i32 @strncmp(i8*, i8*, i64)
declare i8* @strchr(i8*, i32)
declare void @strdup()
declare void @llvm.memcpy.p0i8.p0i8.i32(i8*, i8*, i32, i1)
