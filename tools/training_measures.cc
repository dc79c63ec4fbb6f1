#include "tools/training_measures.h"
#include "explainer/random.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace perfidy {

using Json = nlohmann::ordered_json;

namespace {

/// Every second program of the list, by its order in test/programs/training; chosen before any
/// result.
const std::set<std::string> &developmentPrograms() {
  static const std::set<std::string> names{"digits-linear",
                                           "diabetes-linear",
                                           "digits-deep-tanh",
                                           "wine-tanh",
                                           "spiral-tanh",
                                           "checkerboard-relu",
                                           "formants-relu",
                                           "mixture-relu",
                                           "sine-deep-relu",
                                           "friedman3-softplus",
                                           "digits-cnn-tanh",
                                           "glyphs-cnn",
                                           "patches-cnn",
                                           "adding-elman",
                                           "mackey-gru",
                                           "symbol-gru",
                                           "symbol-attention",
                                           "digits-autoencoder",
                                           "patches-autoencoder"};
  return names;
}

} // namespace

bool isScoringProgram(const std::string &program) {
  return developmentPrograms().count(program) == 0;
}

std::vector<int> shuffled(const std::vector<int> &group, const std::vector<int> &label) {
  std::vector<size_t> rows;
  for (size_t row = 0; row < label.size(); ++row)
    if (label[row] >= 0)
      rows.push_back(row);
  std::vector<size_t> other = rows;
  Drawing random(23);
  for (size_t i = other.size(); i > 1; --i)
    std::swap(other[i - 1], other[random.below(i)]);
  std::vector<int> result(group.size(), 0);
  for (size_t i = 0; i < rows.size(); ++i)
    result[rows[i]] = group[other[i]];
  return result;
}

double medianEta(const Table &table, const std::vector<int> &group, const std::vector<int> &label) {
  std::vector<size_t> rows;
  for (size_t row = 0; row < label.size(); ++row)
    if (label[row] >= 0)
      rows.push_back(row);
  std::vector<double> etas;
  for (size_t column = 0; column < table.columns.size(); ++column) {
    std::vector<size_t> order = rows;
    const auto key = [&](size_t row) {
      return std::isnan(table.value(row, column)) ? 1e300 : table.value(row, column);
    };
    std::stable_sort(
        order.begin(), order.end(), [&](size_t a, size_t b) { return key(a) < key(b); });
    std::map<int, std::pair<double, double>> sums;
    const double count = static_cast<double>(order.size()), mean = (count - 1) / 2;
    double between = 0, all = 0;
    for (size_t begin = 0, end = 0; begin < order.size(); begin = end) {
      while (end < order.size() && key(order[end]) == key(order[begin]))
        ++end;
      const double rank =
          static_cast<double>(begin + end - 1) / 2 - mean; // ties share their mean rank
      for (size_t i = begin; i < end; ++i) {
        sums[group[order[i]]].first += rank;
        sums[group[order[i]]].second += 1;
        all += rank * rank;
      }
    }
    for (const auto &[number, sum] : sums)
      between += sum.first * sum.first / sum.second;
    if (all > 0)
      etas.push_back(between / all);
  }
  std::sort(etas.begin(), etas.end());
  return etas.empty() ? 0 : etas[etas.size() / 2];
}

Table joinedTable(const Table &a, const Table &b) {
  Table result = a;
  result.data.insert(result.data.end(), b.data.begin(), b.data.end());
  result.columns.insert(result.columns.end(), b.columns.begin(), b.columns.end());
  return result;
}

Json recalls(const std::vector<int> &guess, const std::vector<int> &truth) {
  Json result;
  for (size_t label = 0; label < kFaultClasses.size(); ++label) {
    std::vector<int> to(kFaultClasses.size(), 0);
    for (size_t row = 0; row < truth.size(); ++row)
      if (truth[row] == static_cast<int>(label) && guess[row] >= 0)
        ++to[static_cast<size_t>(guess[row])];
    result[kFaultClasses[label]] = to;
  }
  return result;
}

Json coverage(const Scores &scores, const std::vector<int> &truth) {
  Json rows = Json::array();
  const std::vector<int> guess = guesses(scores);
  for (double threshold : {0.0, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9}) {
    double all = 0, kept = 0, right = 0;
    for (size_t row = 0; row < truth.size(); ++row) {
      if (truth[row] < 0 || guess[row] < 0)
        continue;
      all += 1;
      const bool sure = scores[row][static_cast<size_t>(guess[row])] >= threshold;
      kept += sure;
      right += sure && guess[row] == truth[row];
    }
    rows.push_back({{"threshold", threshold},
                    {"coverage", all > 0 ? kept / all : 0},
                    {"accuracy", kept > 0 ? right / kept : -1}});
  }
  return rows;
}

} // namespace perfidy
