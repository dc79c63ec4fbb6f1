#include "runtime/trace_derive.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <cxxabi.h>
#include <fmt/format.h>
#include <memory>
#include <set>

namespace perfidy {

std::string displayName(const std::string &linkage) {
  // The demangler also reads types: a C function named f would become "float".
  if (linkage.compare(0, 2, "_Z") != 0)
    return linkage;
  int status = 0;
  std::unique_ptr<char, void (*)(void *)> demangled(
      abi::__cxa_demangle(linkage.c_str(), nullptr, nullptr, &status), std::free);
  if (status != 0 || !demangled)
    return linkage;
  std::string name = demangled.get();
  int depth = 0;
  for (size_t i = name.size(); i-- > 0;) {
    depth += name[i] == ')' ? 1 : name[i] == '(' ? -1 : 0;
    if (name[i] == '(' && depth == 0 && i > 0 && name[i - 1] != ':' && name[i - 1] != ' ' &&
        name.compare(i >= 8 ? i - 8 : 0, 8, "operator") != 0) {
      name.resize(i);
      break;
    }
  }
  return name;
}

// A function only reads if it stores nothing itself and all it calls only reads: a greatest
// fixpoint, so that recursion among readers stays a reader.
void closeReadsOnly(Trace &trace) {
  static const std::set<std::string> kReaders = {"strlen",
                                                 "strnlen",
                                                 "strspn",
                                                 "strcspn",
                                                 "strchr",
                                                 "strpbrk",
                                                 "index",
                                                 "strrchr",
                                                 "rindex",
                                                 "memchr",
                                                 "strstr",
                                                 "strcasestr",
                                                 "memcmp",
                                                 "bcmp",
                                                 "strcmp",
                                                 "strncmp",
                                                 "strcoll"};
  std::map<std::string, std::vector<size_t>> byName;
  for (size_t i = 0; i < trace.functions.size(); ++i)
    byName[trace.functions[i].name].push_back(i);
  auto callReads = [&](const CallSite &call) {
    if (call.kind == CallKind::Passed)
      return true;
    auto found = byName.find(call.callee);
    if (call.kind == CallKind::Indirect || found == byName.end())
      return kReaders.count(call.callee) > 0;
    return std::all_of(found->second.begin(), found->second.end(), [&](size_t i) {
      return trace.functions[i].readsOnly;
    });
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (Function &function : trace.functions)
      if (function.readsOnly &&
          !std::all_of(function.calls.begin(), function.calls.end(), callReads)) {
        function.readsOnly = false;
        changed = true;
      }
  }
}

uint64_t countOf(const SparseCounts &counts, uint32_t index) {
  auto at = std::lower_bound(counts.begin(), counts.end(), index, [](const auto &pair, uint32_t i) {
    return pair.first < i;
  });
  return at != counts.end() && at->first == index ? at->second : 0;
}

std::string pathKey(const Trace &trace, const Run &run) {
  // Sum and xor of per-block hashes: the order of functions does not matter.
  uint64_t sum = 0, folded = 0;
  size_t function = 0;
  for (const auto &[index, count] : run.blocks) {
    while (function + 1 < trace.functions.size() &&
           trace.functions[function + 1].firstBlock <= index)
      ++function;
    const Function &owner = trace.functions[function];
    XXH128_hash_t hash = XXH3_128bits_withSeed(
        owner.name.data(), owner.name.size(), XXH3_64bits(owner.file.data(), owner.file.size()));
    uint64_t ordinal[3] = {hash.low64, hash.high64, index - owner.firstBlock};
    XXH128_hash_t block = XXH3_128bits(ordinal, sizeof ordinal);
    sum += block.low64;
    folded ^= block.high64 * (block.low64 | 1);
  }
  return fmt::format("{:016x}{:016x}", sum, folded);
}

} // namespace perfidy
