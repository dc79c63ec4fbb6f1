// The baseline that published fuzzers have to beat: an in-process (1+1) hill climber on total cost
// at one size, ties accepted. No coverage, no corpus, no patterns.
//
// climber SIZE CPU_SECONDS SEED OUT [START]: writes its best input to OUT at the end. Links with an
// instrumented target and the runtime, in place of an engine.
#include "runtime/session.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <iterator>
#include <random>
#include <vector>

extern "C" int target_run(const uint8_t *, size_t) __asm__("LLVMFuzzerTestOneInput.perfidy");
extern "C" int target_initialize(int *, char ***) __asm__("LLVMFuzzerInitialize.perfidy")
    __attribute__((weak));

using Bytes = std::vector<uint8_t>;

static uint64_t costOf(const Bytes &input) {
  perfidy_window_begin(input.data(), input.size());
  target_run(input.data(), input.size());
  return perfidy_window_end()->cost;
}

static void change(Bytes &input, std::mt19937_64 &random) {
  auto position = [&] { return random() % input.size(); };
  size_t from = position(), to = position();
  switch (random() % 6) {
  case 0: input[to] = static_cast<uint8_t>(random()); break;
  case 1: input[to] = static_cast<uint8_t>(input[to] + random() % 9 - 4); break;
  case 2: input[to] = static_cast<uint8_t>(input[to] ^ 1u << random() % 8); break;
  case 3: input[to] = input[from]; break;
  case 4: std::swap(input[to], input[from]); break;
  default: // a block of up to 16 bytes, to another place
    for (size_t left = 1 + random() % 16; left > 0 && std::max(from, to) < input.size(); --left)
      input[to++] = input[from++];
  }
}

int main(int argc, char **argv) {
  if (argc < 5)
    return 2;
  perfidy_session_start(argc, argv);
  if (target_initialize)
    target_initialize(&argc, &argv);
  size_t size = std::strtoull(argv[1], nullptr, 10);
  double seconds = std::strtod(argv[2], nullptr);
  std::mt19937_64 random(std::strtoull(argv[3], nullptr, 10));
  Bytes best(size);
  std::generate(best.begin(), best.end(), [&] { return static_cast<uint8_t>(random()); });
  if (argc > 5) {
    std::ifstream file(argv[5], std::ios::binary);
    best.assign(std::istreambuf_iterator<char>(file), {});
    best.resize(size);
  }
  uint64_t cost = costOf(best), runs = 1;
  for (; runs % 16 || static_cast<double>(std::clock()) < seconds * CLOCKS_PER_SEC; ++runs) {
    Bytes next = best;
    for (size_t changes = random() % 2 ? 1 : 1 + random() % 4; changes > 0; --changes)
      change(next, random);
    uint64_t nextCost = costOf(next);
    if (nextCost >= cost) {
      cost = nextCost;
      best.swap(next);
    }
  }
  std::ofstream(argv[4], std::ios::binary).write(reinterpret_cast<char *>(best.data()), size);
  std::printf("%llu after %llu runs\n", (unsigned long long)cost, (unsigned long long)runs);
}
