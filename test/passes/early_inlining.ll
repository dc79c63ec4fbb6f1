; In the stable place: a small function of the user is inlined if it has neither loops nor calls; callers
; and loops stay what reports can name. Functions of the C++ library may call and still be inlined.
; RUN: %opt -passes='default<O1>' %s | %FileCheck %s

; The calls of user() when it is counted: plain() is gone, the vector's begin() is the call in it.
; CHECK: private constant [3 x { {{[^}]*}} }] [{{.*}}@__perfidy.s.asks,{{.*}}@__perfidy.s.work,{{.*}}@__perfidy.s.loop,
; CHECK-NEXT: @__perfidy.s.user =

declare void @work(i32)

define i32 @plain(i32 %n) {
  %r = mul i32 %n, 3
  ret i32 %r
}

define void @asks(i32 %n) {
  call void @work(i32 %n)
  ret void
}

define void @_ZNSt6vector5beginEv(i32 %n) {
  call void @work(i32 %n)
  ret void
}

define i32 @loop(i32 %n) {
entry:
  br label %again
again:
  %i = phi i32 [ 0, %entry ], [ %j, %again ]
  %j = add i32 %i, 1
  call void @work(i32 %j)
  %c = icmp slt i32 %j, %n
  br i1 %c, label %again, label %end
end:
  ret i32 %j
}

define i32 @user(i32 %n) {
  %a = call i32 @plain(i32 %n)
  call void @asks(i32 %a)
  call void @_ZNSt6vector5beginEv(i32 %a)
  %b = call i32 @loop(i32 %a)
  ret i32 %b
}
