#include "tools/training_study.h"
#include "explainer/validate.h"
#include "tools/training_measures.h"
#include "tools/training_verdicts.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numeric>
#include <set>

namespace perfidy {
namespace {

using Json = nlohmann::ordered_json;
using Sets = std::vector<std::string>;

Json toJson(const Figure &figure) {
  return {{"value", figure.value}, {"low", figure.low}, {"high", figure.high}};
}

std::string joined(const Sets &sets) {
  std::string text;
  for (const std::string &set : sets)
    text += (text.empty() ? "" : "+") + set;
  return text;
}

const char *scalingName(Scaling scaling) {
  return scaling == Scaling::None      ? "none"
         : scaling == Scaling::ToStart ? "to epoch 0"
                                       : "clean reference";
}

/// Everything about one corpus that the parts of the study share.
class Study {
  /// What is learned: by whom, from what, on which rows.
  struct Task {
    Learner learner;
    Sets sets;
    Scaling scaling;
    bool killedOnly;
    auto operator<=>(const Task &) const = default;
  };

public:
  Study(const std::vector<TrainingRun> &runs, const EvaluationOptions &options)
      : runs_(runs), options_(options) {
    std::map<std::string, int> programs;
    for (const TrainingRun &run : runs)
      group_.push_back(
          programs.emplace(run.program, static_cast<int>(programs.size())).first->second);
    programs_ = static_cast<int>(programs.size());
  }

  Json operator()() {
    Json study;
    study["statement"] = "The published text beyond its abstract was not available to us: "
                         "features, labels and the four classes "
                         "(hyper, loss, act, init) are ours. Small networks (up to about 5,000 "
                         "parameters), tiny data, single faults.";
    study["corpus"] = corpus();
    study["typing"] = typing();
    study["structure"] = structure();
    study["triage"] = triage();
    if (!options_.quick)
      study["mismatch"] = mismatch();
    study["scored"] = scored();
    study["verdicts"] = verdicts(study);
    return study;
  }

private:
  Table
  table(const Sets &sets, Scaling scaling, const std::vector<int> &label, int window = 0) const {
    FeatureOptions options;
    options.sets = sets;
    options.scaling = scaling;
    options.window = window;
    Table result = featureTable(runs_, options);
    result.label = label;
    result.labels = 1 + *std::max_element(label.begin(), label.end());
    return result;
  }

  LearnerOptions learner(Learner kind) const {
    LearnerOptions options;
    options.learner = kind;
    options.forest.trees = options_.quick ? 40 : 100;
    return options;
  }

  std::vector<int> guess(const Table &table, Split split, const LearnerOptions &options) const {
    return guesses(heldOutScores(
        table, makeFolds(split, runs_, table.label, split == Split::Program ? 10 : 5), options));
  }

  /// Held-out guesses of a typing task, which several parts of the study ask for: learned once.
  const std::vector<int> &typed(const Table &features, const Task &task, Split split) {
    const auto [at, fresh] = guesses_.try_emplace({task, split});
    if (fresh)
      at->second = guess(features, split, learner(task.learner));
    return at->second;
  }

  Json corpus() const {
    Json faults = Json::object(), families = Json::object();
    int killed = 0, faulty = 0;
    for (const TrainingRun &run : runs_) {
      faults[run.fault] = faults.value(run.fault, 0) + 1;
      families[run.family] = families.value(run.family, 0) + 1;
      faulty += !run.clean;
      killed += run.killed;
    }
    return {{"traces", runs_.size()},
            {"programs", programs_},
            {"faulty", faulty},
            {"killed", killed},
            {"faults", faults},
            {"families", families}};
  }

  /// One row of the typing table.
  Json typingRow(Learner kind, const Sets &sets, Scaling scaling, bool killedOnly) {
    const std::vector<int> label = typingLabels(runs_, killedOnly);
    const Table features = table(sets, scaling, label);
    Bootstrap bootstrap(label, group_, 4);
    Json row{{"model",
              kind == Learner::Forest     ? "forest"
              : kind == Learner::Logistic ? "logistic"
                                          : "tree"},
             {"sets", joined(sets)},
             {"scaling", scalingName(scaling)},
             {"rows", killedOnly ? "killed" : "all"}};
    for (Split split :
         {Split::Row, Split::Seed, Split::Within, Split::Program, Split::Family, Split::Operator}) {
      if (options_.quick && (split == Split::Within || split == Split::Family))
        continue;
      const int which = bootstrap.add(typed(features, {kind, sets, scaling, killedOnly}, split));
      const char *name = kSplitNames[static_cast<int>(split)];
      row[name] = toJson(bootstrap.accuracy(which));
      number_[name] = which;
    }
    row["gap"] = toJson(bootstrap.difference(number_["ROW"], number_["PROG"]));
    row["seed_minus_prog"] = toJson(bootstrap.difference(number_["SEED"], number_["PROG"]));
    return row;
  }

