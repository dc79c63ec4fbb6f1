#include "tools/command_diagnose.h"
#include "tools/code_differences.h"
#include "tools/commands.h"
#include "tools/diagnosis.h"
#include "tools/input_files.h"

#include <chrono>
#include <filesystem>
#include <fmt/format.h>
#include <iostream>
#include <sstream>
#include <thread>

namespace perfidy {
namespace {

using Json = nlohmann::ordered_json;

int evaluate(const DiagnoseCommand &command) {
  EvaluationOptions options;
  options.quick = command.quick;
  options.development = command.development;
  const Json study = evaluateCorpus(readTrainingRuns({command.evaluate}), options);
  writeStudyText(study, std::cout);
  if (!command.json.empty())
    writeBytes(command.json, study.dump(1) + "\n");
  if (!command.html.empty()) {
    std::ostringstream page;
    writeStudyHtml(study, page);
    writeBytes(command.html, page.str());
  }
  return kExitNothing;
}

struct Trained {
  DiagnosisModel model;
  std::vector<TrainingRun> corpus, clean;
};

Trained modelOf(const DiagnoseCommand &command) {
  if (command.train.empty())
    throw Error("There is nothing to learn from: give --train with a folder of labelled traces or "
                "a saved model.");
  Trained trained;
  if (!command.clean.empty())
    trained.clean = readTrainingRuns(command.clean);
  const bool folder = std::filesystem::is_directory(command.train);
  if (!folder && !trained.clean.empty())
    throw Error("A saved model knows nothing of clean runs of your program: give --train a folder "
                "of labelled traces, or leave --clean out.");
  if (trained.clean.size() == 1)
    throw Error("One clean run does not show what is usual: give --clean at least two.");
  if (folder)
    trained.corpus = readTrainingRuns({command.train});
  trained.model =
      folder ? trainDiagnosis(trained.corpus, !trained.clean.empty()) : loadModel(command.train);
  return trained;
}

Json toJson(const Diagnosis &diagnosis) {
  Json json{{"program", diagnosis.program},
            {"file", diagnosis.file},
            {"abstains", diagnosis.abstains},
            {"probability", diagnosis.probability}};
  for (const Candidate &candidate : diagnosis.candidates)
    json["candidates"].push_back({{"verdict", candidate.verdict}, {"votes", candidate.share}});
  json["evidence"] = diagnosis.evidence;
  json["next"] = diagnosis.next;
  json["warning"] = diagnosis.warning;
  json["warning_window"] = diagnosis.warningWindow;
  return json;
}

void writePage(const std::string &path, const std::string &text) {
  std::string escaped;
  for (char c : text)
    escaped += c == '<' ? "&lt;" : c == '&' ? "&amp;" : std::string(1, c);
  writeBytes(
      path,
      "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>Perfidy: "
      "diagnosis</title>"
      "<style>pre{white-space:pre-wrap;font:15px sans-serif;max-width:60em;margin:2em auto}</style>"
      "</head><body><pre>" +
          escaped + "</pre></body></html>\n");
}

bool likely(const Diagnosis &diagnosis) {
  return !diagnosis.abstains && diagnosis.candidates[0].verdict != "none";
}

/// Follows a growing trace. Ends with the run's tag "ended", or when nothing comes any more.
int watch(const DiagnoseCommand &command, const DiagnosisModel &model) {
  using Clock = std::chrono::steady_clock;
  Clock::time_point news = Clock::now();
  size_t epochs = 0;
  bool warned = false, ended = false;
  while (!ended && std::chrono::duration<double>(Clock::now() - news).count() < command.patience) {
    if (!std::filesystem::exists(command.traces[0])) {
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
      continue;
    }
    const Trace trace = readTrace(command.traces[0]);
    const bool some = !trace.runs.empty() && !trace.runs.back().series.empty();
    const size_t now = some ? trace.runs.back().series[0].value.size() : 0;
    ended = some && trace.runs.back().tags.count("ended") > 0;
    if (now == epochs) {
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
      continue;
    }
    news = Clock::now();
    epochs = now;
    const std::vector<TrainingRun> runs{readTrainingRuns({command.traces[0]}).back()};
    const Diagnosis diagnosis = diagnose(model, runs, {}, {}, {command.threshold})[0];
    if (diagnosis.warning < 0)
      continue;
    const bool alarm = diagnosis.warning >= DiagnosisChoice().alarm;
    fmt::print("epoch {}: {} (votes for instability {:.2f})\n",
               epochs - 1,
               alarm ? "about to become unstable" : "calm",
               diagnosis.warning);
    std::fflush(stdout);
    warned |= alarm;
  }
  for (const EarlyModel &early : model.early)
    fmt::print("Warnings after {} epochs: balanced accuracy {:.2f} on programs held out, false "
               "alarms on {:.1f} % of clean runs.\n",
               early.window,
               early.accuracy,
               100 * early.falseAlarms);
  return warned ? kExitFinding : kExitNothing;
}

} // namespace

int commandDiagnose(const DiagnoseCommand &command) {
  if (!command.evaluate.empty())
    return evaluate(command);
  if (command.traces.empty() && command.saveModel.empty())
    throw Error(
        "There is no trace to diagnose. Give one, or --evaluate CORPUS, or --save-model FILE.");
  const Trained trained = modelOf(command);
  if (!command.saveModel.empty()) {
    if (trained.model.reference)
      throw Error("--save-model and --clean exclude each other: what is usual for your program is "
                  "not in a model.");
    saveModel(trained.model, command.saveModel);
    fmt::print(
        stderr, "perfidy: model of {} traces in {}\n", trained.model.traces, command.saveModel);
  }
  if (command.traces.empty())
    return kExitNothing;
  if (command.watch)
    return watch(command, trained.model);
  const std::vector<TrainingRun> runs = readTrainingRuns(command.traces);
  const std::vector<Diagnosis> found =
      diagnose(trained.model, runs, trained.clean, trained.corpus, {command.threshold});
  std::ostringstream text;
  Json json = Json::array();
  bool fault = false;
  for (const Diagnosis &diagnosis : found) {
    writeDiagnosis(diagnosis, trained.model, text);
    json.push_back(toJson(diagnosis));
    fault |= likely(diagnosis) || diagnosis.warning >= DiagnosisChoice().alarm;
  }
  for (const std::string &line : codeDifferences(command.traces, command.clean))
    text << "  " << line << "\n";
  std::cout << text.str();
  if (!command.json.empty())
    writeBytes(command.json, json.dump(1) + "\n");
  if (!command.html.empty())
    writePage(command.html, text.str());
  return fault ? kExitFinding : kExitNothing;
}

} // namespace perfidy
