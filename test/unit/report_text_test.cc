#include "tools/report_text.h"

#include "test/unit/sample_findings.h"
#include "tools/escape.h"
#include "tools/readable.h"

#include <gtest/gtest.h>

namespace perfidy {
namespace {

std::string written(const Findings &findings, bool colour = false) {
  std::ostringstream out;
  writeText(findings, out, colour);
  return out.str();
}

bool contains(const std::string &text, const std::string &part) {
  return text.find(part) != std::string::npos;
}

/// Drops ANSI colour sequences.
std::string withoutColour(const std::string &text) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\x1b')
      i = text.find('m', i);
    else
      out += text[i];
  }
  return out;
}

TEST(ReportText, matchesGolden) {
  const std::string text = written(sample::findings());
  EXPECT_EQ(text, sample::golden("report.txt", text));
}

TEST(ReportText, bareFindingMatchesGolden) {
  const std::string text = written(sample::bareFindings());
  EXPECT_EQ(text, sample::golden("report_bare.txt", text));
}

TEST(ReportText, beginsWithADiagnostic) {
  const std::string text = written(sample::findings());
  const std::string first = text.substr(0, text.find('\n'));
  EXPECT_EQ(0u, first.find("src/inlines.c:862:3: warning: inputs of 64 KiB differ 136x")) << first;
  EXPECT_TRUE(first.ends_with(" [perfidy-differential-cost]")) << first;
  EXPECT_TRUE(contains(text, "\nsrc/scanners.c:4851: note: call in "));
}

TEST(ReportText, saysHowMuchAndHowFarToBelieve) {
  const std::string text = written(sample::findings());
  EXPECT_TRUE(contains(text, "136x at 64 KiB, growing as n^0.98"));
  EXPECT_TRUE(
      contains(text, "n^2, exponent 1.98 (95 %: 1.96 to 2.01), held-out rung off by 0.3 %"));
  EXPECT_TRUE(contains(text, "\"<?\" x k + \"\\n\""));
  EXPECT_TRUE(contains(text, "inputs it has never seen. [34 classes, 294 runs]"));
  EXPECT_TRUE(contains(text, "        492,100,563          3,605,718      136x *\n"));
}

TEST(ReportText, longLaddersAreThinnedButKeepBothEnds) {
  Findings findings = sample::findings();
  findings.findings[0].slow.points.clear();
  for (uint64_t i = 1; i <= 40; ++i)
    findings.findings[0].slow.points.push_back({1000 + i, i, false, false});
  findings.findings[0].fast.points = findings.findings[0].slow.points;
  const std::string text = written(findings);
  EXPECT_TRUE(contains(text, " 1,001 "));
  EXPECT_TRUE(contains(text, " 1,040 "));
  EXPECT_FALSE(contains(text, " 1,002 "));
}

TEST(ReportText, nothingFoundIsOneSentenceAndNotes) {
  Findings findings;
  findings.target = "quiet_fuzz";
  findings.notes = {"only 3 classes"};
  EXPECT_EQ(
      "No differential performance bug found in quiet_fuzz: inputs of the same size cost about "
      "the same in all runs seen.\nNotes:\n  only 3 classes\n",
      written(findings));
}

TEST(ReportText, colourChangesNothingElse) {
  const std::string plain = written(sample::findings());
  const std::string coloured = written(sample::findings(), true);
  EXPECT_FALSE(contains(plain, "\x1b"));
  EXPECT_TRUE(contains(coloured, "\x1b[1;35mwarning:\x1b[0m"));
  EXPECT_EQ(plain, withoutColour(coloured));
}

TEST(ReportText, namesCannotSteerTheTerminal) {
  Findings findings = sample::findings();
  const std::string evil = "a\x1b]0;x\x07"
                           "b\nc\xe2\x80\xae"
                           "d\xc2\x9b"
                           "e\xff";
  Finding &finding = findings.findings[0];
  finding.message = finding.id = finding.gap.kind = finding.pair.slowPath = evil;
  finding.slow.model = finding.slow.formula = finding.validation.verdict = evil;
  RegionFinding &region = finding.regions[0];
  region.function = region.file = region.kind = region.metric = region.why = evil;
  findings.target = findings.notes[0] = findings.reproduce[0] = findings.sizeUnit = evil;
  const std::string text = written(findings);
  for (const char *bad : {"\x1b", "\x07", "b\nc", "\xe2\x80\xae", "\xc2\x9b", "\xff"})
    EXPECT_FALSE(contains(text, bad)) << bad;
  EXPECT_TRUE(contains(text, "a\\x1b]0;x\\x07b\\x0ac\\u{202e}d\\x9be\\xff"));
}

TEST(Readable, numbers) {
  EXPECT_EQ("342", readableNumber(342));
  EXPECT_EQ("1.2", readableNumber(1.2));
  EXPECT_EQ("0.05", readableNumber(0.05));
  EXPECT_EQ("9999", readableNumber(9999));
  EXPECT_EQ("16.4 k", readableNumber(16'384));
  EXPECT_EQ("492 M", readableNumber(492'100'563));
  EXPECT_EQ("0", readableNumber(-0.0));
  EXPECT_EQ("n/a", readableNumber(std::numeric_limits<double>::infinity()));
  EXPECT_EQ("999", grouped(999));
  EXPECT_EQ("1,000", grouped(1000));
  EXPECT_EQ("18,446,744,073,709,551,615", grouped(~0ull));
  EXPECT_EQ("64 KiB", readableSize(65'536, "bytes"));
  EXPECT_EQ("65,537 bytes", readableSize(65'537, "bytes"));
  EXPECT_EQ("65,536 nodes", readableSize(65'536, "nodes"));
  EXPECT_EQ("0 bytes", readableSize(0, "bytes"));
  EXPECT_EQ("68 %", readablePercent(0.684));
  EXPECT_EQ("<0.1 %", readablePercent(0.0003));
  EXPECT_EQ("1.5x", readableRatio(1.457));
}

TEST(Readable, patterns) {
  EXPECT_EQ("\"\"", patternExpression({}));
  EXPECT_EQ("\"a\" + \"(\" x k + \"b\" + \")\" x k + \"c\"",
            patternExpression({"a", "(", "b", ")", "c"}));
  EXPECT_EQ("\"\\x00\\\"\\\\\\n\\xff\"", quotedBytes(std::string("\0\"\\\n\xff", 5)));
  EXPECT_EQ("\"aa\"... (3 more bytes)", quotedBytes("aaaaa", 2));
}

} // namespace
} // namespace perfidy
