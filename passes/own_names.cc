#include "passes/own_names.h"
#include "runtime/abi.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/GlobalAlias.h"

#include <map>

namespace perfidy {
namespace {

using Members = std::map<const llvm::Comdat *, std::vector<llvm::GlobalObject *>>;

Members comdatMembers(llvm::Module &module) {
  Members members;
  for (llvm::GlobalObject &object : module.global_objects())
    if (const llvm::Comdat *comdat = object.getComdat())
      members[comdat].push_back(&object);
  return members;
}

bool isMergeable(const llvm::GlobalObject &object) {
  return object.hasLinkOnceLinkage() || object.hasAvailableExternallyLinkage();
}

// Renaming a function that an alias points to, or that shares its comdat with something that is not
// renamed, would split what belongs together.
bool canRename(const llvm::Function &function,
               const Members &members,
               const llvm::SmallPtrSetImpl<const llvm::GlobalValue *> &aliased) {
  if (!isMergeable(function) || aliased.count(&function))
    return false;
  const llvm::Comdat *comdat = function.getComdat();
  if (!comdat)
    return true;
  for (const llvm::GlobalObject *member : members.at(comdat))
    if (!llvm::isa<llvm::Function>(member) || !isMergeable(*member) || aliased.count(member))
      return false;
  return true;
}

std::string suffix(uint64_t hash) {
  return std::string(PERFIDY_RENAMED_SUFFIX) + "." + llvm::utohexstr(hash, /*LowerCase=*/true);
}

// True if the initializer of a table mentions a renamed symbol, directly or through constants.
bool mentions(const llvm::Constant *constant,
              const llvm::SmallPtrSetImpl<const llvm::GlobalValue *> &symbols,
              unsigned depth = 0) {
  if (const auto *global = llvm::dyn_cast<llvm::GlobalValue>(constant))
    return symbols.count(global);
  if (depth > 6)
    return false;
  for (const llvm::Use &operand : constant->operands())
    if (const auto *inner = llvm::dyn_cast<llvm::Constant>(operand.get()))
      if (mentions(inner, symbols, depth + 1))
        return true;
  return false;
}

} // namespace

OwnNames::OwnNames(llvm::Module &module, const std::vector<llvm::Function *> &targets)
    : module(module) {
  Members members = comdatMembers(module);
  llvm::SmallPtrSet<const llvm::GlobalValue *, 8> aliased;
  for (const llvm::GlobalAlias &alias : module.aliases())
    if (const llvm::GlobalObject *object = alias.getAliaseeObject())
      aliased.insert(object);
  for (llvm::Function *function : targets)
    if (canRename(*function, members, aliased)) {
      renamed.push_back(function);
      isRenamed.insert(function);
    }
}

bool OwnNames::isShared(const llvm::Function &function) const {
  return function.isDiscardableIfUnused() ? !function.hasLocalLinkage()
                                          : function.isWeakForLinker();
}

std::string OwnNames::countersName(const llvm::Function &function, uint64_t hash) const {
  hashes[&function] = hash;
  return "__perfidy.counters." + function.getName().str() + "." +
         llvm::utohexstr(hash, /*LowerCase=*/true);
}

void OwnNames::renameFunction(llvm::Function &function) {
  std::string name = function.getName().str() + suffix(hashes.lookup(&function));
  function.setName(name);
  if (function.hasAvailableExternallyLinkage())
    function.setLinkage(llvm::GlobalValue::LinkOnceODRLinkage);
  function.setVisibility(llvm::GlobalValue::HiddenVisibility);
  function.setDSOLocal(true);
  function.setComdat(module.getOrInsertComdat(name));
}

// Virtual tables of classes without a key function are merged like inline functions: the one kept
// must be the one that leads to counted functions. Tables of tables (VTTs) follow, hence the loop.
void OwnNames::renameTables() {
  llvm::SmallPtrSet<const llvm::GlobalValue *, 16> symbols;
  for (llvm::Function *function : renamed)
    symbols.insert(function);
  bool changed = true;
  while (changed) {
    changed = false;
    for (llvm::GlobalVariable &table : module.globals()) {
      if (!table.hasInitializer() || !table.isConstant() || !table.hasLinkOnceLinkage() ||
          !table.hasGlobalUnnamedAddr() || symbols.count(&table) ||
          table.getName().contains(PERFIDY_RENAMED_SUFFIX) ||
          !mentions(table.getInitializer(), symbols))
        continue;
      std::string name = table.getName().str() + PERFIDY_RENAMED_SUFFIX;
      table.setName(name);
      table.setComdat(module.getOrInsertComdat(name));
      symbols.insert(&table);
      changed = true;
    }
  }
}

void OwnNames::apply() {
  for (llvm::Function *function : renamed)
    renameFunction(*function);
  renameTables();
}

} // namespace perfidy
