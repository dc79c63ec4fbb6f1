// Suite A: counts words, kept in a chained hash table whose hash is the sum of the letters.
// Input: text; a word is a run of bytes other than blanks and line ends.
// CLASS one_chain function=count growth=1.7..2.3
//   different words of equal sum modulo 64
// WORST different words of two letters in one chain, then the last one again and again as a word
//   of one letter: a quarter of the bytes and the rest.
#include <cstddef>
#include <cstdint>
#include <vector>

namespace {

struct Word {
  const uint8_t *text;
  size_t length, uses;
  Word *next;
};

bool isBlank(uint8_t byte) { return byte == ' ' || byte == '\n'; }

bool same(const Word &a, const Word &b) {
  if (a.length != b.length)
    return false;
  for (size_t i = 0; i < a.length; ++i)
    if (a.text[i] != b.text[i])
      return false;
  return true;
}

// New words go to the end of their chain; true if it was one.
bool count(Word **chain, Word *word) {
  while (*chain) {
    if (same(**chain, *word)) {
      ++(*chain)->uses;
      return false;
    }
    chain = &(*chain)->next;
  }
  *chain = word;
  return true;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  Word *buckets[64] = {};
  std::vector<Word> words(size / 2 + 1);
  size_t used = 0;
  for (size_t at = 0; at < size;) {
    size_t begin = at;
    unsigned sum = 0;
    for (; at < size && !isBlank(data[at]); ++at)
      sum += data[at];
    if (at > begin) {
      words[used] = Word{data + begin, at - begin, 1, nullptr};
      used += count(&buckets[sum % 64], &words[used]);
    }
    ++at;
  }
  return 0;
}
