#include "tools/training_verdicts.h"

#include <cmath>
#include <fmt/format.h>
#include <string>

namespace perfidy {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char *kReproduced = "reproduced", *kDirection = "direction only",
                     *kNot = "not reproduced";
constexpr const char *kSome = "some"; ///< C2's middle word

double value(const Json &figure) { return figure.at("value").get<double>(); }
double low(const Json &figure) { return figure.at("low").get<double>(); }
double high(const Json &figure) { return figure.at("high").get<double>(); }

std::string text(const Json &figure) {
  return fmt::format("{:.3f} [{:.3f}, {:.3f}]", value(figure), low(figure), high(figure));
}

/// The typing row of a model on BASE, unscaled, killed operators.
const Json &baseRow(const Json &study, const char *model) {
  for (const Json &row : study.at("typing"))
    if (row.at("model") == model && row.at("sets") == "base" && row.at("scaling") == "none" &&
        row.at("rows") == "killed")
      return row;
  return study.at("typing").at(0);
}

const Json &triageRow(const Json &study, const char *sets) {
  for (const Json &row : study.at("triage"))
    if (row.at("sets") == sets && row.at("subset") == "calm so far" && row.at("factor") == 1.5)
      return row;
  return study.at("triage").at(0);
}

Json gapVerdict(const Json &study) {
  Json result;
  for (const char *model : {"forest", "logistic"}) {
    const Json &gap = baseRow(study, model).at("gap");
    const bool wide = low(gap) > 0.05 && value(gap) >= 0.13 && value(gap) <= 0.25;
    result[model] = {{"verdict",
                      wide           ? kReproduced
                      : low(gap) > 0 ? kDirection
                                     : kNot},
                     {"why", "ROW - PROG " + text(gap)}};
  }
  result["verdict"] = result["forest"]["verdict"];
  result["why"] = fmt::format("forest: {}; logistic: {} ({})",
                              result["forest"]["why"].get<std::string>(),
                              result["logistic"]["verdict"].get<std::string>(),
                              result["logistic"]["why"].get<std::string>());
  return result;
}

Json causeVerdict(const Json &study) {
  const Json &s = study.at("structure");
  const double identity = s.at("identity").at("base").get<double>(),
               chance = s.at("identity_chance").get<double>();
  const double program = s.at("eta_program").get<double>(), fault = s.at("eta_fault").get<double>();
  const double closed = value(s.at("reference_minus_prog")), open = value(s.at("seed_minus_prog"));
  const bool control =
      std::abs(value(s.at("control_gap")))<0.02, structured = low(s.at("seed_minus_prog"))> 0;
  const bool conditions[] = {
      identity > 5 * chance, program > fault, structured, control, closed >= open / 2 && open > 0};
  int held = 0;
  for (bool condition : conditions)
    held += condition;
  const char *word = held == 5 ? kReproduced : !control || !(open > 0) ? kNot : kSome;
  return {{"verdict", word},
          {"why",
           fmt::format("program named at {:.3f} (chance {:.3f}); median eta squared program "
                       "{:.3f}, fault {:.3f}; SEED - PROG {}; "
                       "random pseudo-programs {}; clean reference gains {:.3f} of {:.3f}",
                       identity,
                       chance,
                       program,
                       fault,
                       text(s.at("seed_minus_prog")),
                       text(s.at("control_gap")),
                       closed,
                       open)}};
}

Json curvatureVerdict(const Json &study) {
  const Json &row = triageRow(study, "curvature normalised");
  const Json &program = row.at("gain_prog"), &rows = row.at("gain_row");
  const bool full = low(program) > 0 && value(program) >= value(rows) / 2;
  return {
      {"verdict",
       full                 ? kReproduced
       : value(program) > 0 ? kDirection
                            : kNot},
      {"why", fmt::format("gain on unseen programs {}, row by row {}", text(program), text(rows))}};
}

Json transferVerdict(const Json &study) {
  Json result;
  std::string worst = kReproduced, why;
  for (const char *set : {"optimizer", "activation"}) {
    const Json &row = triageRow(study, set);
    const Json &program = row.at("gain_prog"), &rows = row.at("gain_row"),
               &difference = row.at("difference");
    const bool gains = low(rows) > 0, transfers = low(program) > 0;
    const char *word = !gains || transfers ? kNot : low(difference) > 0 ? kReproduced : kDirection;
    why += fmt::format("{}{}: {} (gain row by row {}, unseen programs {}, difference {})",
                       why.empty() ? "" : "; ",
                       set,
                       word,
                       text(rows),
                       text(program),
                       text(difference));
    result[set] = word;
    if (word == std::string(kNot) || worst == kReproduced)
      worst = word;
  }
  result["verdict"] = worst;
  result["why"] = why;
  return result;
}

} // namespace

Json verdicts(const Json &study) {
  return {{"C1", gapVerdict(study)},
          {"C2", causeVerdict(study)},
          {"C3", curvatureVerdict(study)},
          {"C4", transferVerdict(study)}};
}

} // namespace perfidy
