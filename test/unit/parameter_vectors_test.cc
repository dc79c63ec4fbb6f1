#include "tools/parameter_vectors.h"

#include <gtest/gtest.h>
#include <set>

namespace perfidy {
namespace {

Declared declared() {
  Declared all;
  all["kernel"] = {ParameterKind::Enum, 0, 2, {"linear", "poly", "rbf"}};
  all["C"] = {ParameterKind::Log, 1e-6, 1e6, {}};
  all["depth"] = {ParameterKind::Integer, 0, 9, {}};
  all["samples"] = {ParameterKind::Scale, 16, 1024, {}};
  return all;
}

/// A corpus of one size: kernel rbf with depth 9 is dear.
struct Corpus {
  Trace trace;
  std::vector<size_t> runOf;
  std::vector<std::string> bytes;

  Corpus() {
    Function function;
    function.blocks.resize(1);
    function.blocks[0].instructions = 1;
    trace.functions.push_back(function);
    trace.blockTotal = 1;
    for (int i = 0; i < 60; ++i) {
      Run run;
      run.size = 64;
      run.parameters = {{"kernel", i % 3}, {"C", 1.0 + i}, {"depth", i % 10}, {"samples", 64}};
      run.cost = i % 3 == 2 && i % 10 == 9 ? 100000 : 1000 + static_cast<uint64_t>(i);
      run.blocks = {{0, run.cost}};
      runOf.push_back(trace.runs.size());
      bytes.push_back("body\n#perfidy\nC=1\n");
      trace.runs.push_back(run);
    }
  }
};

TEST(ParameterVectors, InputsAreTextThatNamesValues) {
  NamedVector vector{"ab", {{"kernel", 2}, {"C", 31.5}, {"depth", 3}}};
  const std::string text = inputOf(vector, declared(), {{"samples", 128}}, "samples");
  EXPECT_EQ(text, "ab\n#perfidy\nC=31.5\ndepth=3\nkernel=rbf\nsamples=128\nperfidy.size=samples\n");
  EXPECT_EQ(bodyOf(text), "ab");
  vector.body.clear();
  EXPECT_EQ(bodyOf(inputOf(vector, declared(), {}, "")), "");
  EXPECT_EQ(bodyOf("no vector\n"), "no vector\n");
}

TEST(ParameterVectors, DearOnesAreVariedAndUsualOnesDrawn) {
  const Corpus corpus;
  const std::vector<NamedVector> vectors =
      chooseVectors(corpus.trace, corpus.runOf, corpus.bytes, {}, declared());
  EXPECT_EQ(vectors.front().values.at("kernel"), 2);
  EXPECT_EQ(vectors.front().values.at("depth"), 9);
  EXPECT_EQ(vectors.front().body, "body");
  size_t dear = 0, half = 0;
  std::set<std::string> distinct;
  for (const NamedVector &vector : vectors) {
    distinct.insert(inputOf(vector, declared(), {}, ""));
    dear += vector.values.at("kernel") == 2 && vector.values.at("depth") == 9;
    half += (vector.values.at("kernel") == 2) != (vector.values.at("depth") == 9);
    EXPECT_FALSE(vector.values.count("samples"));
    EXPECT_GE(vector.values.at("C"), 1e-6);
  }
  EXPECT_EQ(distinct.size(), vectors.size());
  EXPECT_GE(dear, 6u) << "enough of them that some can be held out";
  EXPECT_GE(half, 20u) << "what only half fits tells which part matters";
  EXPECT_GT(vectors.size(), 90u);
}

TEST(ParameterVectors, StoppedOnesAreVariedToo) {
  const Corpus corpus;
  const std::vector<NamedVector> vectors =
      chooseVectors(corpus.trace,
                    corpus.runOf,
                    corpus.bytes,
                    {"#perfidy\nkernel=poly\nC=0.125\ndepth=7\nsamples=64\n"},
                    declared());
  size_t alike = 0;
  for (const NamedVector &vector : vectors)
    alike += (vector.values.at("kernel") == 1) + (vector.values.at("C") == 0.125) +
                 (vector.values.at("depth") == 7) >=
             2;
  EXPECT_GE(alike, 6u);
}

} // namespace
} // namespace perfidy
