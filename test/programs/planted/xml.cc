// A tolerant reader of tags, attributes and entities, as browsers have them.
//
// SEED "<a></a>"
// PLANTED BUG_ENTITY kind=repeated_scan function=readEntity exponent=2
// PLANTED BUG_CLOSE kind=missing_early_exit function=closeElement exponent=2
// PLANTED BUG_ATTRIBUTE kind=list_as_set function=addAttribute exponent=2
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace {

bool isName(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

class Reader {
public:
  explicit Reader(std::string_view text) : text_(text) {}

  size_t read() {
    while (at_ < text_.size()) {
      if (text_[at_] == '<')
        readTag();
      else if (text_[at_] == '&')
        readEntity();
      else
        ++at_;
    }
    return problems_ + open_.size();
  }

private:
  std::string_view readName() {
    size_t start = at_;
    while (at_ < text_.size() && isName(text_[at_]))
      ++at_;
    return text_.substr(start, at_ - start);
  }

  void readTag() {
    ++at_;
    bool closing = at_ < text_.size() && text_[at_] == '/';
    at_ += closing ? 1 : 0;
    std::string_view name = readName();
    if (name.empty()) {
      ++problems_;
      return;
    }
    readAttributes();
    if (closing)
      closeElement(name);
    else
      openElement(name);
  }

  void readAttributes() {
    attributes_.clear();
    ++tags_;
    while (at_ < text_.size() && text_[at_] != '>' && text_[at_] != '<') {
      std::string_view name = readName();
      if (name.empty())
        ++at_;
      else
        addAttribute(name);
    }
  }

  // A repeated attribute is a problem, but the later one counts.
  void addAttribute(std::string_view name) {
#ifdef BUG_ATTRIBUTE
    for (std::string_view known : attributes_) // GUILTY_ATTRIBUTE
      problems_ += known == name ? 1 : 0;
#else
    uint32_t hash = 0;
    for (char c : name)
      hash = hash * 31 + static_cast<uint8_t>(c);
    uint32_t &last = seen_[hash % seen_.size()];
    problems_ += last == tags_ ? 1 : 0;
    last = tags_;
#endif
    attributes_.push_back(name);
  }

  void openElement(std::string_view name) {
    open_.push_back(name);
    ++openByLetter_[static_cast<uint8_t>(name[0])];
  }

  // An end tag closes the innermost element of its name and all inside it; one that closes nothing
  // is passed over.
  void closeElement(std::string_view name) {
#ifndef BUG_CLOSE
    if (openByLetter_[static_cast<uint8_t>(name[0])] == 0) {
      ++problems_;
      return;
    }
#endif
    for (size_t i = open_.size(); i > 0; --i) // GUILTY_CLOSE
      if (open_[i - 1][0] == name[0]) {
        while (open_.size() >= i) {
          --openByLetter_[static_cast<uint8_t>(open_.back()[0])];
          open_.pop_back();
        }
        return;
      }
    ++problems_;
  }

  // "&name;": without its semicolon it is plain text.
  void readEntity() {
    constexpr size_t kLongest = 32;
    size_t end = ++at_;
#ifdef BUG_ENTITY
    size_t limit = text_.size();
#else
    size_t limit = end + kLongest < text_.size() ? end + kLongest : text_.size();
#endif
    while (end < limit && text_[end] != ';') // GUILTY_ENTITY
      ++end;
    if (end < text_.size() && end - at_ <= kLongest)
      at_ = end;
    else
      ++problems_;
  }

  std::string_view text_;
  size_t at_ = 0, problems_ = 0;
  uint32_t tags_ = 0;
  std::vector<std::string_view> open_, attributes_;
  std::array<uint32_t, 256> openByLetter_{}, seen_{};
};

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  Reader reader({reinterpret_cast<const char *>(data), size});
  return reader.read() == size_t(-1);
}
