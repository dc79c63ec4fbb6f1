// Suite A: insertion into a binary search tree that is never balanced; duplicates are ignored.
// Input: keys of 16 bits, high byte first; an odd last byte is ignored.
// CLASS path function=insert growth=1.7..2.3
//   the tree is a path
// WORST distinct keys, each at the end of the path of the ones before (sorted, reversed, zigzag).
#include <cstddef>
#include <cstdint>
#include <vector>

namespace {

struct Node {
  uint16_t key;
  Node *left, *right;
};

void insert(Node *&root, Node *fresh) {
  Node **at = &root;
  while (*at) {
    if (fresh->key == (*at)->key)
      return;
    at = fresh->key < (*at)->key ? &(*at)->left : &(*at)->right;
  }
  *at = fresh;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  std::vector<Node> nodes(size / 2);
  Node *root = nullptr;
  for (size_t i = 0; i < nodes.size(); ++i) {
    nodes[i] = Node{static_cast<uint16_t>(data[2 * i] << 8 | data[2 * i + 1]), nullptr, nullptr};
    insert(root, &nodes[i]);
  }
  return 0;
}
