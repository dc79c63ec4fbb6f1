// The C++ side of oracle.py: reads one question after the other from stdin, answers in plain text.
//
//   tree CRITERION BALANCE DEPTH MINLEAF ALPHA ROWS COLUMNS LABELS, then ROWS lines of COLUMNS
//   values and a label -> one line per node, the pruning path, the prediction of every row fit
//   POINTS, then POINTS lines of size and cost -> shape, parameters, exponent
#include "explainer/cost_function.h"
#include "explainer/tree.h"

#include <fmt/format.h>
#include <iostream>
#include <string>

namespace {

using namespace std::string_literals;

void answerTree(std::istream &in) {
  std::string criterion;
  perfidy::TreeOptions options;
  perfidy::Table table;
  size_t columns = 0;
  in >> criterion >> options.balanceClasses >> options.maxDepth >> options.minLeaf >> options.alpha;
  in >> table.rows >> columns >> table.labels;
  options.criterion = criterion == "gini"s ? perfidy::Criterion::Gini : perfidy::Criterion::Entropy;
  table.columns.resize(columns);
  table.data.resize(table.rows * columns);
  table.label.resize(table.rows);
  for (size_t row = 0; row < table.rows; ++row) {
    for (size_t column = 0; column < columns; ++column)
      in >> table.data[column * table.rows + row];
    in >> table.label[row];
  }
  const perfidy::Tree tree = perfidy::growTree(table, options);
  for (const perfidy::TreeNode &node : tree.nodes)
    fmt::print("node {} {} {} {} {} {}\n",
               node.left,
               node.right,
               node.column,
               node.threshold,
               node.impurity,
               node.weight);
  fmt::print("path");
  for (double alpha : perfidy::pruningPath(tree))
    fmt::print(" {}", alpha);
  fmt::print("\npredictions");
  for (size_t row = 0; row < table.rows; ++row)
    fmt::print(" {}", perfidy::predict(tree, table, row));
  fmt::print("\nend\n");
}

void answerFit(std::istream &in) {
  size_t count = 0;
  in >> count;
  std::vector<perfidy::SizeCost> points(count);
  for (perfidy::SizeCost &point : points)
    in >> point.size >> point.cost;
  perfidy::FitOptions options;
  options.holdOutTop = false;
  const perfidy::CostFunction fit = perfidy::fitCostFunction(points, options);
  fmt::print("fit {} {} {} {} {}\nend\n",
             static_cast<int>(fit.shape),
             fit.intercept,
             fit.factor,
             fit.power,
             fit.exponent);
}

} // namespace

int main() {
  std::string question;
  while (std::cin >> question)
    if (question == "tree")
      answerTree(std::cin);
    else
      answerFit(std::cin);
  return std::cin.eof() ? 0 : 1;
}
