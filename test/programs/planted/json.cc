// Recursive descent over JSON with comments; collects the path of every value.
//
// SEED "[1]"
// PLANTED BUG_PATH kind=copy_by_value function=parseArray|parseValue exponent=2
// PLANTED BUG_ESCAPE kind=wrong_container function=unescape exponent=2
// PLANTED BUG_RECOVER kind=rescan_after_error function=recover exponent=2
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace {

struct Step {
  size_t index;
};
using Path = std::vector<Step>;

class Parser {
public:
  Parser(const char *data, size_t size) : begin_(data), at_(data), end_(data + size) {}

  void parseDocument() {
    Path path;
    while (at_ < end_) {
      const char *before = at_;
      parseValue(path, 0);
      skipSpace();
      if (at_ == before)
        recover();
    }
  }

  size_t values() const { return values_ + errors_; }

private:
  void skipSpace() {
    while (at_ < end_ && (*at_ == ' ' || *at_ == '\n' || *at_ == '\t' || *at_ == ','))
      ++at_;
  }

  // After an error: go on behind the next comma or line break.
  void recover() {
    ++errors_;
#ifdef BUG_RECOVER
    for (const char *from = begin_; from <= at_; ++from) // GUILTY_RECOVER
      line_ = from == begin_ ? 1 : line_ + (from[-1] == '\n');
#else
    line_ += *at_ == '\n';
#endif
    ++at_;
  }

#ifdef BUG_PATH
  using PathArgument = Path;
#else
  using PathArgument = Path &;
#endif

  void parseArray(PathArgument path, int depth) {
    size_t index = 0;
    ++at_;
    path.push_back({0});
    for (skipSpace(); at_ < end_ && *at_ != ']'; skipSpace()) {
      path.back().index = index++;
      const char *before = at_;
      parseValue(path, depth + 1); // GUILTY_PATH
      if (at_ == before)
        break;
    }
    path.pop_back();
    if (at_ < end_ && *at_ == ']')
      ++at_;
  }

  // Deep documents are legal; the depth only bounds our stack.
  void parseValue(Path &path, int depth) {
    constexpr int kDeepest = 8000;
    skipSpace();
    if (at_ == end_)
      return;
    ++values_;
    if (*at_ == '[' && depth < kDeepest)
      parseArray(path, depth); // GUILTY_PATH
    else if (*at_ == '"')
      parseString();
    else
      while (at_ < end_ && ((*at_ >= '0' && *at_ <= '9') || *at_ == '-' || *at_ == '.'))
        ++at_;
  }

  void parseString() {
    const char *start = ++at_;
    while (at_ < end_ && *at_ != '"')
      at_ += *at_ == '\\' && at_ + 1 < end_ ? 2 : 1;
    text_ = unescape(std::string(start, at_));
    if (at_ < end_)
      ++at_;
  }

  static std::string unescape(std::string raw) {
#ifdef BUG_ESCAPE
    for (size_t i = 0; i + 1 < raw.size(); ++i) // GUILTY_ESCAPE
      if (raw[i] == '\\')
        raw.erase(i, 1); // GUILTY_ESCAPE
    return raw;
#else
    std::string text;
    for (size_t i = 0; i < raw.size(); ++i) {
      if (raw[i] == '\\' && i + 1 < raw.size())
        ++i;
      text += raw[i];
    }
    return text;
#endif
  }

  const char *begin_, *at_, *end_; ///< begin_: for messages
  size_t values_ = 0, errors_ = 0, line_ = 1;
  std::string text_;
};

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  Parser parser(reinterpret_cast<const char *>(data), size);
  parser.parseDocument();
  return parser.values() == size_t(-1);
}