  Json typing() {
    const Sets base{"base"}, all{"base", "act", "step", "free", "curv", "edge"};
    const Sets ours{"base", "act", "step", "free", "curv", "edge", "check"};
    Json rows = Json::array();
    for (Learner kind : {Learner::Forest, Learner::Logistic}) {
      rows.push_back(typingRow(kind, base, Scaling::None, true));
      if (!options_.quick) {
        rows.push_back(typingRow(kind, {"base", "act"}, Scaling::None, true));
        rows.push_back(typingRow(kind, {"base", "step", "free"}, Scaling::None, true));
        rows.push_back(typingRow(kind, {"base", "curv", "edge"}, Scaling::None, true));
        rows.push_back(typingRow(kind, base, Scaling::ToStart, true));
      }
      if (options_.quick && kind == Learner::Logistic)
        continue;
      rows.push_back(typingRow(kind, base, Scaling::CleanReference, true));
      rows.push_back(typingRow(kind, all, Scaling::None, true));
      rows.push_back(typingRow(kind, ours, Scaling::None, true));
      if (!options_.quick) {
        rows.push_back(typingRow(kind, ours, Scaling::CleanReference, true));
        rows.push_back(typingRow(kind, base, Scaling::None, false));
        rows.push_back(typingRow(kind, ours, Scaling::None, false));
      }
    }
    rows.push_back(typingRow(Learner::Tree, base, Scaling::None, true));
    return rows;
  }

  /// What the gap comes from.
  Json structure() {
    Json result;
    const std::vector<int> label = typingLabels(runs_, true);
    Table features = table({"base"}, Scaling::None, label);
    result["eta_program"] = medianEta(features, group_, label);
    result["eta_fault"] = medianEta(features, label, label);
    // Whole programs under random names: the same sizes, no structure.
    std::vector<int> pseudo = shuffled(group_, label);
    Bootstrap bootstrap(label, group_, 4);
    const Task task{Learner::Forest, {"base"}, Scaling::None, true};
    const int row = bootstrap.add(typed(features, task, Split::Row));
    const int random = bootstrap.add(guesses(
        heldOutScores(features, groupedFolds(label, pseudo, 10), learner(Learner::Forest))));
    result["control_gap"] = toJson(bootstrap.difference(row, random));
    const int seed = bootstrap.add(typed(features, task, Split::Seed));
    const int program = bootstrap.add(typed(features, task, Split::Program));
    const Table reference = table({"base"}, Scaling::CleanReference, label);
    Task referred = task;
    referred.scaling = Scaling::CleanReference;
    const int clean = bootstrap.add(typed(reference, referred, Split::Program));
    result["seed_minus_prog"] = toJson(bootstrap.difference(seed, program));
    result["reference_minus_prog"] = toJson(bootstrap.difference(clean, program));
    result["identity_chance"] = 1.0 / programs_;
    for (const char *set : {"base", "act", "step", "free", "curv", "edge", "check"}) {
      if (options_.quick && set != std::string("base"))
        continue;
      Table named = table({set}, Scaling::None, group_);
      const std::vector<int> found = guess(named, Split::Row, learner(Learner::Forest));
      result["identity"][set] = balancedAccuracy(group_, found, programs_);
    }
    return result;
  }

  Json triageRows(const TriageOptions &task, const char *subset) {
    const std::vector<int> label = triageLabels(runs_, task);
    const std::vector<std::pair<const char *, Sets>> choices{
        {"base", {"base"}},
        {"activation", {"base", "act"}},
        {"optimizer", {"base", "step", "free"}},
        {"optimizer, scale-free", {"base", "free"}},
        {"curvature raw", {"base", "curv"}},
        {"curvature normalised", {"base", "edge"}}};
    Json rows = Json::array();
    Bootstrap bootstrap(label, group_, 2);
    int baseRow = 0, baseProgram = 0;
    for (const auto &[name, sets] : choices) {
      const Table features = table(sets, Scaling::None, label, task.window);
      const int row = bootstrap.add(guess(features, Split::Row, learner(Learner::Logistic)));
      const int program =
          bootstrap.add(guess(features, Split::Program, learner(Learner::Logistic)));
      if (rows.empty()) {
        baseRow = row;
        baseProgram = program;
      }
      Json entry{{"subset", subset},
                 {"sets", name},
                 {"factor", task.factor},
                 {"unstable", std::count(label.begin(), label.end(), 1)},
                 {"stable", std::count(label.begin(), label.end(), 0)}};
      entry["ROW"] = toJson(bootstrap.accuracy(row));
      entry["PROG"] = toJson(bootstrap.accuracy(program));
      entry["gain_row"] = toJson(bootstrap.difference(row, baseRow));
      entry["gain_prog"] = toJson(bootstrap.difference(program, baseProgram));
      entry["difference"] =
          toJson(bootstrap.combination({{1, row}, {-1, baseRow}, {-1, program}, {1, baseProgram}}));
      rows.push_back(entry);
    }
    return rows;
  }

