// Persistent-mode main for PerfFuzz (an AFL 2.52), whose own driver knows no
// LLVMFuzzerTestOneInput.
#include <cstddef>
#include <cstdint>
#include <unistd.h>

extern "C" {
int LLVMFuzzerTestOneInput(const uint8_t *, size_t);
int __afl_persistent_loop(unsigned);
// What afl-fuzz looks for in the program's bytes.
__attribute__((used)) const char persistentSignature[] = "##SIG_AFL_PERSISTENT##";
}

static uint8_t input[1 << 20];

int main() {
  while (__afl_persistent_loop(1000)) {
    ssize_t got = read(0, input, sizeof input);
    if (got > 0)
      LLVMFuzzerTestOneInput(input, static_cast<size_t>(got));
  }
}
