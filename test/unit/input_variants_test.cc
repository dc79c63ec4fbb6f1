#include "tools/input_variants.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <set>

namespace perfidy {
namespace {

TEST(EqualSizeVariants, KeepTheSizeAndDiffer) {
  const std::string bytes = "parameters";
  const std::vector<std::string> variants = equalSizeVariants(bytes, 250);
  EXPECT_EQ(std::set<std::string>(variants.begin(), variants.end()).size(), variants.size());
  for (const std::string &variant : variants) {
    EXPECT_EQ(variant.size(), bytes.size());
    EXPECT_NE(variant, bytes);
  }
  for (size_t at = 0; at < bytes.size(); ++at) {
    std::string one = bytes;
    one[at] = '\0';
    EXPECT_TRUE(std::count(variants.begin(), variants.end(), one)) << "byte " << at;
  }
}

TEST(EqualSizeVariants, AreLimited) {
  EXPECT_EQ(equalSizeVariants(std::string(5000, 'q'), 100).size(), 100u);
  EXPECT_TRUE(equalSizeVariants("", 100).empty() || equalSizeVariants("", 100).size() == 0);
}

TEST(LookAlikes, StopTheCounter) {
  PatternText pattern{"", "[]", "", "", ""};
  pattern.counters = {{false, 1, 1, 1, 0}};
  const std::vector<PatternText> alike = lookAlikes(pattern);
  EXPECT_TRUE(std::any_of(alike.begin(), alike.end(), [](const PatternText &one) {
    return one.pump == "[]" && one.counters.empty();
  }));
}

TEST(LookAlikes, EveryOneRepeatsSomething) {
  for (const PatternText &pattern :
       {PatternText{"x", "<?", "", "", "y"}, PatternText{"", "(", "1", ")", ""}})
    for (const PatternText &one : lookAlikes(pattern))
      EXPECT_FALSE(one.pump.empty());
}

} // namespace
} // namespace perfidy
