// Parses arithmetic into a tree and evaluates it.
//
// SEED "1+(2)"
// PLANTED BUG_RETRY kind=backtracking function=parseSum exponent=exponential
// PLANTED BUG_DEPTH kind=recursion_without_memo function=depthOf exponent=2
// PLANTED BUG_TWICE kind=recursion_without_memo function=evaluate exponent=exponential
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>

namespace {

struct Node {
  char symbol = 0; ///< '+', '-', or a digit
  const Node *left = nullptr, *right = nullptr;
  int depth = 1;
};

constexpr int kDeepest = 10000;

class Parser {
public:
  Parser(const char *at, const char *end) : at_(at), end_(end) {}

  // sum = term ['+' sum | '-' sum]
  const Node *parseSum(int level) { // GUILTY_RETRY
    const char *start = at_;
    const Node *left = parseTerm(level);
    if (!left || at_ == end_)
      return left;
#ifdef BUG_RETRY
    if (*at_ == '+') {
      ++at_;
      return make('+', left, parseSum(level + 1));
    }
    at_ = start; // the other alternative starts from here
    left = parseTerm(level);
#else
    (void)start;
    if (*at_ == '+') {
      ++at_;
      return make('+', left, parseSum(level + 1));
    }
#endif
    if (at_ == end_ || *at_ != '-')
      return left;
    ++at_;
    return make('-', left, parseSum(level + 1));
  }

  bool atEnd() const { return at_ == end_; }
  void skip() { ++at_; }

private:
  const Node *parseTerm(int level) {
    if (at_ == end_ || level > kDeepest)
      return nullptr;
    char c = *at_;
    if (c >= '0' && c <= '9') {
      ++at_;
      return make(c, nullptr, nullptr);
    }
    if (c != '(')
      return nullptr;
    ++at_;
    const Node *inner = parseSum(level + 1);
    if (at_ < end_ && *at_ == ')')
      ++at_;
    return inner;
  }

  // Depth of a tree, to refuse those that are too deep to evaluate.
  static int depthOf(const Node *node) { // GUILTY_DEPTH
    if (!node)
      return 0;
#ifdef BUG_DEPTH
    return 1 + std::max(depthOf(node->left), depthOf(node->right));
#else
    return node->depth;
#endif
  }

  const Node *make(char symbol, const Node *left, const Node *right) {
    int depth = 1 + std::max(depthOf(left), depthOf(right));
    if (depth > kDeepest)
      return left;
    nodes_.push_back({symbol, left, right, depth});
    return &nodes_.back();
  }

  const char *at_, *end_;
  std::deque<Node> nodes_;
};

unsigned evaluate(const Node *node) { // GUILTY_TWICE
  if (!node)
    return 0;
  if (node->symbol >= '0' && node->symbol <= '9')
    return static_cast<unsigned>(node->symbol - '0');
#ifdef BUG_TWICE
  if (evaluate(node->right) == 0) // adding nothing
    return evaluate(node->left);
  unsigned right = evaluate(node->right);
#else
  unsigned right = evaluate(node->right);
#endif
  unsigned left = evaluate(node->left);
  return node->symbol == '+' ? left + right : left - right;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const char *text = reinterpret_cast<const char *>(data);
  Parser parser(text, text + size);
  unsigned sum = 0;
  while (!parser.atEnd()) {
    const Node *tree = parser.parseSum(0);
    sum += evaluate(tree);
    if (!tree && !parser.atEnd())
      parser.skip();
  }
  return sum == 0xffffffffu;
}
