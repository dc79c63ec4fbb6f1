#include "passes/returning.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

#include <algorithm>

namespace perfidy {
namespace {

// Functions of the C and C++ libraries that call nothing of the user's, so always return. Those
// that the optimiser knows to be `nounwind willreturn` need not be here.
constexpr const char *kReturning[] = {"malloc",
                                      "calloc",
                                      "realloc",
                                      "free",
                                      "strdup",
                                      "strndup",
                                      "memcpy",
                                      "memmove",
                                      "memset",
                                      "memcmp",
                                      "memchr",
                                      "memrchr",
                                      "bcmp",
                                      "strlen",
                                      "strnlen",
                                      "strcmp",
                                      "strncmp",
                                      "strcpy",
                                      "strncpy",
                                      "strcat",
                                      "strchr",
                                      "strrchr",
                                      "strstr",
                                      "strspn",
                                      "strcspn",
                                      "strpbrk",
                                      "strcasecmp",
                                      "strncasecmp",
                                      "strtol",
                                      "strtoul",
                                      "strtod",
                                      "atoi",
                                      "printf",
                                      "fprintf",
                                      "snprintf",
                                      "sprintf",
                                      "vsnprintf",
                                      "vfprintf",
                                      "puts",
                                      "putchar",
                                      "fputs",
                                      "fputc",
                                      "putc",
                                      "fwrite",
                                      "fread",
                                      "fflush",
                                      "fclose",
                                      "fopen",
                                      "getc",
                                      "fgetc",
                                      "ungetc",
                                      "fseek",
                                      "ftell",
                                      "__errno_location",
                                      "__ctype_b_loc",
                                      "__ctype_tolower_loc",
                                      "__ctype_toupper_loc",
                                      "toupper",
                                      "tolower",
                                      "isalpha",
                                      "isdigit",
                                      "isspace",
                                      "isalnum",
                                      "_ZdlPv",
                                      "_ZdlPvm",
                                      "_ZdaPv",
                                      "_ZdaPvm",
                                      "_ZdlPvSt11align_val_t",
                                      "_ZdlPvmSt11align_val_t",
                                      "__cxa_allocate_exception",
                                      "__cxa_free_exception",
                                      "__cxa_begin_catch",
                                      "__cxa_guard_release",
                                      "__cxa_guard_abort",
                                      "__cxa_atexit"};

// Ends the process by a signal.
constexpr const char *kDeaths[] = {"abort",
                                   "__assert_fail",
                                   "__stack_chk_fail",
                                   "_ZSt9terminatev",
                                   "__clang_call_terminate",
                                   "__cxa_pure_virtual"};

template <size_t Size> bool contains(const char *const (&names)[Size], llvm::StringRef name) {
  return std::any_of(names, names + Size, [&](const char *each) { return name == each; });
}

bool isReturningLibrary(llvm::StringRef name) { return contains(kReturning, name); }

bool isDeath(llvm::StringRef name) {
  return contains(kDeaths, name) || name.find("__asan_report_") == 0 ||
         name.find("__ubsan_handle_") == 0;
}

bool isDeadly(const llvm::CallBase &call) {
  const llvm::Function *callee = call.getCalledFunction();
  if (!callee)
    return false;
  llvm::Intrinsic::ID id = callee->getIntrinsicID();
  return id == llvm::Intrinsic::trap || id == llvm::Intrinsic::ubsantrap ||
         (callee->isDeclaration() && isDeath(callee->getName()));
}

} // namespace

bool Returning::mayLeave(const llvm::CallBase &call) const {
  if (isDeadly(call))
    return false;
  if (call.doesNotReturn())
    return true;
  if (call.isInlineAsm() || llvm::isa<llvm::IntrinsicInst>(call))
    return false;
  if (call.doesNotThrow() && call.hasFnAttr(llvm::Attribute::WillReturn))
    return false;
  const llvm::Function *callee = call.getCalledFunction();
  return !callee || !returning.count(callee);
}

// Judged by the set as it stands; the constructor shrinks it until nothing changes.
bool Returning::leavesOnlyByReturning(const llvm::Function &function) const {
  for (const llvm::Instruction &instruction : llvm::instructions(function)) {
    if (llvm::isa<llvm::ResumeInst>(instruction))
      return false;
    const auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    if (call && mayLeave(*call))
      return false;
  }
  return true;
}

Returning::Returning(const llvm::Module &module) {
  for (const llvm::Function &function : module)
    if (function.isDeclaration() ? isReturningLibrary(function.getName())
                                 : !function.isInterposable() && !function.doesNotReturn())
      returning.insert(&function);
  bool changed = true;
  while (changed) {
    changed = false;
    for (const llvm::Function &function : module)
      if (!function.isDeclaration() && returning.count(&function) &&
          !leavesOnlyByReturning(function)) {
        returning.erase(&function);
        changed = true;
      }
  }
}

} // namespace perfidy
