; Loops that read what a pointer in memory leads to have PERFIDY_FN_FOLLOWS (16); those that read the
; bytes that an argument points to have not.
; RUN: %perfidy %s | %FileCheck %s

; CHECK: @__perfidy.function = {{.*}} { i32 2, i32 0, {{.*}}@__perfidy.s.scanner
define i64 @scanner(i8* %text) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %at = getelementptr i8, i8* %text, i64 %i
  %c = load i8, i8* %at
  %next = add i64 %i, 1
  %end = icmp eq i8 %c, 0
  br i1 %end, label %done, label %loop
done:
  ret i64 %i
}

; A list: the pointer to the next node is loaded.
; CHECK: @__perfidy.function{{.*}} = {{.*}} { i32 2, i32 16, {{.*}}@__perfidy.s.list
%node = type { %node*, i64 }
define i64 @list(%node* %first) {
entry:
  br label %loop
loop:
  %at = phi %node* [ %first, %entry ], [ %next, %loop ]
  %link = getelementptr %node, %node* %at, i64 0, i32 0
  %next = load %node*, %node** %link
  %end = icmp eq %node* %next, null
  br i1 %end, label %done, label %loop
done:
  ret i64 0
}

; The buffer of an object, loaded once before the loop.
; CHECK: @__perfidy.function{{.*}} = {{.*}} { i32 2, i32 16, {{.*}}@__perfidy.s.buffer
define i64 @buffer({ i64, i8* }* %object) {
entry:
  %slot = getelementptr { i64, i8* }, { i64, i8* }* %object, i64 0, i32 1
  %text = load i8*, i8** %slot
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %at = getelementptr i8, i8* %text, i64 %i
  %c = load i8, i8* %at
  %next = add i64 %i, 1
  %end = icmp eq i8 %c, 0
  br i1 %end, label %done, label %loop
done:
  ret i64 %i
}

; Without a loop nothing is walked.
; CHECK: @__perfidy.function{{.*}} = {{.*}} { i32 2, i32 0, {{.*}}@__perfidy.s.once
define i8 @once(i8** %slot) {
  %text = load i8*, i8** %slot
  %c = load i8, i8* %text
  ret i8 %c
}
