// A fuzz target with a bit of everything whose counts optimisation could change: inlining, const
// and pure functions, unrolled and vectorised loops, tail recursion, switches, virtual calls,
// exceptions, library work, static locals.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

__attribute__((const, noinline)) int square(int n) { return n * n; }
__attribute__((pure, noinline)) int sumOf(const int *p, int n) {
  int sum = 0;
  for (int i = 0; i < n; ++i)
    sum += p[i];
  return sum;
}

int depth(int n) { return n <= 1 ? 0 : 1 + depth(n / 2); }
int tail(int n, int sum) { return n == 0 ? sum : tail(n - 1, sum + n); }

struct Node {
  virtual ~Node() = default;
  virtual int weigh(int n) const = 0;
};
struct Leaf final : Node {
  int weigh(int n) const override { return n & 1 ? square(n) : n; }
};
struct Pair final : Node {
  Leaf left, right;
  int weigh(int n) const override { return left.weigh(n) + right.weigh(n + 1); }
};

int parse(const std::string &text) {
  if (text.find('!') != std::string::npos)
    throw std::invalid_argument("exclamation");
  int state = 0;
  for (char c : text)
    switch (c) {
    case 'a': state += 1; break;
    case 'e': state *= 2; break;
    case ' ': state ^= 5; [[fallthrough]];
    case 'x': state -= 1; break;
    default: state += c > 'm' ? 3 : 4;
    }
  return state;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static std::map<int, int> seen;
  std::string text(reinterpret_cast<const char *>(data), size);
  std::vector<int> values(data, data + size);
  int sum = 0;
  try {
    sum += parse(text);
  } catch (const std::exception &) {
    sum -= 1;
  }
  seen.clear();
  for (int value : values)
    ++seen[value];
  for (size_t i = 0; i < size; ++i)
    sum += square(7) + square(7) + sumOf(values.data(), 4 < size ? 4 : 0);
  std::sort(values.begin(), values.end());
  Pair pair;
  Leaf leaf;
  const Node *nodes[] = {&pair, &leaf};
  for (int i = 0; i < 9; ++i)
    sum += nodes[i % 2]->weigh(i) + depth(i * 100) + tail(i, 0);
  char buffer[64];
  size_t copied = std::min(size, sizeof buffer - 1);
  memcpy(buffer, data, copied);
  buffer[copied] = 0;
  sum += static_cast<int>(strlen(buffer)) + (strchr(buffer, 'q') != nullptr);
  volatile int sink = sum;
  return sink - sink;
}
