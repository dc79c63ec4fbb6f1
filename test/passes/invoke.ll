; Counters around exceptions: after the landing pad, and in both successors of an invoke.
; RUN: %perblock %s | %FileCheck %s

; CHECK: @__perfidy.counters = private global [3 x i64]
; The invoke is a direct call site in block 0.
; CHECK: @__perfidy.s.may_throw =
; CHECK: private constant [1 x { {{(ptr|i8\*)}}, i32, i32, i32, i32, i32, i32 }]
; CHECK-SAME: @__perfidy.s.may_throw{{.*}}, i32 0, i32 0, i32 0, i32 0, i32 -1, i32 0 }

define i32 @f() personality i8* bitcast (i32 (...)* @__gxx_personality_v0 to i8*) {
; CHECK-LABEL: define i32 @f(
; CHECK: entry:
; CHECK: invoke void @may_throw()
; CHECK: normal:
; CHECK-NEXT: load i64, {{.*}}i64 0, i64 1)
; CHECK: pad:
; CHECK-NEXT: landingpad
; CHECK-NEXT: cleanup
; CHECK-NEXT: load i64, {{.*}}i64 0, i64 2)
; CHECK: resume
entry:
  invoke void @may_throw() to label %normal unwind label %pad
normal:
  ret i32 0
pad:
  %p = landingpad { i8*, i32 } cleanup
  resume { i8*, i32 } %p
}

; The work of a library call whose result is needed cannot be computed behind an invoke: it is an
; ordinary call site then. One that needs only arguments is counted before the invoke.
define i64 @g(i8* %s, i8* %d) personality i8* bitcast (i32 (...)* @__gxx_personality_v0 to i8*) {
; CHECK-LABEL: define i64 @g(
; CHECK-NOT: call i64 @__perfidy.scan
; CHECK: invoke i64 @strlen
; CHECK: second:
; CHECK: call i64 @__perfidy.scan
; CHECK: invoke {{(ptr|i8\*)}} @strcpy
entry:
  %n = invoke i64 @strlen(i8* %s) to label %second unwind label %pad
second:
  %r = invoke i8* @strcpy(i8* %d, i8* %s) to label %normal unwind label %pad
normal:
  ret i64 %n
pad:
  %p = landingpad { i8*, i32 } cleanup
  resume { i8*, i32 } %p
}

declare void @may_throw()
declare i64 @strlen(i8*)
declare i8* @strcpy(i8*, i8*)
declare i32 @__gxx_personality_v0(...)
