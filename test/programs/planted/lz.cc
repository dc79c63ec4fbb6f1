// Compresses with matches found over hash chains (as deflate does) and counts the output.
//
// SEED "abab"
// PLANTED BUG_CHAIN kind=missing_early_exit function=longestMatch exponent=2
// PLANTED BUG_RUN kind=repeated_scan function=runLength exponent=2
// PLANTED BUG_WINDOW kind=copy_by_value function=compress exponent=2
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace {

constexpr size_t kLongest = 64, kShortest = 3;
constexpr int32_t kNone = -1;

class Compressor {
public:
  Compressor(const uint8_t *data, size_t size) : text_(data, data + size), previous_(size, kNone) {
    head_.fill(kNone);
  }

  size_t compress() {
    size_t at = 0, output = 0;
    while (at < text_.size()) {
#ifdef BUG_WINDOW
      std::vector<uint8_t> window = text_; // GUILTY_WINDOW
#else
      const std::vector<uint8_t> &window = text_;
#endif
      size_t run = runLength(window, at);
      size_t length = run > kShortest ? run : longestMatch(window, at);
      output += length > 1 ? 3 : 1;
      for (size_t end = at + length; at < end; ++at)
        insert(at);
    }
    return output;
  }

private:
  size_t hashAt(size_t at) const {
    return (text_[at] * 33u + text_[at + 1] * 7u + text_[at + 2]) % head_.size();
  }

  void insert(size_t at) {
    if (at + kShortest > text_.size())
      return;
    int32_t &head = head_[hashAt(at)];
    previous_[at] = head;
    head = static_cast<int32_t>(at);
  }

  // Equal bytes in a row at a position, as far as one token can say.
  size_t runLength(const std::vector<uint8_t> &window, size_t at) const {
    size_t end = at + 1;
#ifdef BUG_RUN
    while (end < window.size() && window[end] == window[at]) // GUILTY_RUN
      ++end;
    return end - at < 16 ? end - at : 16;
#else
    while (end < window.size() && end - at < 16 && window[end] == window[at])
      ++end;
    return end - at;
#endif
  }

  size_t longestMatch(const std::vector<uint8_t> &window, size_t at) const {
    size_t best = 1;
    if (at + kShortest > window.size())
      return best;
    int32_t candidate = head_[hashAt(at)];
#ifdef BUG_CHAIN
    for (; candidate != kNone;
         candidate = previous_[static_cast<size_t>(candidate)]) { // GUILTY_CHAIN
#else
    for (int tries = 0; candidate != kNone && tries < 4 && best < kLongest;
         candidate = previous_[static_cast<size_t>(candidate)], ++tries) {
#endif
      size_t length = 0;
      while (length < kLongest && at + length < window.size() && // GUILTY_CHAIN
             window[static_cast<size_t>(candidate) + length] == window[at + length])
        ++length;
      best = length >= kShortest && length > best ? length : best;
    }
    return best;
  }

  std::vector<uint8_t> text_;
  std::vector<int32_t> previous_;
  std::array<int32_t, 1024> head_{};
};

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  Compressor compressor(data, size);
  return compressor.compress() == size_t(-1);
}
