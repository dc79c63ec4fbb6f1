#include "tools/input_features.h"

#include <cmath>
#include <gtest/gtest.h>
#include <map>
#include <set>

namespace perfidy {
namespace {

double feature(const std::string &bytes, const std::string &name) {
  for (const auto &[key, value] : inputFeatures(bytes))
    if (key == name)
      return value;
  ADD_FAILURE() << "no feature " << name;
  return -1;
}

TEST(InputFeatures, NamesAreDistinctAndInAFixedOrder) {
  const auto empty = inputFeatures(""), some = inputFeatures("a(b)");
  std::set<std::string> names;
  ASSERT_EQ(empty.size(), some.size());
  for (size_t i = 0; i < some.size(); ++i) {
    EXPECT_EQ(empty[i].first, some[i].first);
    names.insert(some[i].first);
  }
  EXPECT_EQ(names.size(), some.size());
}

TEST(InputFeatures, EmptyInputIsAllZero) {
  for (const auto &[name, value] : inputFeatures(""))
    EXPECT_EQ(value, 0) << name;
}

TEST(InputFeatures, SharesOfKindsOfBytes) {
  const std::string bytes = "ab1 \n(\"\xc3\xa9'"; // ten bytes
  ASSERT_EQ(bytes.size(), 10u);
  EXPECT_DOUBLE_EQ(feature(bytes, "share of letters"), 0.2);
  EXPECT_DOUBLE_EQ(feature(bytes, "share of digits"), 0.1);
  EXPECT_DOUBLE_EQ(feature(bytes, "share of white space"), 0.2);
  EXPECT_DOUBLE_EQ(feature(bytes, "share of line ends"), 0.1);
  EXPECT_DOUBLE_EQ(feature(bytes, "share of punctuation"), 0.3);
  EXPECT_DOUBLE_EQ(feature(bytes, "share of opening brackets"), 0.1);
  EXPECT_DOUBLE_EQ(feature(bytes, "share of quotes"), 0.2);
  EXPECT_DOUBLE_EQ(feature(bytes, "share of bytes over 127"), 0.2);
}

TEST(InputFeatures, FrequenciesAndEntropy) {
  EXPECT_DOUBLE_EQ(feature("aaab", "share of the most frequent byte"), 0.75);
  EXPECT_DOUBLE_EQ(feature("aaab", "number of distinct bytes"), 2);
  EXPECT_DOUBLE_EQ(feature("aaaa", "byte entropy in bits"), 0);
  EXPECT_DOUBLE_EQ(feature("abab", "byte entropy in bits"), 1);
  EXPECT_DOUBLE_EQ(feature("abcd", "byte entropy in bits"), 2);
}

TEST(InputFeatures, LongestRun) {
  const std::string name = "longest run of one byte per byte of input";
  EXPECT_DOUBLE_EQ(feature("aabbbbcc", name), 0.5);
  EXPECT_DOUBLE_EQ(feature("aaaa", name), 1);
  EXPECT_DOUBLE_EQ(feature("abcd", name), 0.25);
}

TEST(InputFeatures, NestingDepth) {
  const std::string name = "nesting depth per byte";
  EXPECT_DOUBLE_EQ(feature("([{<>}])", name), 0.5);
  EXPECT_DOUBLE_EQ(feature("()()()()", name), 0.125) << "side by side is not deep";
  EXPECT_DOUBLE_EQ(feature("))))((((", name), 0.5) << "closing ones too many do not count";
}

TEST(InputFeatures, Words) {
  const std::string name = "words per byte";
  EXPECT_DOUBLE_EQ(feature("one two_2 ", name), 0.2);
  EXPECT_DOUBLE_EQ(feature("....", name), 0);
  EXPECT_DOUBLE_EQ(feature("\xc3\xa4\xc3\xb6", name), 0.25) << "letters beyond ASCII";
}

TEST(InputFeatures, FreeOfScale) {
  const std::string once = "key = [1, 2]; ";
  std::string often;
  for (int i = 0; i < 64; ++i)
    often += once;
  const auto small = inputFeatures(once), large = inputFeatures(often);
  for (size_t i = 0; i < small.size(); ++i)
    if (small[i].first.find("longest run") != 0 && small[i].first.find("nesting") != 0) {
      EXPECT_NEAR(small[i].second, large[i].second, 1e-9) << small[i].first;
    }
}

TEST(InputFeatures, EveryByteValueIsFine) {
  std::string bytes;
  for (int c = 0; c < 256; ++c)
    bytes += static_cast<char>(c);
  for (const auto &[name, value] : inputFeatures(bytes))
    EXPECT_TRUE(std::isfinite(value) && value >= 0) << name;
  EXPECT_DOUBLE_EQ(feature(bytes, "byte entropy in bits"), 8);
  EXPECT_DOUBLE_EQ(feature(bytes, "share of letters"), 52.0 / 256);
}

} // namespace
} // namespace perfidy
