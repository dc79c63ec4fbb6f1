#include "tools/report_html.h"

#include "test/unit/sample_findings.h"
#include "tools/escape.h"
#include "tools/findings_json.h"
#include "tools/source_excerpt.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <regex>

namespace perfidy {
namespace {

using Json = nlohmann::ordered_json;

const std::string kDataBegin = "<script type=\"application/json\" id=\"data\">";

std::string written(const Findings &findings) {
  std::ostringstream out;
  writeHtml(findings, out);
  return out.str();
}

bool contains(const std::string &text, const std::string &part) {
  return text.find(part) != std::string::npos;
}

size_t countOf(const std::string &text, const std::string &part) {
  size_t count = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
    ++count;
  return count;
}

/// What a browser takes as the content of the data element: all up to the first "</script".
std::string dataOf(const std::string &page) {
  const size_t from = page.find(kDataBegin) + kDataBegin.size();
  return page.substr(from, page.find("</script", from) - from);
}

/// The page without what is filled in: the shell as it is embedded.
std::string shellOf(const std::string &page) {
  const size_t from = page.find(kDataBegin) + kDataBegin.size();
  return page.substr(0, page.find("<noscript>")) + page.substr(page.find("</script", from));
}

/// A folder with one source file of numbered lines, gone when the test ends.
class SourceFolder {
public:
  explicit SourceFolder(const std::string &name, int lines = 40) {
    std::filesystem::create_directories(path);
    std::ofstream out(path + "/" + name);
    for (int i = 1; i <= lines; ++i)
      out << "line " << i << " </script>\r\n";
  }
  ~SourceFolder() { std::filesystem::remove_all(path); }
  const std::string path = testing::TempDir() + "perfidy_source_" +
                           testing::UnitTest::GetInstance()->current_test_info()->name();
};

RegionFinding
regionIn(const std::string &directory, const std::string &file, uint32_t line, uint32_t end) {
  RegionFinding region;
  region.directory = directory;
  region.file = file;
  region.line = line;
  region.endLine = end;
  return region;
}

TEST(ReportHtml, dataIsTheFindingsDocument) {
  const Json data = Json::parse(dataOf(written(sample::findings())));
  EXPECT_EQ(sample::kHostileName, data["findings"][0]["regions"][1]["function"]);
  Json expected = findingsToJson(sample::findings());
  for (Json &region : expected["findings"][0]["regions"])
    region.erase("directory");
  expected["findings"][0]["excerpt"] = nullptr;
  EXPECT_EQ(expected, data);
}

TEST(ReportHtml, hostileNamesStayData) {
  Findings findings = sample::findings();
  findings.target = "x</title><script>alert(2)</script>@DATA@";
  findings.notes = {"<!--<script>",
                    "a\xe2\x80\xa8"
                    "b",
                    "]]>",
                    "@PLAIN@",
                    "</noscript><script>alert(3)</script>"};
  const std::string page = written(findings);
  EXPECT_FALSE(contains(page, "<img"));
  EXPECT_FALSE(contains(page, "<script>alert"));
  EXPECT_FALSE(contains(page, "<!--<"));
  EXPECT_FALSE(contains(page, "\xe2\x80\xa8"));
  // The document's own two scripts and nothing more, whatever the data says.
  EXPECT_EQ(2u, countOf(page, "<script"));
  EXPECT_EQ(2u, countOf(page, "</script"));
  EXPECT_EQ(1u, countOf(page, "</noscript"));
  EXPECT_EQ(1u, countOf(page, "</title"));
  EXPECT_EQ(findings.target, Json::parse(dataOf(page))["target"]);
  EXPECT_EQ("a\xe2\x80\xa8"
            "b",
            Json::parse(dataOf(page))["notes"][1]);
}

TEST(ReportHtml, noByteOfDataIsMarkup) {
  const std::string data = dataOf(written(sample::findings()));
  for (const char c : {'<', '>', '&'})
    EXPECT_EQ(std::string::npos, data.find(c)) << c;
}

TEST(ReportHtml, shellIsCompleteAndFetchesNothing) {
  const std::string shell = shellOf(written(sample::findings()));
  EXPECT_FALSE(contains(shell, "@include"));
  EXPECT_FALSE(contains(shell, "@TITLE@"));
  EXPECT_TRUE(contains(shell, "default-src 'none'"));
  EXPECT_TRUE(contains(shell, "prefers-color-scheme: dark"));
  // The name of the SVG namespace is the only address.
  EXPECT_EQ(1u, countOf(shell, "http://"));
  EXPECT_EQ(0u, countOf(shell, "https://"));
  for (const char *fetching : {" src=", "url(", "@import", "fetch(", "XMLHttpRequest", "import("})
    EXPECT_FALSE(contains(shell, fetching)) << fetching;
}

TEST(ReportHtml, shellNeverParsesMarkup) {
  const std::string shell = shellOf(written(sample::findings()));
  for (const char *parsing : {"innerHTML",
                              "outerHTML",
                              "insertAdjacentHTML",
                              "document.write",
                              "eval(",
                              "new Function",
                              "srcdoc",
                              "DOMParser"})
    EXPECT_FALSE(contains(shell, parsing)) << parsing;
}

TEST(ReportHtml, readersWithoutScriptsGetTheText) {
  const std::string page = written(sample::findings());
  EXPECT_TRUE(contains(page, "src/inlines.c:862:3: warning: inputs of 64 KiB differ 136x"));
  EXPECT_TRUE(contains(page, "call in &lt;/script&gt;&lt;img src=x onerror=alert(1)&gt;"));
}

TEST(ReportHtml, directoriesAreLeftOut) {
  EXPECT_FALSE(contains(written(sample::findings()), "/nowhere"));
}

TEST(ReportHtml, bareFindingsAndNoFindings) {
  EXPECT_TRUE(
      Json::parse(dataOf(written(sample::bareFindings())))["findings"][0]["excerpt"].is_null());
  EXPECT_TRUE(Json::parse(dataOf(written(Findings{})))["findings"].empty());
}

TEST(ReportHtml, excerptIsEmbedded) {
  const SourceFolder folder("a.c");
  Findings findings = sample::findings();
  findings.findings[0].regions[0] = regionIn(folder.path, "a.c", 10, 12);
  const std::string page = written(findings);
  const Json excerpt = Json::parse(dataOf(page))["findings"][0]["excerpt"];
  EXPECT_EQ(6, excerpt["first_line"]);
  EXPECT_EQ(10, excerpt["from"]);
  EXPECT_EQ(12, excerpt["to"]);
  EXPECT_EQ("line 6 </script>", excerpt["lines"][0]);
  EXPECT_EQ("line 15 </script>", excerpt["lines"].back());
  EXPECT_EQ(2u, countOf(page, "</script"));
}

TEST(SourceExcerpt, longRegionsAreCut) {
  const SourceFolder folder("a.cc");
  const auto excerpt = readExcerpt(regionIn(folder.path, "a.cc", 1, 40));
  ASSERT_TRUE(excerpt.has_value());
  EXPECT_TRUE(excerpt->cut);
  EXPECT_EQ(1u, excerpt->firstLine);
  EXPECT_EQ(18u, excerpt->lines.size());
}

TEST(SourceExcerpt, onlySourcesThatMatchAreRead) {
  const SourceFolder folder("a.c", 20);
  EXPECT_TRUE(readExcerpt(regionIn(folder.path, "a.c", 20, 20)).has_value());
  EXPECT_FALSE(readExcerpt(regionIn(folder.path, "a.c", 21, 21)).has_value()) << "shorter file";
  EXPECT_FALSE(readExcerpt(regionIn(folder.path, "a.c", 0, 0)).has_value()) << "no line";
  EXPECT_FALSE(readExcerpt(regionIn(folder.path, "b.c", 1, 1)).has_value()) << "missing";
  EXPECT_FALSE(readExcerpt(regionIn(folder.path, "", 1, 1)).has_value()) << "a folder";
  std::ofstream(folder.path + "/secret.txt") << "secret\n";
  EXPECT_FALSE(readExcerpt(regionIn(folder.path, "secret.txt", 1, 1)).has_value()) << "no source";
  std::filesystem::create_symlink("secret.txt", folder.path + "/link.c");
  EXPECT_FALSE(readExcerpt(regionIn(folder.path, "link.c", 1, 1)).has_value())
      << "link to no source";
  EXPECT_FALSE(readExcerpt(regionIn("", "/dev/zero", 1, 1)).has_value()) << "device";
}

} // namespace
} // namespace perfidy
