// Planted: for each '(' the rest of the input is searched for its ')'. Without any ')' that is
// quadratic. The search also counts what it skips, so it writes and is itself to blame.
// EXPECT finding function=closeBracket kind=loop mark=GUILTY slow=quadratic runs=30000
#include <cstddef>
#include <cstdint>

static size_t skipped;

static bool closeBracket(const uint8_t *data, size_t size, size_t from) {
  for (size_t i = from; i < size; ++i) { // GUILTY
    if (data[i] == ')')
      return true;
    ++skipped;
  }
  return false;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  size_t open = 0;
  for (size_t i = 0; i < size; ++i)
    if (data[i] == '(' && !closeBracket(data, size, i + 1))
      ++open;
  return open == size + 1;
}
