// Suite A: a cache of 100 entries as a list, searched from its front; what is used moves to the
// front, what was used least recently leaves.
// Input: one access per byte.
// CLASS thrashing function=access growth=0.8..2.3
//   more different keys than there are entries, in turn; quadratic up to 100 bytes, then linear
//   at a hundred times the cost of a hit at the front
// WORST 101 keys or more in turn: each access walks the full list and replaces an entry.
#include <cstddef>
#include <cstdint>
#include <cstdlib>

namespace {

struct Entry {
  uint8_t key;
  Entry *next;
};

constexpr size_t kCapacity = 100;

struct Cache {
  Entry *front = nullptr;
  size_t entries = 0;

  // True on a hit.
  bool access(uint8_t key) {
    Entry **at = &front;
    while (*at && (*at)->key != key) {
      if (!(*at)->next && entries == kCapacity)
        break;
      at = &(*at)->next;
    }
    Entry *entry = *at;
    bool hit = entry && entry->key == key;
    if (entry) {
      *at = entry->next;
    } else {
      entry = static_cast<Entry *>(std::malloc(sizeof(Entry)));
      ++entries;
    }
    *entry = Entry{key, front};
    front = entry;
    return hit;
  }
};

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  Cache cache;
  size_t hits = 0;
  for (size_t i = 0; i < size; ++i)
    hits += cache.access(data[i]);
  while (Entry *entry = cache.front) {
    cache.front = entry->next;
    std::free(entry);
  }
  return hits == size + 1;
}
