// Names and scopes of a block structured language: "{" and "}" are scopes, a capital letter
// declares a name, a small letter uses it.
//
// SEED "{Aa}"
// PLANTED BUG_LOOKUP kind=list_as_set function=lookUp exponent=2
// PLANTED BUG_ENTER kind=copy_by_value function=enter exponent=2
// PLANTED BUG_LEAVE kind=missing_early_exit function=leave exponent=2
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace {

struct Binding {
  char name;
  uint32_t scope, number;
};

class SymbolTable {
public:
  void enter() {
    ++scope_;
#ifdef BUG_ENTER
    std::vector<Binding> inherited = bindings_; // GUILTY_ENTER
    bindings_ = inherited;                      // GUILTY_ENTER
#endif
  }

  void leave() {
    if (scope_ == 0)
      return;
#ifdef BUG_LEAVE
    size_t kept = 0;
    for (const Binding &binding : bindings_) // GUILTY_LEAVE
      if (binding.scope < scope_)
        bindings_[kept++] = binding;
      else
        byName_[index(binding.name)].pop_back();
    bindings_.resize(kept);
#else
    while (!bindings_.empty() && bindings_.back().scope == scope_) {
      byName_[index(bindings_.back().name)].pop_back();
      bindings_.pop_back();
    }
#endif
    --scope_;
  }

  void declare(char name) {
    uint32_t number = ++declared_;
    bindings_.push_back({name, scope_, number});
    byName_[index(name)].push_back(number);
  }

  // The innermost declaration of a name; 0 for an unknown one.
  uint32_t lookUp(char name) const {
#ifdef BUG_LOOKUP
    for (size_t i = bindings_.size(); i > 0; --i) // GUILTY_LOOKUP
      if (bindings_[i - 1].name == name)
        return bindings_[i - 1].number;
    return 0;
#else
    const std::vector<uint32_t> &known = byName_[index(name)];
    return known.empty() ? 0 : known.back();
#endif
  }

private:
  static size_t index(char name) { return static_cast<size_t>(name - 'A') % 26; }

  uint32_t scope_ = 0, declared_ = 0;
  std::vector<Binding> bindings_;
  std::array<std::vector<uint32_t>, 26> byName_;
};

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  SymbolTable table;
  uint32_t sum = 0;
  for (size_t i = 0; i < size; ++i) {
    char c = static_cast<char>(data[i]);
    if (c == '{')
      table.enter();
    else if (c == '}')
      table.leave();
    else if (c >= 'A' && c <= 'Z')
      table.declare(c);
    else if (c >= 'a' && c <= 'z')
      sum += table.lookUp(static_cast<char>(c - 'a' + 'A'));
  }
  return sum == 0xffffffffu;
}
