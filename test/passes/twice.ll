; Bitcode that was instrumented before is left as it is, function by function: what was linked to it
; without counters still gets them.
; RUN: %opt -passes=perfidy %s > %t.once.ll
; RUN: %opt -passes=perfidy,verify %t.once.ll > %t.twice.ll
; RUN: sed -e '/ModuleID/d' -e 's/ *; preds.*//' %t.once.ll > %t.a
; RUN: sed -e '/ModuleID/d' -e 's/ *; preds.*//' %t.twice.ll > %t.b
; RUN: cmp %t.a %t.b
; RUN: echo 'define void @late() { ret void }' >> %t.once.ll
; RUN: %opt -passes=perfidy,verify %t.once.ll | %FileCheck %s

$inline = comdat any

; CHECK-COUNT-3: section "perfidy_funcs"
; CHECK-NOT: section "perfidy_funcs"
; CHECK: define void @f(
; CHECK: define linkonce_odr hidden void @inline.perfidy.{{[0-9a-f]+}}(
; CHECK: define void @late() #
; CHECK-NEXT: load i64

define void @f(i8* %s) {
  %n = call i64 @strlen(i8* %s)
  call void @inline()
  ret void
}

define linkonce_odr void @inline() comdat {
  ret void
}

declare i64 @strlen(i8*)
