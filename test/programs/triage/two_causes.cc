// Two planted causes, for tests of triage, pump, min, verify and diff:
// - for each '(' the rest of the input is searched for its ')';
// - each [key] is looked up in a list of those before it, so distinct keys are quadratic.
// With -DFIXED both are linear.
#include <cstddef>
#include <cstdint>

namespace {

constexpr size_t kMostKeys = 1u << 16;
struct Key {
  size_t begin, end;
} keys[kMostKeys];
size_t keyCount, skipped;

bool closeBracket(const uint8_t *data, size_t size, size_t from, bool *hopeless) {
#ifdef FIXED
  if (*hopeless)
    return false;
#endif
  for (size_t i = from; i < size; ++i) { // GUILTY
    if (data[i] == ')')
      return true;
    ++skipped;
  }
  *hopeless = true;
  return false;
}

bool sameKey(const uint8_t *data, Key a, Key b) {
  if (a.end - a.begin != b.end - b.begin)
    return false;
  for (size_t i = 0; i < a.end - a.begin; ++i)
    if (data[a.begin + i] != data[b.begin + i])
      return false;
  return true;
}

void addKey(const uint8_t *data, Key key) {
#ifndef FIXED
  for (size_t i = 0; i < keyCount; ++i)
    if (sameKey(data, keys[i], key))
      return;
#else
  if (keyCount > 0 && sameKey(data, keys[keyCount - 1], key))
    return;
#endif
  if (keyCount < kMostKeys)
    keys[keyCount++] = key;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  keyCount = 0;
  bool hopeless = false;
  size_t open = 0;
  for (size_t i = 0; i < size; ++i) {
    if (data[i] == '(' && !closeBracket(data, size, i + 1, &hopeless))
      ++open;
    if (data[i] == '[') {
      size_t end = i + 1;
      while (end < size && end < i + 12 && data[end] != ']')
        ++end;
      if (end < size && data[end] == ']')
        addKey(data, {i + 1, end});
    }
  }
  return open == size + 1;
}
