// The C++ side of oracle.py: reads one question after the other from stdin, answers in plain text.
//
//   tree CRITERION BALANCE DEPTH MINLEAF ALPHA ROWS COLUMNS LABELS, then ROWS lines of COLUMNS
//   values and a label -> one line per node, the pruning path, the prediction of every row
//
//   fit POINTS, then POINTS lines of size and cost -> shape, parameters, exponent
//
//   speed ROWS COLUMNS FILE -> CPU seconds, number of nodes, column of the root
#include "explainer/cost_function.h"
#include "explainer/tree.h"

#include <ctime>
#include <fmt/format.h>
#include <fstream>
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

// Times one tree on a file of ROWS x COLUMNS doubles, column by column, and ROWS 32-bit labels.
void answerSpeed(std::istream &in) {
  perfidy::Table table;
  size_t columns = 0;
  std::string path;
  in >> table.rows >> columns >> path;
  table.columns.resize(columns);
  table.data.resize(table.rows * columns);
  table.label.resize(table.rows);
  table.labels = 2;
  std::ifstream file(path, std::ios::binary);
  file.read(reinterpret_cast<char *>(table.data.data()),
            static_cast<std::streamsize>(table.data.size() * sizeof(double)));
  file.read(reinterpret_cast<char *>(table.label.data()),
            static_cast<std::streamsize>(table.label.size() * sizeof(int)));
  perfidy::TreeOptions options;
  options.maxDepth = 4;
  const std::clock_t start = std::clock();
  const perfidy::Tree tree = perfidy::growTree(table, options);
  const double seconds = double(std::clock() - start) / CLOCKS_PER_SEC;
  fmt::print("speed {} {} {}\nend\n", seconds, tree.nodes.size(), tree.nodes.front().column);
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
    else if (question == "speed")
      answerSpeed(std::cin);
    else
      answerFit(std::cin);
  return std::cin.eof() ? 0 : 1;
}
