#include "tools/training_verdicts.h"

#include <gtest/gtest.h>

namespace perfidy {
namespace {

using Json = nlohmann::ordered_json;

Json figure(double value, double low, double high) {
  return {{"value", value}, {"low", low}, {"high", high}};
}

/// A study in which every claim is reproduced.
Json study() {
  Json typing = Json::array(), triage = Json::array();
  for (const char *model : {"forest", "logistic"})
    typing.push_back({{"model", model},
                      {"sets", "base"},
                      {"scaling", "none"},
                      {"rows", "killed"},
                      {"gap", figure(0.19, 0.1, 0.3)}});
  for (const char *set : {"optimizer", "activation", "curvature normalised"}) {
    const bool curvature = std::string(set) == "curvature normalised";
    triage.push_back(
        {{"subset", "calm so far"},
         {"sets", set},
         {"factor", 1.5},
         {"gain_row", figure(0.06, 0.02, 0.1)},
         {"gain_prog", curvature ? figure(0.05, 0.01, 0.09) : figure(0.0, -0.03, 0.03)},
         {"difference", figure(0.06, 0.02, 0.1)}});
  }
  return {{"typing", typing},
          {"structure",
           {{"identity", {{"base", 0.9}}},
            {"identity_chance", 0.03},
            {"eta_program", 0.3},
            {"eta_fault", 0.1},
            {"seed_minus_prog", figure(0.1, 0.05, 0.15)},
            {"control_gap", figure(0.0, -0.01, 0.01)},
            {"reference_minus_prog", figure(0.07, 0.02, 0.1)}}},
          {"triage", triage}};
}

std::string word(const Json &of, const char *claim) {
  return verdicts(of).at(claim).at("verdict").get<std::string>();
}

TEST(Verdicts, AllReproduced) {
  for (const char *claim : {"C1", "C2", "C3", "C4"})
    EXPECT_EQ(word(study(), claim), "reproduced") << claim;
}

TEST(Verdicts, GapOfAnotherSizeIsDirectionOnly) {
  Json other = study();
  other["typing"][0]["gap"] = figure(0.09, 0.06, 0.12);
  EXPECT_EQ(word(other, "C1"), "direction only");
  other["typing"][0]["gap"] = figure(0.02, -0.01, 0.05);
  EXPECT_EQ(word(other, "C1"), "not reproduced");
}

TEST(Verdicts, AFailedControlRefutesTheCause) {
  Json other = study();
  other["structure"]["eta_fault"] = 0.5;
  EXPECT_EQ(word(other, "C2"), "some");
  other["structure"]["control_gap"] = figure(0.05, 0.03, 0.07);
  EXPECT_EQ(word(other, "C2"), "not reproduced");
}

TEST(Verdicts, CurvatureAndTheOthers) {
  Json other = study();
  other["triage"][2]["gain_prog"] = figure(0.05, -0.01, 0.09);
  EXPECT_EQ(word(other, "C3"), "direction only");
  other["triage"][2]["gain_prog"] = figure(-0.01, -0.05, 0.02);
  EXPECT_EQ(word(other, "C3"), "not reproduced");
  other["triage"][0]["gain_prog"] = figure(0.05, 0.01, 0.09);
  EXPECT_EQ(word(other, "C4"), "not reproduced") << "optimizer features transfer";
  other = study();
  other["triage"][0]["difference"] = figure(0.06, -0.02, 0.1);
  EXPECT_EQ(word(other, "C4"), "direction only");
}

} // namespace
} // namespace perfidy
