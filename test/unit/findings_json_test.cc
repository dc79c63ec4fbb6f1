#include "tools/findings_json.h"

#include "runtime/trace.h"
#include "test/unit/sample_findings.h"
#include "tools/escape.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <filesystem>

namespace perfidy {
namespace {

using Json = nlohmann::ordered_json;

std::string written(const Findings &findings) {
  std::ostringstream out;
  writeFindingsJson(findings, out);
  return out.str();
}

/// A file that is gone when the test ends.
class TemporaryFile {
public:
  explicit TemporaryFile(const std::string &content) {
    std::ofstream(path, std::ios::binary) << content;
  }
  ~TemporaryFile() { std::filesystem::remove(path); }
  const std::string path = testing::TempDir() + "perfidy_findings_" +
                           testing::UnitTest::GetInstance()->current_test_info()->name() + ".json";
};

std::string errorOf(const std::string &path) {
  try {
    readFindingsJson(path);
  } catch (const Error &error) {
    return error.what();
  }
  return "no error";
}

std::string errorOfContent(const std::string &content) {
  const TemporaryFile file(content);
  return errorOf(file.path);
}

Json sampleJson() { return Json::parse(written(sample::findings())); }

TEST(FindingsJson, matchesGolden) {
  const std::string text = written(sample::findings());
  EXPECT_EQ(text, sample::golden("findings.json", text));
}

TEST(FindingsJson, sameBytesAfterReadingBack) {
  const std::string text = written(sample::findings());
  const TemporaryFile file(text);
  EXPECT_EQ(text, written(readFindingsJson(file.path)));
}

TEST(FindingsJson, byteFieldsComeBackExactly) {
  const Findings before = sample::findings();
  const TemporaryFile file(written(before));
  const Findings after = readFindingsJson(file.path);
  ASSERT_EQ(1u, after.findings.size());
  ASSERT_TRUE(after.findings[0].pattern.has_value());
  EXPECT_EQ(sample::kBadBytes, after.findings[0].pattern->prefix);
  EXPECT_EQ("<?", after.findings[0].pattern->pump);
  EXPECT_EQ(before.findings[0].pair.slowBytes, after.findings[0].pair.slowBytes);
  EXPECT_EQ(before.findings[0].slow.points.size(), after.findings[0].slow.points.size());
  EXPECT_TRUE(after.findings[0].slow.points.back().heldOut);
  EXPECT_EQ(before.findings[0].tree[0].condition, after.findings[0].tree[0].condition);
  EXPECT_DOUBLE_EQ(0.91, after.findings[0].validation.heldOutLow);
  EXPECT_EQ(before.stats, after.stats);
}

TEST(FindingsJson, invalidUtf8InTextIsEscapedNotThrown) {
  EXPECT_EQ("_Z4evil\\xff", sampleJson()["findings"][0]["regions"][1]["linkage_name"]);
}

TEST(FindingsJson, notFiniteIsNullAndMissingIsMinusOne) {
  const std::string text = written(sample::bareFindings());
  const Json finding = Json::parse(text)["findings"][0];
  EXPECT_TRUE(finding["gap"]["ratio"].is_null());
  EXPECT_TRUE(finding["slow"]["heldout_error"].is_null());
  EXPECT_TRUE(finding["pattern"].is_null());
  EXPECT_TRUE(finding["validation"]["majority"].is_null());
  const TemporaryFile file(text);
  const Finding back = readFindingsJson(file.path).findings.at(0);
  EXPECT_TRUE(std::isnan(back.gap.ratio));
  EXPECT_EQ(-1, back.slow.heldOutError);
  EXPECT_EQ(-1, back.validation.majority);
  EXPECT_FALSE(back.pattern.has_value());
  EXPECT_EQ(text, written(readFindingsJson(file.path)));
}

TEST(FindingsJson, missingFileNamesFileAndRemedy) {
  const std::string error = errorOf("/no/such/findings.json");
  EXPECT_NE(std::string::npos, error.find("/no/such/findings.json")) << error;
  EXPECT_NE(std::string::npos, error.find("perfidy explain")) << error;
}

TEST(FindingsJson, directoryIsAnError) {
  EXPECT_NE(std::string::npos, errorOf(testing::TempDir()).find("cannot be read"));
}

TEST(FindingsJson, cutOffFileIsNotJson) {
  const std::string text = written(sample::findings());
  EXPECT_NE(std::string::npos, errorOfContent(text.substr(0, text.size() / 2)).find("not JSON"));
  EXPECT_NE(std::string::npos, errorOfContent("").find("not JSON"));
}

TEST(FindingsJson, otherSchemaNamesBothNumbers) {
  Json json = sampleJson();
  json["schema"] = 7;
  const std::string error = errorOfContent(json.dump());
  EXPECT_NE(std::string::npos, error.find("schema 7")) << error;
  EXPECT_NE(std::string::npos, error.find("schema 1")) << error;
}

/// Takes every field away in turn, at every depth: each must be missed, by its path.
void expectEveryFieldNeeded(const Json &whole, const Json::json_pointer &at) {
  const Json &value = whole.at(at);
  if (value.is_array()) {
    if (!value.empty())
      expectEveryFieldNeeded(whole, at / 0);
    return;
  }
  // The names inside stats are free.
  if (!value.is_object() || at.to_string() == "/stats")
    return;
  for (const auto &[name, inner] : value.items()) {
    Json broken = whole;
    broken.at(at).erase(name);
    const std::string error = errorOfContent(broken.dump());
    EXPECT_NE(std::string::npos, error.find(name + " is missing")) << (at / name) << ": " << error;
    expectEveryFieldNeeded(whole, at / name);
  }
}

TEST(FindingsJson, everyFieldIsNeeded) {
  expectEveryFieldNeeded(sampleJson(), Json::json_pointer());
}

TEST(FindingsJson, errorsNameThePath) {
  Json json = sampleJson();
  json["findings"][0]["regions"][1]["line"] = "many";
  EXPECT_NE(std::string::npos,
            errorOfContent(json.dump()).find("findings[0].regions[1].line is not"));
}

TEST(FindingsJson, refusesWhatDoesNotFit) {
  const std::vector<std::pair<const char *, Json>> wrong = {
      {"/findings/0/gap/size", -1},
      {"/findings/0/regions/0/line", 4294967296},
      {"/findings/0/pair/slow_cost", 1.5},
      {"/findings/0/pair/confirmed", 1},
      {"/findings/0/pattern/pump", "not base64!"},
      {"/findings/0/pattern/pump", "AAA"},
      {"/findings/0/slow/interval", Json::array({1})},
      {"/findings/0/slow/points", "none"},
      {"/findings/0/tree/nodes/0/yes", 0},
      {"/findings/0/tree/nodes/0/no", 9},
      {"/findings/0/kind", "other"},
      {"/clusters/0", 3},
      {"/stats/runs", "294"}};
  for (const auto &[pointer, value] : wrong) {
    Json json = sampleJson();
    json[Json::json_pointer(pointer)] = value;
    EXPECT_NE("no error", errorOfContent(json.dump())) << pointer << " = " << value;
  }
}

TEST(FindingsJson, unknownFieldsAreIgnored) {
  Json json = sampleJson();
  json["from_the_future"] = 1;
  json["findings"][0]["gap"]["also"] = "x";
  EXPECT_EQ("no error", errorOfContent(json.dump()));
}

TEST(FindingsJson, exampleInTheSchemaIsComplete) {
  std::ifstream in(std::string(PERFIDY_SOURCE_DIR) + "/tools/findings.schema.md");
  std::stringstream page;
  page << in.rdbuf();
  const std::string begin = "```json\n";
  const size_t from = page.str().find(begin);
  ASSERT_NE(std::string::npos, from);
  const size_t to = page.str().find("```", from + begin.size());
  const std::string example = page.str().substr(from + begin.size(), to - from - begin.size());
  const TemporaryFile file(example);
  const Findings findings = readFindingsJson(file.path);
  ASSERT_EQ(1u, findings.findings.size());
  EXPECT_FALSE(findings.findings[0].tree.empty());
  EXPECT_EQ(example, written(findings)) << "the example is what the writer writes";
}

TEST(Escape, utf8) {
  EXPECT_EQ("na\xc3\xafve \xf0\x9f\x90\x8c", toUtf8("na\xc3\xafve \xf0\x9f\x90\x8c"));
  EXPECT_EQ("\\xc0\\xaf", toUtf8("\xc0\xaf")) << "overlong";
  EXPECT_EQ("\\xe0\\x80\\xaf", toUtf8("\xe0\x80\xaf")) << "overlong";
  EXPECT_EQ("\\xed\\xa0\\x80", toUtf8("\xed\xa0\x80")) << "surrogate";
  EXPECT_EQ("\\xf4\\x90\\x80\\x80", toUtf8("\xf4\x90\x80\x80")) << "past U+10FFFF";
  EXPECT_EQ("a\\xe2\\x82", toUtf8("a\xe2\x82")) << "cut off";
}

TEST(Escape, base64OfEveryLength) {
  EXPECT_EQ("", toBase64(""));
  EXPECT_EQ("Zg==", toBase64("f"));
  EXPECT_EQ("Zm8=", toBase64("fo"));
  EXPECT_EQ("Zm9v", toBase64("foo"));
  std::string bytes;
  for (int i = 0; i < 512; ++i) {
    EXPECT_EQ(bytes, fromBase64(toBase64(bytes)));
    bytes += static_cast<char>(i * 37);
  }
  for (const char *bad : {"Zg=", "Z===", "Zg==Zg==", "Z g=", "====", "Zm9v\n"})
    EXPECT_FALSE(fromBase64(bad).has_value()) << bad;
}

} // namespace
} // namespace perfidy
