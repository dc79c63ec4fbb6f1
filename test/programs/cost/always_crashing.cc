// Bad use: crashes on every input.
#include <cstddef>
#include <cstdint>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *, size_t) { std::abort(); }
