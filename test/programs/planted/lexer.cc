// Tokens of a C-like language, with line numbers for messages and interned identifiers.
//
// SEED "a+1;\n"
// PLANTED BUG_LINE kind=repeated_scan function=lineOf exponent=2
// PLANTED BUG_INTERN kind=list_as_set function=intern exponent=2
// PLANTED BUG_REST kind=copy_by_value function=next exponent=2
#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

namespace {

bool isLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool isDigit(char c) { return c >= '0' && c <= '9'; }

class Lexer {
public:
  explicit Lexer(std::string text) : text_(std::move(text)) {}

  size_t run() {
    size_t sum = 0;
    while (at_ < text_.size())
      sum += next();
    return sum;
  }

private:
  // The line of a token, for messages.
  size_t lineOf(size_t offset) {
#ifdef BUG_LINE
    size_t line = 1;
    for (size_t i = 0; i < offset; ++i) // GUILTY_LINE
      line += text_[i] == '\n' ? 1 : 0;
    return line;
#else
    for (; counted_ < offset; ++counted_)
      line_ += text_[counted_] == '\n' ? 1 : 0;
    return line_;
#endif
  }

  size_t intern(const std::string &name) {
#ifdef BUG_INTERN
    for (size_t i = 0; i < names_.size(); ++i) // GUILTY_INTERN
      if (names_[i] == name)
        return i;
#else
    auto [found, fresh] = numbers_.try_emplace(name, names_.size());
    if (!fresh)
      return found->second;
#endif
    names_.push_back(name);
    return names_.size() - 1;
  }

  size_t tokenLength(const char *text, size_t left) const {
    size_t length = 1;
    if (isLetter(text[0]))
      while (length < left && (isLetter(text[length]) || isDigit(text[length])))
        ++length;
    else if (isDigit(text[0]))
      while (length < left && isDigit(text[length]))
        ++length;
    return length;
  }

  size_t next() {
    size_t start = at_;
#ifdef BUG_REST
    std::string rest = text_.substr(at_); // GUILTY_REST
    size_t length = tokenLength(rest.data(), rest.size());
#else
    size_t length = tokenLength(text_.data() + at_, text_.size() - at_);
#endif
    at_ += length;
    if (isLetter(text_[start]))
      return intern(text_.substr(start, length));
    return text_[start] == '@' ? lineOf(start) : 1;
  }

  std::string text_;
  size_t at_ = 0, counted_ = 0, line_ = 1;
  std::vector<std::string> names_;
  std::unordered_map<std::string, size_t> numbers_;
};

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  Lexer lexer(std::string(reinterpret_cast<const char *>(data), size));
  return lexer.run() == size_t(-1);
}
