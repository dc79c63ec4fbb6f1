// Functions left by exceptions and longjmp from every depth: entry counts must be exact all the
// same. No std::string: its members are counted by us, but not by LLVM's profile, which calls the
// copies compiled into libstdc++ (extern template).
#include <csetjmp>
#include <stdexcept>
#include <vector>

struct Guard {
  explicit Guard(int &count) : count(count) { ++count; }
  ~Guard() { --count; }
  int &count;
};

template <typename T> T thrower(T n, int &count) {
  Guard guard(count);
  if (n % 13 == 12)
    throw std::runtime_error("twelve");
  if (n % 7 == 6)
    throw n;
  return n <= 0 ? 0 : thrower<T>(n - 1, count) + 1;
}

int catcher(int n) {
  int count = 0, caught = 0;
  for (int i = 0; i < n; ++i)
    try {
      caught += thrower<int>(i, count);
    } catch (const std::exception &) {
      try {
        thrower<long>(i, count);
      } catch (...) {
        ++caught;
      }
    } catch (int) {
      caught += 2;
    }
  return caught + count;
}

int nothrow(int n) noexcept { return n > 3 ? nothrow(n - 3) + 1 : n; }

static std::jmp_buf back;
void leap(int n) {
  if (n == 0)
    std::longjmp(back, 1);
  leap(n - 1);
}
int leaps(int n) {
  volatile int left = n;
  if (setjmp(back) == 0 || left > 0) {
    left = left - 1;
    if (left >= 0)
      leap(left % 5);
  }
  return left;
}

int main() {
  std::vector<std::vector<int>> words;
  for (int i = 0; i < 50; ++i)
    words.emplace_back(3, catcher(i));
  return static_cast<int>(words.size()) + nothrow(100) + leaps(30) == 7;
}
