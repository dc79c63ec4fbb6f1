#include "tools/report_sarif.h"

#include "test/unit/sample_findings.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <set>

namespace perfidy {
namespace {

using Json = nlohmann::ordered_json;

std::string written(const Findings &findings) {
  std::ostringstream out;
  writeSarif(findings, out);
  return out.str();
}

Json runOf(const Findings &findings) { return Json::parse(written(findings))["runs"][0]; }
Json resultOf(const Findings &findings) { return runOf(findings)["results"].at(0); }

std::string uriOf(const std::string &file, const std::string &directory) {
  Findings findings = sample::findings();
  findings.findings[0].regions[0].file = file;
  findings.findings[0].regions[0].directory = directory;
  return resultOf(findings)["locations"][0]["physicalLocation"]["artifactLocation"]["uri"];
}

TEST(ReportSarif, matchesGolden) {
  const std::string text = written(sample::findings());
  EXPECT_EQ(text, sample::golden("report.sarif", text));
}

TEST(ReportSarif, rulesHaveWhatGitHubDemands) {
  const Json run = runOf(sample::findings());
  std::set<std::string> ids;
  for (const Json &rule : run["tool"]["driver"]["rules"]) {
    ids.insert(rule["id"].get<std::string>());
    for (const char *part : {"shortDescription", "fullDescription", "help"}) {
      const std::string text = rule.at(part).at("text");
      EXPECT_FALSE(text.empty()) << part;
      EXPECT_LE(text.size(), 1024u) << part;
    }
  }
  EXPECT_EQ((std::set<std::string>{
                "perfidy/differential-cost", "perfidy/hard-timeout", "perfidy/superlinear-cost"}),
            ids);
}

TEST(ReportSarif, ruleFollowsKind) {
  for (const auto &[kind, rule, level] :
       {std::tuple{"differential", "perfidy/differential-cost", "warning"},
        std::tuple{"superlinear", "perfidy/superlinear-cost", "warning"},
        std::tuple{"timeout", "perfidy/hard-timeout", "error"}}) {
    Findings findings = sample::findings();
    findings.findings[0].kind = kind;
    const Json run = runOf(findings);
    const Json &result = run["results"][0];
    EXPECT_EQ(rule, result["ruleId"]);
    EXPECT_EQ(rule, run["tool"]["driver"]["rules"][result["ruleIndex"].get<size_t>()]["id"]);
    EXPECT_EQ(level, result["level"]);
  }
}

TEST(ReportSarif, locationIsTheTopRegion) {
  const Json place = resultOf(sample::findings())["locations"][0]["physicalLocation"];
  EXPECT_EQ("src/inlines.c", place["artifactLocation"]["uri"]);
  EXPECT_EQ(862, place["region"]["startLine"]);
  EXPECT_EQ(3, place["region"]["startColumn"]);
  EXPECT_EQ(905, place["contextRegion"]["endLine"]);
}

TEST(ReportSarif, locationsAreNeverEmpty) {
  const Json result = resultOf(sample::bareFindings());
  ASSERT_EQ(1u, result["locations"].size());
  const Json place = result["locations"][0]["physicalLocation"];
  EXPECT_EQ("bare_fuzz", place["artifactLocation"]["uri"]);
  EXPECT_EQ(1, place["region"]["startLine"]);
  EXPECT_FALSE(result.contains("relatedLocations"));
  EXPECT_FALSE(result.contains("codeFlows"));
  Findings nameless = sample::bareFindings();
  nameless.target.clear();
  EXPECT_EQ("target",
            resultOf(nameless)["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]);
}

TEST(ReportSarif, relatedLocationsAreLinkedFromTheMessage) {
  const Json result = resultOf(sample::findings());
  const std::string message = result["message"]["text"];
  ASSERT_EQ(2u, result["relatedLocations"].size());
  EXPECT_EQ(1, result["relatedLocations"][0]["id"]);
  EXPECT_EQ(2, result["relatedLocations"][1]["id"]);
  EXPECT_NE(std::string::npos, message.find("[loop in handle_pointy_brace](1)")) << message;
  EXPECT_NE(std::string::npos, message.find("](2).")) << message;
}

TEST(ReportSarif, namesCannotMakeLinks) {
  Findings findings = sample::findings();
  findings.findings[0].message = "operator[](http://evil) \xff";
  EXPECT_EQ(0u,
            resultOf(findings)["message"]["text"].get<std::string>().find(
                "operator\\[\\](http://evil) \\\\xff."));
}

TEST(ReportSarif, codeFlowGoesFromTheRootToTheSlowLeaf) {
  const Json steps = resultOf(sample::findings())["codeFlows"][0]["threadFlows"][0]["locations"];
  ASSERT_EQ(2u, steps.size());
  EXPECT_EQ("holds: loop at src/inlines.c:862 runs more than 31 times per entry",
            steps[0]["location"]["message"]["text"]);
  EXPECT_EQ("runs that come here belong to the slow cluster B",
            steps[1]["location"]["message"]["text"]);
  for (const Json &step : steps)
    EXPECT_EQ("src/inlines.c", step["location"]["physicalLocation"]["artifactLocation"]["uri"]);
}

TEST(ReportSarif, codeFlowSaysWhenTheConditionFails) {
  Findings findings = sample::findings();
  std::swap(findings.findings[0].tree[0].yes, findings.findings[0].tree[0].no);
  const Json steps = resultOf(findings)["codeFlows"][0]["threadFlows"][0]["locations"];
  EXPECT_EQ(0u, steps[0]["location"]["message"]["text"].get<std::string>().find("does not hold: "));
}

TEST(ReportSarif, unbelievableTreeIsNotShown) {
  Findings findings = sample::findings();
  findings.findings[0].validation.beatsBaselines = false;
  EXPECT_FALSE(resultOf(findings).contains("codeFlows"));
}

TEST(ReportSarif, circularTreeEnds) {
  Findings findings = sample::findings();
  findings.findings[0].tree[1].yes = findings.findings[0].tree[1].no = 0;
  EXPECT_TRUE(resultOf(findings).contains("codeFlows"));
}

TEST(ReportSarif, fingerprintIsTheId) {
  EXPECT_EQ("c0ffee5eed1234ab",
            resultOf(sample::findings())["partialFingerprints"]["perfidyFinding/v1"]);
}

TEST(ReportSarif, urisAreRelativeAndEncoded) {
  EXPECT_EQ("src/a.c", uriOf("/home/x/cmark/src/a.c", "/home/x/cmark"));
  EXPECT_EQ("src/a.c", uriOf("/home/x/cmark/src/a.c", "/home/x/cmark/build"));
  EXPECT_EQ("src/a.c", uriOf("../../src/a.c", "/b/c"));
  EXPECT_EQ("src/a.c", uriOf("./src/./a.c", ""));
  EXPECT_EQ("usr/include/a.h", uriOf("/usr/include/a.h", ""));
  EXPECT_EQ("a%20b%3C%FF.c", uriOf("a b<\xff.c", ""));
  EXPECT_EQ("http%3A/evil/x.c", uriOf("http://evil/x.c", ""));
}

TEST(ReportSarif, nothingFoundIsAnEmptyResultList) {
  const Json run = runOf(Findings{});
  EXPECT_TRUE(run["results"].is_array());
  EXPECT_TRUE(run["results"].empty());
}

} // namespace
} // namespace perfidy
