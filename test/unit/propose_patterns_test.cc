#include "tools/propose_patterns.h"

#include "fuzzer/random.h"
#include "tools/pattern_text.h"
#include "tools/periods.h"

#include <algorithm>
#include <fmt/format.h>
#include <gtest/gtest.h>

namespace perfidy {
namespace {

std::string repeated(const std::string &unit, size_t times) {
  std::string text;
  for (size_t i = 0; i < times; ++i)
    text += unit;
  return text;
}

// True if some proposal gives exactly these bytes at some number of repetitions, and others there.
bool reproduced(const std::string &bytes, const std::string &larger) {
  std::vector<PatternText> all = proposePatterns(bytes);
  return std::any_of(all.begin(), all.end(), [&](const PatternText &pattern) {
    return expandPattern(pattern, repetitionsWithin(pattern, bytes.size())) == bytes &&
           expandPattern(pattern, repetitionsWithin(pattern, larger.size())) == larger;
  });
}

TEST(Stretches, FindsLongPeriodsAndSeveralOfThem) {
  Random random(7);
  std::string unit(3000, ' ');
  for (char &c : unit)
    c = static_cast<char>(random.below(256));
  const std::string bytes = repeated("ab", 500) + repeated(unit, 4);
  std::vector<uint32_t> symbols;
  for (unsigned char c : bytes)
    symbols.push_back(c);
  std::vector<Stretch> found = repeatedStretches(symbols);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].period, 2u);
  EXPECT_EQ(found[0].count(), 500u);
  EXPECT_EQ(found[1].period, 3000u);
  EXPECT_EQ(found[1].count(), 4u);
}

TEST(Stretches, NothingInRandomSymbols) {
  Random random(1);
  std::vector<uint32_t> symbols(5000);
  for (uint32_t &symbol : symbols)
    symbol = static_cast<uint32_t>(random.below(256));
  EXPECT_TRUE(repeatedStretches(symbols).empty());
}

TEST(ProposePatterns, PrefixPumpSuffix) {
  EXPECT_TRUE(reproduced("x" + repeated("<?", 300) + "end", "x" + repeated("<?", 900) + "end"));
}

TEST(ProposePatterns, NestingScalesBothSides) {
  EXPECT_TRUE(reproduced(repeated("[", 200) + "1" + repeated("]", 200),
                         repeated("[", 700) + "1" + repeated("]", 700)));
}

TEST(ProposePatterns, UnequalCountsKeepTheirProportion) {
  EXPECT_TRUE(reproduced(repeated("- ", 100) + "x" + repeated("\n", 300),
                         repeated("- ", 400) + "x" + repeated("\n", 1200)));
  EXPECT_TRUE(reproduced(repeated("ab", 40) + "|" + repeated("c", 4000),
                         repeated("ab", 80) + "|" + repeated("c", 8000)));
}

TEST(ProposePatterns, CountersInThePump) {
  auto references = [](int count) {
    std::string text;
    for (int i = 1; i <= count; ++i)
      text += fmt::format("[{}]: a{:03}\n", i, 2 * i);
    return text;
  };
  EXPECT_TRUE(reproduced(references(120), references(700)));
  auto both = [](int count) {
    std::string text;
    for (int i = 1; i <= count; ++i)
      text += fmt::format("[k{}]:u\n", i);
    for (int i = 1; i <= count; ++i)
      text += fmt::format("[k{}]", i);
    return text;
  };
  EXPECT_TRUE(reproduced(both(150), both(300)));
}

TEST(ProposePatterns, WordsThatChangeBecomeCounters) {
  Random random(3);
  std::string bytes = "{";
  for (int i = 0; i < 80; ++i) {
    std::string key(6, ' ');
    for (char &c : key)
      c = static_cast<char>('a' + random.below(26));
    bytes += "\"" + key + "\":1,";
  }
  std::vector<PatternText> all = proposePatterns(bytes);
  EXPECT_TRUE(std::any_of(all.begin(), all.end(), [](const PatternText &pattern) {
    return expandPattern(pattern, 2).find("\"100000\":1,\"100001\":1,") != std::string::npos;
  }));
}

TEST(ProposePatterns, NoisyRepetitionsGiveTheirToken) {
  Random random(5);
  std::string bytes;
  while (bytes.size() < 2000)
    bytes += "<!" + std::string(1, static_cast<char>('a' + random.below(26)));
  std::vector<PatternText> all = proposePatterns(bytes);
  EXPECT_TRUE(std::any_of(
      all.begin(), all.end(), [](const PatternText &pattern) { return pattern.pump == "<!"; }));
}

TEST(ProposePatterns, WithoutAPeriodTheWholeIsProposed) {
  const std::vector<PatternText> all = proposePatterns("no period here");
  EXPECT_TRUE(std::any_of(all.begin(), all.end(), [](const PatternText &pattern) {
    return pattern.pump == "no period here";
  }));
  EXPECT_TRUE(proposePatterns("").empty());
}

} // namespace
} // namespace perfidy
