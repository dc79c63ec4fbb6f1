// Suite A: is this binary tree a search tree? By one of three methods, chosen by the first byte
// modulo 3: bounds handed down (linear), least and largest key of each subtree searched anew,
// lists in order joined by copying.
// Input: the method, then nodes of 2 bytes before their children: bits 15 and 14 say whether
// there is a left and a right child, the rest is the key.
// CLASS subtrees function=byExtremes,smallest,largest growth=1.7..2.3
//   method 1 on a search tree that is a path
// CLASS lists function=inOrder,byList,append growth=1.7..2.3
//   method 2 on a path, whose lists are copied at each node
// WORST the dearer of both, by measurement.
#include <cstddef>
#include <cstdint>
#include <vector>

namespace {

struct Node {
  int key;
  const Node *left, *right;
};

struct Tree {
  const uint8_t *at, *end;
  std::vector<Node> nodes; // reserved, never moved

  const Node *read() {
    if (end - at < 2)
      return nullptr;
    unsigned word = unsigned(at[0]) << 8 | at[1];
    at += 2;
    nodes.push_back(Node{static_cast<int>(word & 0x3fff), nullptr, nullptr});
    Node *node = &nodes.back();
    if (word & 0x8000)
      node->left = read();
    if (word & 0x4000)
      node->right = read();
    return node;
  }
};

bool byBounds(const Node *node, int low, int high) {
  if (!node)
    return true;
  return low < node->key && node->key < high && byBounds(node->left, low, node->key) &&
         byBounds(node->right, node->key, high);
}

int smallest(const Node *node) {
  int least = node->key;
  if (node->left) {
    int other = smallest(node->left);
    least = other < least ? other : least;
  }
  if (node->right) {
    int other = smallest(node->right);
    least = other < least ? other : least;
  }
  return least;
}

int largest(const Node *node) {
  int most = node->key;
  if (node->left) {
    int other = largest(node->left);
    most = other > most ? other : most;
  }
  if (node->right) {
    int other = largest(node->right);
    most = other > most ? other : most;
  }
  return most;
}

bool byExtremes(const Node *node) {
  if (!node)
    return true;
  if (node->left && largest(node->left) >= node->key)
    return false;
  if (node->right && smallest(node->right) <= node->key)
    return false;
  return byExtremes(node->left) && byExtremes(node->right);
}

void append(std::vector<int> &list, const std::vector<int> &more) {
  for (int key : more)
    list.push_back(key);
}

std::vector<int> inOrder(const Node *node) {
  std::vector<int> list;
  if (!node)
    return list;
  append(list, inOrder(node->left));
  list.push_back(node->key);
  append(list, inOrder(node->right));
  return list;
}

bool byList(const Node *node) {
  std::vector<int> list = inOrder(node);
  for (size_t i = 1; i < list.size(); ++i)
    if (list[i - 1] >= list[i])
      return false;
  return true;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size < 3)
    return 0;
  Tree tree{data + 1, data + size, {}};
  tree.nodes.reserve(size / 2);
  const Node *root = tree.read();
  bool valid = false;
  switch (data[0] % 3) {
  case 0: valid = byBounds(root, -1, 0x4000); break;
  case 1: valid = byExtremes(root); break;
  default: valid = byList(root);
  }
  return valid && size == 0;
}
