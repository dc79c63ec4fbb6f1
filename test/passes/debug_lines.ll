; Lines: ranges of blocks and of the function, file and directory as the compiler was given them; line
; 0 (compiler-made) and lines of code inlined from elsewhere are left out.
; RUN: %perfidy %s | %FileCheck %s

; CHECK: private constant [2 x { i32, i32, i32, i32, i16, i16, i16, i16 }]
; CHECK-SAME: { i32 11, i32 12, i32 -1,
; CHECK-SAME: { i32 20, i32 20, i32 -1,
; CHECK: @"__perfidy.s.dir/a.c" = {{.*}}c"dir/a.c\00"
; CHECK: @"__perfidy.s./src" = {{.*}}c"/src\00"
; The function: from its own line to the last of its blocks.
; CHECK: @__perfidy.function = {{.*}} i32 2, i32 0, i32 0, i32 0, i32 1, i32 1, i32 10, i32 20, i32 0, i32 0 }, section

define i32 @f(i32 %n) !dbg !4 {
entry:
  %a = add i32 %n, 1, !dbg !6
  %b = add i32 %a, 1, !dbg !7
  %z = add i32 %b, 1, !dbg !8
  %i = add i32 %z, 1, !dbg !9
  br label %last, !dbg !7
last:
  ret i32 %i, !dbg !12
}

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!3}
!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, emissionKind: LineTablesOnly)
!1 = !DIFile(filename: "dir/a.c", directory: "/src")
!2 = !DISubroutineType(types: !{})
!3 = !{i32 2, !"Debug Info Version", i32 3}
!4 = distinct !DISubprogram(name: "f", file: !1, line: 10, type: !2, unit: !0, spFlags: DISPFlagDefinition)
!5 = distinct !DISubprogram(name: "g", file: !1, line: 90, type: !2, unit: !0, spFlags: DISPFlagDefinition)
!6 = !DILocation(line: 11, column: 3, scope: !4)
!7 = !DILocation(line: 12, column: 3, scope: !4)
!8 = !DILocation(line: 0, scope: !4)
!9 = !DILocation(line: 91, column: 3, scope: !5, inlinedAt: !7)
!12 = !DILocation(line: 20, column: 3, scope: !4)
