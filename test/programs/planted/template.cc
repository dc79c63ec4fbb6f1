// Expands "{{name}}" in a text; "name:value;" lines at its beginning define names.
//
// SEED "a:b;\n{{a}}"
// PLANTED BUG_RESTART kind=repeated_scan function=expandAll exponent=2
// PLANTED BUG_SHADOW kind=list_as_set function=lookUp exponent=2
// PLANTED BUG_INDENT kind=repeated_scan function=columnOf exponent=2
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace {

class Template {
public:
  explicit Template(std::string text) : text_(std::move(text)) {
    size_t at = 0;
    while (readDefinition(at)) {
    }
    text_.erase(0, at);
  }

  size_t expand() {
    expandAll();
    return output_.size() + columns_;
  }

private:
  // "name:value;" at the position; a later definition replaces an earlier one.
  bool readDefinition(size_t &at) {
    size_t colon = at;
    while (colon < text_.size() && text_[colon] >= 'a' && text_[colon] <= 'z')
      ++colon;
    if (colon == at || colon >= text_.size() || text_[colon] != ':')
      return false;
    size_t end = colon + 1;
    while (end < text_.size() && text_[end] != ';' && text_[end] != '\n')
      ++end;
    std::string name = text_.substr(at, colon - at);
    std::string value = text_.substr(colon + 1, end - colon - 1);
    list_.emplace_back(name, value.size());
    map_[name] = value.size();
    at = end + (end < text_.size() ? 1 : 0);
    return true;
  }

  size_t lookUp(const std::string &name) const {
#ifdef BUG_SHADOW
    size_t found = 0;
    for (const auto &[known, value] : list_) // GUILTY_SHADOW
      if (known == name)
        found = value; // the last one counts
    return found;
#else
    auto found = map_.find(name);
    return found == map_.end() ? 0 : found->second;
#endif
  }

  // Column of a position, by which the value's lines are indented.
  size_t columnOf(size_t position) {
#ifdef BUG_INDENT
    size_t start = position;
    while (start > 0 && text_[start - 1] != '\n') // GUILTY_INDENT
      --start;
    return position - start;
#else
    for (; counted_ < position; ++counted_)
      lineStart_ = text_[counted_] == '\n' ? counted_ + 1 : lineStart_;
    return position - lineStart_;
#endif
  }

  // The next "{{" at or behind `from`.
  size_t nextOpening(size_t from) const {
    while (from + 1 < text_.size() && !(text_[from] == '{' && text_[from + 1] == '{'))
      ++from;
    return from + 1 < text_.size() ? from : text_.size();
  }

  void expandAll() {
    size_t done = 0;
    for (;;) { // GUILTY_RESTART
#ifdef BUG_RESTART
      size_t open = nextOpening(0); // GUILTY_RESTART
#else
      size_t open = nextOpening(done);
#endif
      output_.append(text_, done, open - done);
      if (open == text_.size())
        return;
      columns_ += columnOf(open);
      size_t end = open + 2;
      while (end < text_.size() && text_[end] >= 'a' && text_[end] <= 'z')
        ++end;
      output_.append(lookUp(text_.substr(open + 2, end - open - 2)) % 4, ' ');
      text_[open] = text_[open + 1] = ' '; // not to be found again
      done = end;
    }
  }

  std::string text_, output_;
  size_t columns_ = 0, counted_ = 0, lineStart_ = 0;
  std::vector<std::pair<std::string, size_t>> list_;
  std::map<std::string, size_t> map_;
};

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  Template expanded(std::string(reinterpret_cast<const char *>(data), size));
  return expanded.expand() == size_t(-1);
}
