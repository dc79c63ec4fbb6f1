// One way to burn cost for each first byte of the input; none of them ends in a lifetime.
#include <cstddef>
#include <cstdint>
#include <cstring>

#define FUNCTION __attribute__((noinline)) static

// No call, no store, an unknown number of iterations: the optimiser keeps its counter in a
// register.
FUNCTION uint64_t searchState(uint64_t state) {
  uint64_t steps = 0;
  for (; state != 0; ++steps)
    state = state * 6364136223846793005u + 1442695040888963407u;
  return steps;
}

// Each loop alone is known to end.
FUNCTION uint64_t nestedLoops(uint64_t size) {
  uint64_t sum = size;
  for (uint64_t i = 0; i < size << 20; ++i)
    for (uint64_t j = 0; j < size << 20; ++j)
      sum = (sum ^ j) * 31 + i;
  return sum;
}

FUNCTION uint64_t recursion(uint64_t depth) {
  return depth < 2 ? depth : recursion(depth - 1) + recursion(depth - 2);
}

// Becomes a loop after counters were inserted.
FUNCTION uint64_t tailCalls(uint64_t state, uint64_t steps) {
  return state == 0 ? steps
                    : tailCalls(state * 6364136223846793005u + 1442695040888963407u, steps + 1);
}

static char room[1 << 16];

// Nearly all cost is the library's.
FUNCTION uint64_t libraryWork(uint64_t size) {
  uint64_t sum = 0;
  for (uint64_t i = 0; i < size << 40; ++i) {
    memset(room, static_cast<int>(i + sum), sizeof room);
    sum += static_cast<uint64_t>(room[i % sizeof room]);
  }
  return sum;
}

FUNCTION uint64_t finiteLoop(const uint8_t *data, size_t size) {
  uint64_t sum = 0;
  for (size_t i = 0; i < size; ++i)
    for (size_t j = 0; j < size; ++j)
      sum = sum * 31 + (data[i] ^ data[j]);
  return sum;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size == 0)
    return 0;
  uint64_t result = 1;
  switch (data[0]) {
  case 's': result = searchState(size * 2 + 1); break;
  case 'n': result = nestedLoops(size); break;
  case 'r': result = recursion(90 + size); break;
  case 't': result = tailCalls(size * 2 + 1, 0); break;
  case 'w': result = libraryWork(size); break;
  default: result = finiteLoop(data, size);
  }
  return result == 7;
}
