// Planted: a hash table of two-byte keys with the sum of the bytes as hash. Distinct keys of equal
// sum share one chain, which is walked on each insertion.
// EXPECT finding function=insertKey kind=loop mark=GUILTY slow=superlinear runs=600000
#include <cstddef>
#include <cstdint>
#include <cstdlib>

namespace {

struct Node {
  uint16_t key;
  uint32_t uses;
  Node *next;
};
constexpr size_t kBuckets = 512;

void insertKey(Node **table, uint16_t key) {
  Node **at = &table[((key & 0xff) + (key >> 8)) % kBuckets];
  while (*at && (*at)->key != key) { // GUILTY
    at = &(*at)->next;
  }
  if (!*at)
    *at = static_cast<Node *>(std::calloc(1, sizeof(Node)));
  (*at)->key = key;
  ++(*at)->uses;
}

void clear(Node **table) {
  for (size_t i = 0; i < kBuckets; ++i)
    while (Node *node = table[i]) {
      table[i] = node->next;
      std::free(node);
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static Node *table[kBuckets];
  for (size_t i = 0; i + 1 < size; i += 2)
    insertKey(table, static_cast<uint16_t>(data[i] << 8 | data[i + 1]));
  clear(table);
  return 0;
}
