// Planted: strlen in the condition of a loop. The time is burnt in the C library, the fault is the
// loop. Inputs with an early NUL are fast.
// EXPECT finding function=countSpaces kind=loop mark=GUILTY slow=quadratic runs=30000
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>

static size_t countSpaces(char *text) {
  size_t spaces = 0;
  for (size_t i = 0; i < strlen(text); ++i) { // GUILTY
    if (text[i] == ' ') {
      text[i] = '_';
      ++spaces;
    }
  }
  return spaces;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  char *text = static_cast<char *>(std::malloc(size + 1));
  std::memcpy(text, data, size);
  text[size] = 0;
  size_t spaces = countSpaces(text);
  // The rest is looked at whatever the text is, so that short texts are no refused inputs.
  unsigned sum = 0;
  for (size_t i = 0; i < size; ++i)
    sum += data[i];
  std::free(text);
  return spaces + sum == size_t(-1);
}
