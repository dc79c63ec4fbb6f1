// Features, tasks, splits, study and diagnosis on the committed sample of the corpus.
#include "explainer/validate.h"
#include "test/unit/temporary_directory.h"
#include "tools/diagnosis.h"

#include <cmath>
#include <gtest/gtest.h>
#include <set>
#include <sstream>

namespace perfidy {
namespace {

const std::vector<TrainingRun> &sampleRuns() {
  static const std::vector<TrainingRun> runs =
      readTrainingRuns({PERFIDY_SOURCE_DIR "/test/programs/training/sample"});
  return runs;
}

TrainingRun
runOf(const std::string &program, const std::string &series, std::vector<double> values) {
  TrainingRun run;
  run.program = program;
  Series one{series, {}, std::move(values)};
  for (size_t i = 0; i < one.value.size(); ++i)
    one.step.push_back(static_cast<double>(i));
  run.series[series] = one;
  return run;
}

double cell(const Table &table, const std::string &column, size_t row) {
  for (size_t i = 0; i < table.columns.size(); ++i)
    if (table.columns[i].name == column)
      return table.value(row, i);
  ADD_FAILURE() << "no column " << column;
  return 0;
}

TEST(TrainingFeatures, SummariesOfALogarithm) {
  const std::vector<TrainingRun> runs{runOf("a", "base.train_loss", {100, 10, NAN, 0.1})};
  const Table table = featureTable(runs, {{"base"}, Scaling::None, 0});
  EXPECT_NEAR(cell(table, "base.train_loss, mean", 0), 2.0 / 3, 1e-12);
  EXPECT_NEAR(cell(table, "base.train_loss, min", 0), -1, 1e-12);
  EXPECT_NEAR(cell(table, "base.train_loss, max", 0), 2, 1e-12);
  EXPECT_NEAR(cell(table, "base.train_loss, last", 0), -1, 1e-12);
  EXPECT_NEAR(cell(table, "base.train_loss, slope", 0), -1, 1e-12);
  const Table early = featureTable(runs, {{"base"}, Scaling::None, 2});
  EXPECT_NEAR(cell(early, "base.train_loss, last", 0), 1, 1e-12) << "nothing of later epochs";
  const Table ratio = featureTable(runs, {{"base"}, Scaling::ToStart, 0});
  EXPECT_NEAR(cell(ratio, "base.train_loss, last", 0), -3, 1e-12);
  EXPECT_EQ(featureTable(runs, {{"act"}, Scaling::None, 1}).columns.size(), 0u);
}

TEST(TrainingFeatures, CleanReferenceLeavesTheRunItselfOut) {
  std::vector<TrainingRun> runs;
  for (double loss : {1.0, 1.1, 0.9, 1e4})
    runs.push_back(runOf("a", "base.train_loss", {loss}));
  for (size_t i = 0; i < 3; ++i)
    runs[i].clean = true;
  runs.push_back(runOf("b", "base.train_loss", {1}));
  const Table table = featureTable(runs, {{"base"}, Scaling::CleanReference, 0});
  EXPECT_GT(cell(table, "base.train_loss, last", 3), 50);
  EXPECT_LT(std::abs(cell(table, "base.train_loss, last", 0)), 3);
  EXPECT_TRUE(std::isnan(cell(table, "base.train_loss, last", 4))) << "no clean run of its program";
}

TEST(TrainingTasks, TriageLooksAtWhatComesAfterTheWindow) {
  const auto label = [](std::vector<double> losses, bool calm) {
    return triageLabels({runOf("a", "base.train_loss", std::move(losses))}, {5, 1.5, calm})[0];
  };
  EXPECT_EQ(label({4, 3, 2, 1, 1, 1, 1}, true), 0);
  EXPECT_EQ(label({4, 3, 2, 1, 1, 1, 1.8}, true), 1);
  EXPECT_EQ(label({4, 3, 2, 1, 1, 1, NAN}, true), 1);
  EXPECT_EQ(label({4, 3, 9, 1, 1, 1, 1}, true), -1) << "not calm in the window";
  EXPECT_EQ(label({4, 3, 9, 1, 1, 1, 1}, false), 0);
  EXPECT_EQ(label({4, 3, NAN, 1, 1, 1, 1}, false), -1) << "dead in the window";
  EXPECT_EQ(label({4, 3, 2}, false), -1) << "too short";
}

TEST(TrainingTasks, TypingAndMismatch) {
  std::vector<TrainingRun> runs(3);
  runs[0].fault = "loss";
  runs[0].killed = true;
  runs[1].fault = "init";
  runs[2].fault = "opt";
  runs[2].killed = true;
  EXPECT_EQ(typingLabels(runs, true), (std::vector<int>{1, -1, -1}));
  EXPECT_EQ(typingLabels(runs, false), (std::vector<int>{1, 3, -1}));
  TrainingRun over = runOf("a", "base.train_score", {1});
  over.series["base.val_score"] = Series{"base.val_score", {0}, {0.92}};
  over.series["check.loss_to_chance"] = Series{"check.loss_to_chance", {0}, {1}};
  EXPECT_EQ(mismatchLabels({over}), std::vector<int>{1}) << "0.07 is enough above 0.9";
  EXPECT_EQ(mismatchLabels({over}, 0.1), std::vector<int>{0});
}

TEST(TrainingSplits, KeepApartWhatTheySay) {
  const std::vector<TrainingRun> &runs = sampleRuns();
  const std::vector<int> label = typingLabels(runs, false);
  const auto keys = [&](Split split, size_t row) {
    return split == Split::Program  ? runs[row].program
           : split == Split::Family ? runs[row].family
           : split == Split::Seed   ? runs[row].program + runs[row].operation
                                    : runs[row].operation;
  };
  for (Split split :
       {Split::Row, Split::Within, Split::Seed, Split::Program, Split::Family, Split::Operator}) {
    std::vector<int> tested(runs.size(), 0);
    for (const Fold &fold : makeFolds(split, runs, label, 5)) {
      std::set<std::string> train, programs;
      for (size_t row : fold.train) {
        EXPECT_GE(label[row], 0);
        train.insert(keys(split, row));
        programs.insert(runs[row].program);
      }
      for (size_t row : fold.test) {
        ++tested[row];
        const bool apart = split != Split::Row && split != Split::Within;
        EXPECT_TRUE(!apart || train.count(keys(split, row)) == 0) << keys(split, row);
        EXPECT_TRUE(split != Split::Within || programs == std::set<std::string>{runs[row].program});
      }
    }
    for (size_t row = 0; row < runs.size(); ++row)
      EXPECT_EQ(tested[row], label[row] >= 0 ? 1 : 0);
  }
}

TEST(Bootstrap, IsPairedAndByGroup) {
  std::vector<int> truth, group, good, bad;
  for (int i = 0; i < 400; ++i) {
    truth.push_back(i % 2);
    group.push_back(i / 20);
    good.push_back(i / 20 % 4 ? i % 2 : 0);
    bad.push_back(i / 20 % 2 ? i % 2 : 0);
  }
  Bootstrap bootstrap(truth, group, 2);
  const int a = bootstrap.add(good), b = bootstrap.add(bad);
  EXPECT_NEAR(bootstrap.accuracy(a).value, 0.875, 1e-12);
  EXPECT_NEAR(bootstrap.difference(a, b).value, 0.125, 1e-12);
  EXPECT_LT(bootstrap.accuracy(a).low, 0.86);
  EXPECT_GE(bootstrap.difference(a, b).low, 0) << "in every resample a is at least as good";
  EXPECT_EQ(bootstrap.difference(a, a).high, 0);
}

// Four programs to learn from, one never seen: far better than guessing among six.
TEST(Diagnosis, TellsFaultsOfAProgramNeverSeen) {
  std::vector<TrainingRun> corpus, held;
  for (const TrainingRun &run : sampleRuns())
    (run.program == "iris-relu" ? held : corpus).push_back(run);
  const DiagnosisModel model = trainDiagnosis(corpus, false);
  EXPECT_EQ(model.programs, 4);
  EXPECT_GT(model.heldOut, 0.4);
  const std::vector<Diagnosis> found = diagnose(model, held, {}, {}, {0.6});
  const std::vector<int> label = verdictLabels(held);
  double right = 0, faults = 0, sure = 0, sureRight = 0;
  for (size_t i = 0; i < held.size(); ++i) {
    const bool hit =
        label[i] >= 0 && found[i].candidates[0].verdict == kVerdicts[static_cast<size_t>(label[i])];
    if (label[i] < 0)
      continue;
    faults += label[i] < 4;
    right += label[i] < 4 && hit;
    sure += !found[i].abstains;
    sureRight += !found[i].abstains && hit;
    EXPECT_LE(found[i].evidence.size(), 3u);
    EXPECT_GE(found[i].evidence.size(), 1u);
  }
  EXPECT_GT(right / faults, 0.35);
  EXPECT_GE(sureRight, 0.6 * sure) << "what is said is right more often than not";
  std::ostringstream text;
  writeDiagnosis(found.back(), model, text);
  EXPECT_NE(text.str().find("programs that the model had not seen"), std::string::npos);
}

TEST(Diagnosis, ModelsSurviveAFile) {
  std::vector<TrainingRun> corpus;
  for (const TrainingRun &run : sampleRuns())
    if (run.seed < 7700001)
      corpus.push_back(run);
  const DiagnosisModel model = trainDiagnosis(corpus, false);
  const sample::TemporaryDirectory directory;
  saveModel(model, directory.path("m"));
  const DiagnosisModel loaded = loadModel(directory.path("m"));
  const std::vector<TrainingRun> some(sampleRuns().begin(), sampleRuns().begin() + 20);
  const auto before = diagnose(model, some, {}, {}, {}), after = diagnose(loaded, some, {}, {}, {});
  for (size_t i = 0; i < some.size(); ++i) {
    EXPECT_EQ(before[i].candidates[0].verdict, after[i].candidates[0].verdict);
    EXPECT_NEAR(before[i].candidates[0].share, after[i].candidates[0].share, 1e-5);
    EXPECT_EQ(before[i].evidence, after[i].evidence);
  }
  EXPECT_THROW(loadModel(directory.write("x", "no model")), Error);
  std::ifstream file(directory.path("m"), std::ios::binary);
  std::string bytes((std::istreambuf_iterator<char>(file)), {});
  EXPECT_THROW(loadModel(directory.write("y", bytes.substr(0, bytes.size() / 2))), Error);
}

TEST(Diagnosis, ObservationsNameValueAndEpoch) {
  const TrainingRun run = runOf("a", "base.grad_min", {0.5, 1e-3, 3e-12, 1e-9});
  EXPECT_EQ(observation("base.grad_min, min", run, -2, -1),
            "smallest gradient norm of a layer fell to 3e-12 in epoch 2; in clean runs of other "
            "programs 0.01 to 0.1");
  EXPECT_EQ(observation("base.grad_min, slope", run, NAN, NAN),
            "smallest gradient norm of a layer went from 0.5 to 1e-09 by epoch 3");
  EXPECT_EQ(observation("act.mean, max", run, 0, 1), "mean activation was not recorded");
}

TEST(Study, IsWholeAndDeterministic) {
  std::vector<TrainingRun> some; // a third of the seeds, for time
  for (const TrainingRun &run : sampleRuns())
    if (run.seed == 7700000 || run.clean)
      some.push_back(run);
  const auto study = evaluateCorpus(some, {true, false});
  for (const char *claim : {"C1", "C2", "C3", "C4"})
    EXPECT_FALSE(study.at("verdicts").at(claim).at("verdict").get<std::string>().empty());
  EXPECT_GT(study.at("scored").at("typing_row").at("value").get<double>(), 0.5);
  std::ostringstream text, page;
  writeStudyText(study, text);
  writeStudyHtml(study, page);
  EXPECT_NE(text.str().find("not available to us"), std::string::npos)
      << "the first paragraph says so";
  EXPECT_NE(page.str().find("<h2>Verdicts</h2>"), std::string::npos);
  EXPECT_EQ(study.dump(), evaluateCorpus(some, {true, false}).dump());
}

} // namespace
} // namespace perfidy
