// Suite A: a chained hash table whose hash is the sum of the bytes of the key.
// Input: keys of 4 bytes; a rest of up to 3 bytes is ignored.
// CLASS one_chain function=insert growth=1.7..2.3
//   distinct keys of equal sum modulo 64
// WORST all keys distinct and in one chain.
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

namespace {

struct Entry {
  uint32_t key, uses;
  Entry *next;
};

unsigned weakHash(const uint8_t *bytes) {
  return (bytes[0] + bytes[1] + bytes[2] + bytes[3]) % 64u;
}

// True if `fresh` was added, false if its key was there.
bool insert(Entry **bucket, Entry *fresh) {
  for (Entry *entry = *bucket; entry; entry = entry->next)
    if (entry->key == fresh->key) {
      ++entry->uses;
      return false;
    }
  fresh->next = *bucket;
  *bucket = fresh;
  return true;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  Entry *buckets[64] = {};
  std::vector<Entry> entries(size / 4);
  size_t used = 0;
  for (size_t i = 0; i + 4 <= size; i += 4) {
    Entry &fresh = entries[used];
    std::memcpy(&fresh.key, data + i, 4);
    fresh.uses = 1;
    used += insert(&buckets[weakHash(data + i)], &fresh);
  }
  return 0;
}
