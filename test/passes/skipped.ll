; Functions that get no counters: naked, noprofile, declarations, clang's terminate helper, and
; available_externally bodies that nobody uses.
; RUN: %perfidy %s | %FileCheck %s

; CHECK-NOT: @__perfidy.
; CHECK-LABEL: define void @naked()
; CHECK-LABEL: define void @opted_out()
; CHECK-LABEL: define available_externally void @unused()
; CHECK-LABEL: define {{.*}}@__clang_call_terminate(
; CHECK-NOT: @__perfidy.
; CHECK: declare void @elsewhere()

define void @naked() naked {
  call void asm sideeffect "ret", ""()
  unreachable
}

define void @opted_out() noprofile {
  ret void
}

define available_externally void @unused() {
  ret void
}

define linkonce_odr hidden void @__clang_call_terminate(i8* %e) {
  unreachable
}

declare void @elsewhere()
