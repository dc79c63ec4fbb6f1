// How held-out runs are chosen, models fitted on the others, and how sure the accuracy is.
#pragma once

#include "explainer/forest.h"
#include "explainer/logistic.h"
#include "tools/training_features.h"

namespace perfidy {

/// Row: stratified, seeds of one fault on both sides. Seed: all seeds of a program's fault
/// together. Within: like Row, inside each program alone. Program, Family: those whole. Operator:
/// all runs of a fault operator (in every program), so that its class is seen through other
/// operators only.
enum class Split { Row, Seed, Within, Program, Family, Operator };
inline constexpr const char *kSplitNames[] = {"ROW", "SEED", "WITHIN", "PROG", "FAMILY", "OPER"};

struct Fold {
  std::vector<size_t> train, test;
};

/// Folds over the rows whose label is not negative; `folds` at most. Deterministic.
std::vector<Fold> makeFolds(Split split,
                            const std::vector<TrainingRun> &runs,
                            const std::vector<int> &label,
                            int folds);

/// Folds with whole groups held out.
std::vector<Fold>
groupedFolds(const std::vector<int> &label, const std::vector<int> &group, int folds);

enum class Learner { Forest, Logistic, Tree };

struct LearnerOptions {
  Learner learner = Learner::Forest;
  ForestOptions forest{.trees = 100};
  LogisticOptions logistic{.penalty = 10};
};

/// Probabilities of the labels for each test row by a model that has not seen its fold; empty for
/// rows in no fold. Table::label counts.
using Scores = std::vector<std::vector<double>>;
Scores
heldOutScores(const Table &table, const std::vector<Fold> &folds, const LearnerOptions &options);

/// The label of the largest probability; -1 for empty.
std::vector<int> guesses(const Scores &scores);

/// A figure with its 95 % interval.
struct Figure {
  double value = -1, low = -1, high = -1;
};

/// Balanced accuracy of one or more guesses, and differences between them, under one bootstrap by
/// group (2,000 resamples of whole groups, the same for all: paired).
class Bootstrap {
public:
  Bootstrap(std::vector<int> truth, std::vector<int> group, int labels);
  /// Adds guesses; returns their number. Rows with guess or truth -1 do not count.
  int add(const std::vector<int> &guess);
  Figure accuracy(int which) const;
  /// accuracy(a) - accuracy(b), and a linear combination of accuracies.
  Figure difference(int a, int b) const { return combination({{1, a}, {-1, b}}); }
  Figure combination(const std::vector<std::pair<double, int>> &terms) const;

private:
  double at(size_t which, const std::vector<int> &times) const;

  std::vector<int> truth_, group_;
  size_t labels_, groups_ = 0;
  std::vector<std::vector<double>> counts_; ///< per guess: rows and hits by group and label
};

} // namespace perfidy
