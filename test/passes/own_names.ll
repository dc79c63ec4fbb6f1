; Inline functions get names and comdats of their own, so that the linker cannot replace them by an
; uninstrumented copy; their counters live in another comdat that all copies share.
; RUN: %perfidy %s | %FileCheck %s

$inline = comdat any
$aliased = comdat any
$weak = comdat any
$_ZTV1A = comdat any

; CHECK-DAG: $[[INLINE:inline.perfidy.[0-9a-f]+]] = comdat any
; CHECK-DAG: $[[COUNTERS:__perfidy.counters.inline.[0-9a-f]+]] = comdat any
; CHECK-DAG: $_ZTV1A.perfidy = comdat any

; CHECK-DAG: @[[VTABLE:_ZTV1A.perfidy]] = linkonce_odr unnamed_addr constant {{.*}}@[[INLINE]]{{.*}}, comdat
; CHECK-DAG: @_ZTV1B = linkonce_odr unnamed_addr constant {{.*}}@plain
@_ZTV1A = linkonce_odr unnamed_addr constant [1 x i32 (i32)*] [i32 (i32)* @inline], comdat
@_ZTV1B = linkonce_odr unnamed_addr constant [1 x i32 (i32)*] [i32 (i32)* @plain]

; CHECK-DAG: @[[COUNTERS]] = linkonce_odr hidden global [1 x i64] zeroinitializer, comdat, align 8
; The record shares the counters' comdat and holds the name the user wrote.
; CHECK-DAG: @__perfidy.function{{.*}} = private global {{.*}}@[[COUNTERS]]{{[ ,].*}}@__perfidy.s.inline{{[ ,].*}}section "perfidy_funcs", comdat($[[COUNTERS]]), align 8

; An alias keeps its function: renaming would split what belongs together.
; CHECK-DAG: @same = alias i32 (i32), {{.*}}@aliased
@same = alias i32 (i32), i32 (i32)* @aliased

; CHECK-DAG: define linkonce_odr hidden i32 @[[INLINE]](i32 %n) {{.*}}comdat {
define linkonce_odr i32 @inline(i32 %n) comdat {
  ret i32 %n
}

; Counters of a function that keeps its name are shared by its copies all the same.
; CHECK-DAG: @__perfidy.counters.aliased.{{[0-9a-f]+}} = linkonce_odr hidden global
; CHECK-DAG: define linkonce_odr i32 @aliased(i32 %n) {{.*}}comdat {
define linkonce_odr i32 @aliased(i32 %n) comdat {
  ret i32 %n
}

; A weak definition may be replaced on purpose: no new name.
; CHECK-DAG: define weak_odr i32 @weak(i32 %n) {{.*}}comdat {
; CHECK-DAG: @__perfidy.counters.weak.{{[0-9a-f]+}} = linkonce_odr hidden global
define weak_odr i32 @weak(i32 %n) comdat {
  ret i32 %n
}

; The body of an available_externally function would be dropped and the (uncounted) external one
; called: it becomes a merged function of ours.
; CHECK-DAG: define linkonce_odr hidden i32 @extern_inline.perfidy.{{[0-9a-f]+}}(i32 %n) {{.*}}comdat {
define available_externally i32 @extern_inline(i32 %n) {
  ret i32 %n
}

; Not mergeable: name and private counters.
; CHECK-DAG: define i32 @plain(i32 %n) #{{[0-9]+}} {
; CHECK-DAG: define internal i32 @local(i32 %n) #{{[0-9]+}} {
; CHECK-DAG: @__perfidy.counters{{[.0-9]*}} = private global [1 x i64]
define i32 @plain(i32 %n) {
  %a = call i32 @inline(i32 %n)
  %b = call i32 @extern_inline(i32 %a)
  %c = call i32 @local(i32 %b)
  ret i32 %c
}

define internal i32 @local(i32 %n) {
  ret i32 %n
}
