// The search in parameter space against a harness made of function calls: values stay in their
// ranges, what can be listed is listed, both ends are kept, endless values are avoided.
#include "fuzzer/parameter_search.h"
#include "runtime/perfidy.h"
#include "sample_functions.h"
#include "test/unit/temporary_directory.h"

#include <cmath>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <map>
#include <set>
#include <string>

namespace {
std::map<std::string, std::string> flags;
}

extern "C" const char *perfidy_flag(const char *name) {
  auto found = flags.find(name);
  return found == flags.end() ? nullptr : found->second.c_str();
}

namespace perfidy {
namespace {

const char *const kSolvers[] = {"direct", "gradient", "coordinate"};

double choose(const char *name,
              int kind,
              double drawn,
              double low,
              double high,
              const char *const *values = nullptr) {
  int fresh = 0;
  return perfidy_parameters_choose(name, kind, drawn, low, high, values, &fresh);
}

/// What one run drew.
struct Drawn {
  double samples, solver, tolerance, depth, share;
};

// One run of the harness on an input.
Drawn run(const uint8_t *data, size_t length) {
  perfidy_parameters_begin(data, length);
  Drawn drawn;
  drawn.samples = choose("samples", PERFIDY_KIND_SCALE, 100, 16, 4096);
  drawn.solver = choose("solver", PERFIDY_KIND_ENUM, 0, 0, 2, kSolvers);
  drawn.tolerance = choose("tolerance", PERFIDY_KIND_LOG, 1e-4, 0, 1);
  drawn.depth = choose("depth", PERFIDY_KIND_INTEGER, 3, -2, 20);
  drawn.share = choose("share", PERFIDY_KIND_REAL, 0.5, 0, 1);
  return drawn;
}

perfidy_observation observationOf(const std::vector<uint8_t> &input, uint64_t cost, double size) {
  perfidy_observation seen = {};
  seen.data = input.data();
  seen.length = input.size();
  seen.cost = cost;
  seen.size = static_cast<uint64_t>(size);
  return seen;
}

/// Proposals and their runs; `cost` makes the cost of a run.
template <typename Cost>
void searchFor(ParameterSearch &search, size_t runs, uint64_t seed, Cost cost) {
  std::vector<uint8_t> buffer(4096);
  for (size_t i = 0; i < runs; ++i) {
    Random random(seed + i);
    size_t made = search.propose(buffer.data(), 0, buffer.size(), random);
    ASSERT_GT(made, 0u);
    std::vector<uint8_t> input(buffer.begin(), buffer.begin() + static_cast<std::ptrdiff_t>(made));
    Drawn drawn = run(input.data(), input.size());
    search.observe(observationOf(input, cost(drawn), drawn.samples), false);
  }
}

class ParameterSearchTest : public testing::Test {
protected:
  ParameterSearchTest() {
    flags.clear();
    run(nullptr, 0);
  }
};

TEST_F(ParameterSearchTest, ValuesReadBackAsWritten) {
  const ParameterSpace space = ParameterSpace::current();
  ASSERT_EQ(space.count, 5u);
  Random random(5);
  std::vector<uint8_t> buffer(4096);
  for (int i = 0; i < 2000; ++i) {
    ParameterVector vector;
    for (uint32_t p = 0; p < space.count; ++p)
      vector.put(p,
                 changeValue(space.parameters[p], drawValue(space.parameters[p], random), random));
    size_t length = writeVector(space, vector, nullptr, buffer.data(), 0, buffer.size());
    Drawn drawn = run(buffer.data(), length);
    const double read[] = {drawn.samples, drawn.solver, drawn.tolerance, drawn.depth, drawn.share};
    for (uint32_t p = 0; p < space.count; ++p) {
      EXPECT_EQ(read[p], vector.value[p]) << space.parameters[p].name;
      EXPECT_GE(vector.value[p], space.parameters[p].low);
      EXPECT_LE(vector.value[p], space.parameters[p].high);
      EXPECT_LT(binOf(space.parameters[p], vector.value[p]), kBins);
    }
  }
  EXPECT_EQ(writeVector(space, ParameterVector(), nullptr, buffer.data(), 0, 5), 0u);
}

TEST_F(ParameterSearchTest, LogarithmicDrawsCoverMagnitudes) {
  Random random(1);
  int tiny = 0, zero = 0;
  for (int i = 0; i < 1000; ++i) {
    double value = drawValue(ParameterSpace::current().parameters[2], random);
    tiny += value < 1e-9;
    zero += value == 0;
  }
  EXPECT_GT(tiny, 350);
  EXPECT_LT(tiny, 650);
  EXPECT_EQ(zero, 0);
}

TEST_F(ParameterSearchTest, ListsEveryEnumeratedValueAndEveryCorner) {
  ParameterSearch search;
  ASSERT_TRUE(search.start());
  std::set<double> solvers, tolerances, depths, shares;
  std::map<double, int> solverAtZero;
  searchFor(search, 120, 1, [&](const Drawn &drawn) {
    solvers.insert(drawn.solver);
    tolerances.insert(drawn.tolerance);
    depths.insert(drawn.depth);
    shares.insert(drawn.share);
    return uint64_t(1000);
  });
  EXPECT_EQ(solvers.size(), 3u);
  for (double corner : {0.0, 1.0, 1e-18})
    EXPECT_TRUE(tolerances.count(corner)) << corner;
  for (double corner : {-2.0, 20.0, 0.0, 1.0, -1.0, 19.0, 2.0})
    EXPECT_TRUE(depths.count(corner)) << corner;
  for (double corner : {0.0, 1.0, 0.5})
    EXPECT_TRUE(shares.count(corner)) << corner;
}

TEST_F(ParameterSearchTest, RunsOfASearchHaveOneSizeThatGrowsWhileCheap) {
  ParameterSearch search;
  ASSERT_TRUE(search.start());
  std::vector<double> sizes;
  searchFor(search, 1200, 1, [&](const Drawn &drawn) {
    sizes.push_back(drawn.samples);
    return uint64_t(drawn.samples * 100);
  });
  EXPECT_EQ(sizes.front(), 32);
  EXPECT_TRUE(std::is_sorted(sizes.begin(), sizes.end()));
  // 50 million / 400 = 125,000: reached with 2048 samples.
  EXPECT_EQ(sizes.back(), 2048);
}

TEST_F(ParameterSearchTest, KeepsBothEndsOfEachChoice) {
  sample::TemporaryDirectory directory;
  flags["keep"] = directory.path();
  ParameterSearch search;
  ASSERT_TRUE(search.start());
  auto cost = [](const Drawn &drawn) {
    return uint64_t(100000 * (drawn.solver + 1) + 5e6 * drawn.share * drawn.share);
  };
  searchFor(search, 3000, 1, cost);
  std::map<double, std::pair<double, double>> ends; // solver -> least, most share
  for (const auto &file : std::filesystem::directory_iterator(directory.path())) {
    std::ifstream in(file.path(), std::ios::binary);
    std::string bytes((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
    Drawn drawn = run(reinterpret_cast<const uint8_t *>(bytes.data()), bytes.size());
    auto [at, fresh] = ends.try_emplace(drawn.solver, drawn.share, drawn.share);
    at->second.first = std::min(at->second.first, drawn.share);
    at->second.second = std::max(at->second.second, drawn.share);
  }
  ASSERT_EQ(ends.size(), 3u);
  for (const auto &[solver, shares] : ends) {
    EXPECT_LT(shares.first, 0.1) << solver; // files follow clear gains only
    EXPECT_GT(shares.second, 0.8) << solver;
  }
}

TEST_F(ParameterSearchTest, AvoidsWhatAlwaysPassedTheBudget) {
  sample::TemporaryDirectory directory;
  // Left behind by earlier processes: depth 0 with the coordinate solver.
  for (int i = 0; i < 5; ++i) {
    std::ofstream out(directory.path() + "/censored-" + std::to_string(i));
    out << "#perfidy\nsamples=32\nsolver=coordinate\ntolerance=" << i * 0.1
        << "\ndepth=0\nshare=" << 0.11 * i << "\n";
  }
  auto hits = [&](const std::string &prefix) {
    flags["censored_prefix"] = prefix;
    ParameterSearch search;
    EXPECT_TRUE(search.start());
    int count = 0, others = 0;
    searchFor(search, 1500, 3, [&](const Drawn &drawn) {
      const bool endless = drawn.solver == 2 && drawn.depth == 0;
      count += endless;
      others += !endless && (drawn.solver == 2 || drawn.depth == 0);
      return endless ? uint64_t(0) : uint64_t(40'000'000);
    });
    EXPECT_GT(others, 300) << "single values that were fine elsewhere stay in use";
    return count;
  };
  EXPECT_GT(hits("/nowhere/"), 20);
  EXPECT_LE(hits(directory.path() + "/"), 2);
}

} // namespace
} // namespace perfidy
