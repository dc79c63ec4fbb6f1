#include "tools/diagnosis.h"

#include <algorithm>
#include <cmath>
#include <fmt/ostream.h>
#include <numeric>
#include <set>

namespace perfidy {
namespace {

constexpr size_t kEvidence = 3;

std::string seriesOfColumn(const std::string &column) { return column.substr(0, column.find(',')); }

/// The columns that speak most for a label, one per series.
std::vector<size_t> speakers(const std::vector<double> &contribution,
                             const std::vector<std::string> &columns,
                             size_t count) {
  std::vector<size_t> order(columns.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    return contribution[a] > contribution[b];
  });
  std::vector<size_t> result;
  std::set<std::string> seen;
  for (size_t column : order)
    if (result.size() < count && contribution[column] > 0 &&
        seen.insert(seriesOfColumn(columns[column])).second)
      result.push_back(column);
  return result;
}

int indexOf(const std::string &verdict) {
  return static_cast<int>(std::find(kVerdicts.begin(), kVerdicts.end(), verdict) -
                          kVerdicts.begin());
}

/// Where two verdicts differ most, in units of what this run is away from the second.
std::string distinction(const DiagnosisModel &model,
                        const std::vector<double> &first,
                        const std::vector<double> &second,
                        const Diagnosis &diagnosis) {
  std::vector<double> difference;
  for (size_t column = 0; column < first.size(); ++column)
    difference.push_back(first[column] - second[column]);
  const std::vector<size_t> found = speakers(difference, model.typing.columns, 1);
  if (found.empty() || diagnosis.candidates[1].share <= 0)
    return {};
  const size_t column = found[0], columns = model.typing.columns.size();
  const auto usual = [&](const std::string &verdict) {
    return model.medians[static_cast<size_t>(indexOf(verdict)) * columns + column];
  };
  return fmt::format("Next: {} ({:.0f} % of the votes). It would rather show in {}: typically "
                     "{:.3g} then, {:.3g} with the first (on the scale of the features).",
                     verdictWords(diagnosis.candidates[1].verdict),
                     100 * diagnosis.candidates[1].share,
                     seriesWords(seriesOfColumn(model.typing.columns[column])),
                     usual(diagnosis.candidates[1].verdict),
                     usual(diagnosis.candidates[0].verdict));
}

void rank(const std::vector<double> &shares, const DiagnosisModel &model, Diagnosis &diagnosis) {
  for (size_t label = 0; label < kVerdicts.size(); ++label)
    diagnosis.candidates.push_back({kVerdicts[label], shares[label]});
  std::stable_sort(diagnosis.candidates.begin(),
                   diagnosis.candidates.end(),
                   [](const Candidate &a, const Candidate &b) { return a.share > b.share; });
  for (const DiagnosisModel::Step &step : model.calibration)
    if (step.score <= diagnosis.candidates[0].share || diagnosis.judgedLike == 0) {
      diagnosis.probability = step.right;
      diagnosis.judgedLike = step.runs;
    }
}

double lastStep(const TrainingRun &run) {
  double last = -1;
  for (const auto &[name, series] : run.series)
    last = std::max(last, series.step.empty() ? -1 : series.step.back());
  return last;
}

void warn(const DiagnosisModel &model,
          const std::vector<TrainingRun> &runs,
          std::vector<Diagnosis> &result) {
  for (const EarlyModel &early : model.early) {
    const Table table = aligned(earlyTable(runs, early.window), early.forest.columns);
    for (size_t row = 0; row < runs.size(); ++row)
      if (lastStep(runs[row]) >= early.window - 1) {
        result[row].warning = probabilities(early.forest.forest, table, row)[1];
        result[row].warningWindow = early.window;
      }
  }
}

} // namespace

std::vector<Diagnosis> diagnose(const DiagnosisModel &model,
                                const std::vector<TrainingRun> &runs,
                                const std::vector<TrainingRun> &clean,
                                const std::vector<TrainingRun> &corpus,
                                const DiagnosisOptions &options) {
  std::vector<TrainingRun> all = runs;
  if (model.reference) {
    // The new program's known-good runs are its reference; the corpus tells how much is usual.
    for (TrainingRun good : clean) {
      good.clean = true;
      all.push_back(std::move(good));
    }
    all.insert(all.end(), corpus.begin(), corpus.end());
  }
  const Table table = aligned(diagnosisTable(all, model.reference), model.typing.columns);
  std::vector<Diagnosis> result(runs.size());
  for (size_t row = 0; row < runs.size(); ++row) {
    Diagnosis &diagnosis = result[row];
    diagnosis.program = runs[row].program;
    diagnosis.file = runs[row].file;
    rank(probabilities(model.typing.forest, table, row), model, diagnosis);
    diagnosis.abstains = diagnosis.probability < options.threshold;
    const auto speaks = [&](size_t candidate) {
      return contributions(
          model.typing.forest, table, row, indexOf(diagnosis.candidates[candidate].verdict));
    };
    const std::vector<double> first = speaks(0);
    for (size_t column : speakers(first, model.typing.columns, kEvidence))
      diagnosis.evidence.push_back(observation(model.typing.columns[column],
                                               runs[row],
                                               model.cleanLow[column],
                                               model.cleanHigh[column]));
    diagnosis.next = distinction(model, first, speaks(1), diagnosis);
  }
  warn(model, runs, result);
  return result;
}

void writeDiagnosis(const Diagnosis &diagnosis, const DiagnosisModel &model, std::ostream &out) {
  fmt::print(out, "{} ({})\n", diagnosis.program, diagnosis.file);
  const Candidate &first = diagnosis.candidates[0];
  if (diagnosis.abstains)
    fmt::print(out,
               "  no verdict: the likeliest is {}, but such a verdict would be right in only "
               "{:.0f} % of cases\n",
               verdictWords(first.verdict),
               100 * diagnosis.probability);
  else
    fmt::print(out,
               "  verdict: {} (probability {:.2f})\n",
               verdictWords(first.verdict),
               diagnosis.probability);
  for (const std::string &sentence : diagnosis.evidence)
    fmt::print(out, "  - {}\n", sentence);
  if (!diagnosis.next.empty())
    fmt::print(out, "  {}\n", diagnosis.next);
  fmt::print(
      out,
      "  Verdicts at least as sure as this: {} of {} runs, on programs that the model had not "
      "seen. Balanced accuracy over all six verdicts there: {:.2f} ({} programs, {} traces).\n",
      diagnosis.judgedLike,
      model.calibration.front().runs,
      model.heldOut,
      model.programs,
      model.traces);
  if (diagnosis.warning >= DiagnosisChoice().alarm)
    fmt::print(
        out,
        "  warning: after {} epochs it looked about to become unstable ({:.0f} % of the votes)\n",
        diagnosis.warningWindow,
        100 * diagnosis.warning);
}

} // namespace perfidy