  Json triage() {
    Json rows = triageRows({5, 1.5, true}, "calm so far");
    if (options_.quick)
      return rows;
    for (const Json &row : triageRows({5, 1.5, false}, "all alive"))
      rows.push_back(row);
    for (double factor : {1.2, 2.0})
      for (const Json &row : triageRows({5, factor, true}, "calm so far"))
        rows.push_back(row);
    return rows;
  }

  Json mismatch() {
    Json rows = Json::array();
    for (double plain : {0.0, 0.1}) {
      const std::vector<int> label = mismatchLabels(runs_, plain);
      for (const Sets &sets : {Sets{"base"},
                               Sets{"base", "act"},
                               Sets{"base", "step", "free"},
                               Sets{"base", "curv", "edge"}}) {
        Bootstrap bootstrap(label, group_, 2);
        const Table features = table(sets, Scaling::None, label, 5);
        Json row{{"rule", plain > 0 ? "gap above 0.1" : "AutoTrainer's"}, {"sets", joined(sets)}};
        row["ROW"] = toJson(bootstrap.accuracy(
            bootstrap.add(guess(features, Split::Row, learner(Learner::Logistic)))));
        row["PROG"] = toJson(bootstrap.accuracy(
            bootstrap.add(guess(features, Split::Program, learner(Learner::Logistic)))));
        rows.push_back(row);
      }
    }
    return rows;
  }

  /// Labels of the scored half only.
  std::vector<int> half(std::vector<int> label) const {
    for (size_t row = 0; row < label.size(); ++row)
      if (isScoringProgram(runs_[row].program) == options_.development)
        label[row] = -1;
    return label;
  }

  LearnerOptions chosen() const {
    LearnerOptions options;
    options.forest = choice_.forest;
    options.forest.trees = options_.quick ? 100 : options.forest.trees;
    return options;
  }

  Json scored() {
    const std::vector<int> label = typingLabels(runs_, true), counted = half(label);
    const Table plain = table(choice_.sets, Scaling::None, label),
                reference = table(choice_.sets, Scaling::CleanReference, label);
    Bootstrap bootstrap(counted, group_, 4);
    const Scores byProgram =
        heldOutScores(plain, makeFolds(Split::Program, runs_, label, 10), chosen());
    const int program = bootstrap.add(guesses(byProgram));
    const int row = bootstrap.add(guess(plain, Split::Row, chosen()));
    const int operation = bootstrap.add(guess(plain, Split::Operator, chosen()));
    const int clean = bootstrap.add(guess(joinedTable(plain, reference), Split::Program, chosen()));
    Json result{{"half", options_.development ? "development" : "scoring"},
                {"sets", joined(choice_.sets)}};
    result["typing_row"] = toJson(bootstrap.accuracy(row));
    result["typing_heldout"] = toJson(bootstrap.accuracy(program));
    result["typing_heldout_clean_reference"] = toJson(bootstrap.accuracy(clean));
    result["gap"] = toJson(bootstrap.difference(row, program));
    result["typing_operators"] = toJson(bootstrap.accuracy(operation));
    result["coverage"] = coverage(byProgram, counted);
    result["recall"] = recalls(guesses(byProgram), counted);
    result["early"] = early();
    return result;
  }

  Json early() {
    const std::vector<int> label = triageLabels(runs_, {5, 1.5, true}), counted = half(label);
    const Table features = table(choice_.earlySets, Scaling::None, label, 5);
    LearnerOptions options;
    options.forest = choice_.earlyForest;
    const Scores scores =
        heldOutScores(features, makeFolds(Split::Program, runs_, label, 10), options);
    std::vector<int> guess;
    for (const std::vector<double> &score : scores)
      guess.push_back(score.empty() ? -1 : score[1] >= choice_.alarm);
    Bootstrap bootstrap(counted, group_, 2);
    double clean = 0, alarms = 0;
    for (size_t row = 0; row < runs_.size(); ++row)
      if (counted[row] >= 0 && runs_[row].clean) {
        clean += 1;
        alarms += guess[row] == 1;
      }
    return {{"sets", joined(choice_.earlySets)},
            {"balanced_accuracy", toJson(bootstrap.accuracy(bootstrap.add(guess)))},
            {"unstable", std::count(counted.begin(), counted.end(), 1)},
            {"stable", std::count(counted.begin(), counted.end(), 0)},
            {"false_alarms_on_clean", clean > 0 ? alarms / clean : -1}};
  }

  const std::vector<TrainingRun> &runs_;
  const EvaluationOptions options_;
  const DiagnosisChoice choice_;
  std::vector<int> group_;
  int programs_ = 0;
  std::map<std::string, int> number_;
  std::map<std::pair<Task, Split>, std::vector<int>> guesses_;
};

} // namespace

Json evaluateCorpus(const std::vector<TrainingRun> &runs, const EvaluationOptions &options) {
  return Study(runs, options)();
}

} // namespace perfidy
