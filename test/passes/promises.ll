; A function that the user declared const or pure writes counters now. The promise must go, on calls
; and declarations too (the definition may be instrumented elsewhere), or the optimiser would merge,
; hoist or drop calls. Intrinsics keep theirs.
; RUN: %perfidy %s | %FileCheck %s
; RUN: %opt -passes='perfidy,default<O2>' %s | %FileCheck --check-prefix=KEPT %s

; CHECK: define i32 @pure(i32 %n) #[[PURE:[0-9]+]]
define i32 @pure(i32 %n) noinline nounwind willreturn readnone {
  ret i32 %n
}

; Both calls of each survive although their results are unused or equal.
; KEPT-LABEL: define {{.*}}i32 @caller(
; KEPT-COUNT-2: call i32 @pure(
; KEPT-COUNT-2: call i32 @elsewhere(
; KEPT: ret i32
; CHECK-LABEL: define i32 @caller(
; CHECK: call i32 @elsewhere(i32 %n) #[[CALL:[0-9]+]]
define i32 @caller(i32 %n) {
  %a = call i32 @pure(i32 %n)
  %b = call i32 @pure(i32 %n)
  %c = call i32 @elsewhere(i32 %n) nounwind willreturn readonly
  %d = call i32 @elsewhere(i32 %n) nounwind willreturn readonly
  %m = call i32 @llvm.ctpop.i32(i32 %n)
  %s = add i32 %a, %m
  ret i32 %s
}

; CHECK: declare i32 @elsewhere(i32) #[[ELSE:[0-9]+]]
declare i32 @elsewhere(i32) nounwind willreturn readonly
; CHECK: declare i32 @llvm.ctpop.i32(i32) #[[INTRINSIC:[0-9]+]]
declare i32 @llvm.ctpop.i32(i32)

; CHECK-DAG: attributes #[[PURE]] = { noinline nounwind willreturn "perfidy-counted" }
; CHECK-DAG: attributes #[[ELSE]] = { nounwind willreturn }
; CHECK-DAG: attributes #[[INTRINSIC]] = { {{.*}}{{readnone|memory\(none\)}}
