; The user's fuzz entry points are renamed; the runtime defines the public ones around them.
; RUN: %perfidy %s | %FileCheck %s
; RUN: sed -e 's/^define i32 @LLVMFuzzerTestOneInput.*/declare i32 @LLVMFuzzerTestOneInput(i8*, i64)/' \
; RUN:     -e '/^; BODY/,/^}/d' %s > %t.ll
; RUN: %perfidy %t.ll | %FileCheck --check-prefix=DECLARED %s

; Flags 2: the harness. Its name in the table is the one the user wrote.
; CHECK: @__perfidy.s.LLVMFuzzerTestOneInput =
; CHECK: @__perfidy.function = private global {{.*}} { i32 2, i32 2,
; CHECK-SAME: @__perfidy.s.LLVMFuzzerTestOneInput

; CHECK: define i32 @LLVMFuzzerTestOneInput.perfidy(
; CHECK: define i64 @LLVMFuzzerCustomMutator.perfidy(
; CHECK: define i32 @engine(
; CHECK: call i32 @LLVMFuzzerTestOneInput.perfidy(

; An engine's file only declares it: it must call the public name.
; DECLARED-NOT: @LLVMFuzzerTestOneInput.perfidy
; DECLARED-DAG: call i32 @LLVMFuzzerTestOneInput(
; DECLARED-DAG: declare i32 @LLVMFuzzerTestOneInput(

define i32 @LLVMFuzzerTestOneInput(i8* %data, i64 %size) {
; BODY
  ret i32 0
}

define i64 @LLVMFuzzerCustomMutator(i8* %data, i64 %size, i64 %max, i32 %seed) {
  ret i64 %size
}

define i32 @engine(i8* %data) {
  %r = call i32 @LLVMFuzzerTestOneInput(i8* %data, i64 1)
  ret i32 %r
}

; LLVMFuzzerMutate is the engine's, only declared by users.
; CHECK: declare i64 @LLVMFuzzerMutate(
declare i64 @LLVMFuzzerMutate(i8*, i64, i64)
