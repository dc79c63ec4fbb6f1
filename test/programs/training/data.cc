#include "test/programs/training/data.h"
#include "runtime/trace.h"
#include "test/programs/training/random.h"

#include <array>
#include <fmt/format.h>
#include <sstream>
#include <zlib.h>

namespace perfidy {
namespace {

constexpr const char *kFolder = "/usr/lib/python3/dist-packages/sklearn/datasets/data/";
/// Samples trained on and validated with, at most: the corpus has thousands of runs.
constexpr int kTrain = 300, kValidation = 150;

std::string readAll(const std::string &name) {
  gzFile file = gzopen((kFolder + name).c_str(), "rb");
  if (!file)
    throw Error(fmt::format(
        "{}{}: not there. Install python3-sklearn (tools/dev/install).", kFolder, name));
  std::string bytes;
  std::array<char, 65536> chunk;
  for (int got; (got = gzread(file, chunk.data(), chunk.size())) > 0;)
    bytes.append(chunk.data(), static_cast<size_t>(got));
  gzclose(file);
  return bytes;
}

/// Numbers line by line; a header line is passed over.
std::vector<std::vector<double>> readRows(const std::string &name, bool header) {
  std::istringstream lines(readAll(name));
  std::vector<std::vector<double>> rows;
  for (std::string line; std::getline(lines, line);) {
    if (header) {
      header = false;
      continue;
    }
    for (char &c : line)
      c = c == ',' ? ' ' : c;
    std::istringstream numbers(line);
    std::vector<double> row;
    for (double value; numbers >> value;)
      row.push_back(value);
    if (!row.empty())
      rows.push_back(std::move(row));
  }
  return rows;
}

/// Rows to mean 0 and deviation 1 (constant rows to 0).
void standardise(Real &x) {
  for (Eigen::Index i = 0; i < x.rows(); ++i) {
    x.row(i).array() -= x.row(i).mean();
    const double deviation = std::sqrt(x.row(i).squaredNorm() / static_cast<double>(x.cols()));
    x.row(i) /= deviation > 0 ? deviation : 1;
  }
}

Data cut(Data data, const Real &x, const Real &y, const std::vector<int> &order) {
  const int all = static_cast<int>(order.size());
  const int train = std::min(kTrain, all * 2 / 3), validation = std::min(kValidation, all - train);
  const auto take = [&](const Real &from, int begin, int count) {
    Real out(from.rows(), count);
    for (int i = 0; i < count; ++i)
      out.col(i) = from.col(order[static_cast<size_t>(begin + i)]);
    return out;
  };
  data.inputs = take(x, 0, train);
  data.targets = take(y, 0, train);
  data.validationInputs = take(x, train, validation);
  data.validationTargets = take(y, train, validation);
  return data;
}

/// Last column of the rows is the class or the target.
Data table(const std::vector<std::vector<double>> &rows, bool classes, Shape shape) {
  const auto samples = static_cast<Eigen::Index>(rows.size());
  const auto features = static_cast<Eigen::Index>(rows[0].size()) - 1;
  Real x(features, samples);
  int labels = 1;
  for (const auto &row : rows)
    labels = classes ? std::max(labels, static_cast<int>(row.back()) + 1) : 1;
  Real y = Real::Zero(labels, samples);
  for (Eigen::Index n = 0; n < samples; ++n) {
    const auto &row = rows[static_cast<size_t>(n)];
    for (Eigen::Index i = 0; i < features; ++i)
      x(i, n) = row[static_cast<size_t>(i)];
    y(classes ? static_cast<Eigen::Index>(row.back()) : 0, n) = classes ? 1 : row.back();
  }
  standardise(x);
  if (!classes)
    standardise(y);
  std::vector<int> order(rows.size());
  for (size_t i = 0; i < order.size(); ++i)
    order[i] = static_cast<int>(i);
  Random(7).shuffle(order);
  Data data;
  data.shape = shape;
  data.classes = classes;
  return cut(std::move(data), x, y, order);
}

Shape flat(int features) { return {features, 1, 1, 1}; }

} // namespace

Data digits(Shape shape) { return table(readRows("digits.csv.gz", false), true, shape); }
Data cancer() { return table(readRows("breast_cancer.csv", true), true, flat(30)); }
Data wine() { return table(readRows("wine_data.csv", true), true, flat(13)); }
Data iris() { return table(readRows("iris.csv", true), true, flat(4)); }

Data diabetes() {
  auto rows = readRows("diabetes_data_raw.csv.gz", false);
  const auto targets = readRows("diabetes_target.csv.gz", false);
  for (size_t i = 0; i < rows.size(); ++i)
    rows[i].push_back(targets[i][0]);
  return table(rows, false, flat(10));
}

Data reconstructing(Data data, double noise) {
  Random random(11);
  data.classes = false;
  data.targets = data.inputs;
  data.validationTargets = data.validationInputs;
  for (Real *x : {&data.inputs, &data.validationInputs})
    *x = x->unaryExpr([&](double value) { return value + noise * random.normal(); });
  return data;
}

namespace {

/// Draws `count` rows with `draw` (features, then class or target).
template <typename Draw> Data drawn(bool classes, Shape shape, uint64_t seed, Draw draw) {
  Random random(seed);
  std::vector<std::vector<double>> rows;
  for (int i = 0; i < kTrain + kValidation; ++i)
    rows.push_back(draw(random));
  return table(rows, classes, shape);
}

constexpr double kPi = 3.14159265358979323846;

} // namespace

Data spiral() {
  return drawn(true, flat(2), 1, [](Random &r) {
    const int arm = r.below(2);
    const double t = std::sqrt(r.uniform()) * 1.1 * kPi + 0.4, a = t + arm * kPi;
    return std::vector<double>{
        t * std::cos(a) + 0.12 * r.normal(), t * std::sin(a) + 0.12 * r.normal(), double(arm)};
  });
}

Data moons() {
  return drawn(true, flat(2), 2, [](Random &r) {
    const int side = r.below(2);
    const double t = kPi * r.uniform(), sign = side ? -1 : 1;
    return std::vector<double>{sign * std::cos(t) + side + 0.12 * r.normal(),
                               sign * std::sin(t) + 0.4 * side + 0.12 * r.normal(),
                               double(side)};
  });
}

Data checkerboard() {
  return drawn(true, flat(2), 3, [](Random &r) {
    const double x = 3 * r.uniform(), y = 3 * r.uniform();
    return std::vector<double>{x, y, double((int(x) + int(y)) % 2)};
  });
}

Data parity() {
  return drawn(true, flat(6), 4, [](Random &r) {
    std::vector<double> row;
    int odd = 0;
    for (int i = 0; i < 6; ++i) {
      const int bit = r.below(2);
      odd ^= bit;
      row.push_back(bit + 0.1 * r.normal());
    }
    row.push_back(odd);
    return row;
  });
}

Data formants() {
  return drawn(true, flat(10), 5, [](Random &r) {
    const int vowel = r.below(11);
    const double speaker = 0.6 * r.normal();
    std::vector<double> row;
    for (int i = 0; i < 10; ++i)
      row.push_back(2 * std::sin(1.7 * vowel * (i % 4 + 1) + i) + speaker * std::cos(vowel + i) +
                    0.4 * r.normal());
    row.push_back(vowel);
    return row;
  });
}

Data echoes() {
  return drawn(true, flat(60), 6, [](Random &r) {
    const int kind = r.below(2);
    const double shift = 4 * r.normal();
    std::vector<double> row;
    for (int i = 0; i < 60; ++i) {
      const double a = (i - 20 - shift) / 6, b = (i - 40 + shift) / 9;
      row.push_back(std::exp(-a * a) + (kind ? 0.9 : 0.4) * std::exp(-b * b) + 0.25 * r.normal());
    }
    row.push_back(kind);
    return row;
  });
}

Data mixture() {
  return drawn(true, flat(8), 8, [](Random &r) {
    const int label = r.below(10);
    std::vector<double> row;
    for (int i = 0; i < 8; ++i)
      row.push_back(1.6 * std::sin(2.3 * label * (i + 1) + i) + 0.6 * r.normal());
    row.push_back(label);
    return row;
  });
}

Data sine() {
  return drawn(false, flat(1), 9, [](Random &r) {
    const double x = r.uniform(-3, 3);
    return std::vector<double>{x, std::sin(2 * x) + 0.3 * x + 0.05 * r.normal()};
  });
}

Data friedman1() {
  return drawn(false, flat(10), 10, [](Random &r) {
    std::vector<double> x;
    for (int i = 0; i < 10; ++i)
      x.push_back(r.uniform());
    const double y =
        10 * std::sin(kPi * x[0] * x[1]) + 20 * (x[2] - 0.5) * (x[2] - 0.5) + 10 * x[3] + 5 * x[4];
    x.push_back(y + 0.5 * r.normal());
    return x;
  });
}

Data friedman3() {
  return drawn(false, flat(4), 12, [](Random &r) {
    std::vector<double> x{
        r.uniform(1, 100), r.uniform(40 * kPi, 560 * kPi), r.uniform(), r.uniform(1, 11)};
    x.push_back(std::atan((x[1] * x[2] - 1 / (x[1] * x[3])) / x[0]) + 0.05 * r.normal());
    return x;
  });
}

Data bars() {
  return drawn(true, {1, 8, 8, 1}, 13, [](Random &r) {
    const int side = r.below(2), at = r.below(8), from = r.below(4);
    std::vector<double> row(64);
    for (int i = 0; i < 64; ++i) {
      const int along = side ? i / 8 : i % 8, across = side ? i % 8 : i / 8;
      row[static_cast<size_t>(i)] =
          (across == at && along >= from && along < from + 5) + 0.25 * r.normal();
    }
    row.push_back(side);
    return row;
  });
}

Data glyphs() {
  return drawn(true, {1, 8, 8, 1}, 14, [](Random &r) {
    const int shape = r.below(6);
    const double y0 = r.uniform(3, 5), x0 = r.uniform(3, 5);
    std::vector<double> row;
    for (int i = 0; i < 64; ++i) {
      const double y = i / 8 - y0, x = i % 8 - x0, d = std::hypot(x, y);
      const bool on[6] = {d<2.2, d> 1.4 && d < 2.7,
                          std::abs(x) < 0.8 || std::abs(y) < 0.8,
                          std::abs(x - y) < 1 || std::abs(x + y) < 1,
                          x > -0.5 && y > -0.5,
                          std::max(std::abs(x), std::abs(y)) < 2 && d > 1.2};
      row.push_back(on[shape] + 0.35 * r.normal());
    }
    row.push_back(shape);
    return row;
  });
}

Data waveforms(Shape shape) {
  return drawn(true, shape, 15, [](Random &r) {
    const int kind = r.below(3);
    const double mix = r.uniform();
    std::vector<double> row;
    for (int i = 0; i < 24; ++i) {
      const auto hat = [&](int centre) { return std::max(6.0 - std::abs(i - centre), 0.0); };
      const double a = kind == 2 ? hat(16) : hat(8), b = kind == 0 ? hat(16) : hat(12);
      row.push_back(mix * a + (1 - mix) * b + 0.8 * r.normal());
    }
    row.push_back(kind);
    return row;
  });
}

Data patches(Shape shape) {
  return drawn(false, shape, 16, [](Random &r) {
    const double angle = r.uniform(0, kPi / 2), phase = r.uniform(0, 2),
                 strength = r.uniform(0.7, 1.3);
    std::vector<double> row;
    for (int i = 0; i < 64; ++i) {
      const double along = (i / 8 - 3.5) * std::cos(angle) + (i % 8 - 3.5) * std::sin(angle);
      row.push_back(strength * std::sin(0.9 * along + phase) + 0.1 * r.normal());
    }
    row.push_back(angle);
    return row;
  });
}

Data adding() {
  return drawn(false, {2, 1, 1, 10}, 17, [](Random &r) {
    const int a = r.below(5), b = 5 + r.below(5);
    std::vector<double> row;
    double sum = 0;
    for (int t = 0; t < 10; ++t) {
      const double value = r.uniform(-1, 1);
      row.push_back(value);
      row.push_back(t == a || t == b);
      sum += t == a || t == b ? value : 0;
    }
    row.push_back(sum);
    return row;
  });
}

Data frequencies() {
  return drawn(true, {1, 1, 1, 16}, 18, [](Random &r) {
    const int kind = r.below(3);
    const double phase = r.uniform(0, 2 * kPi);
    std::vector<double> row;
    for (int t = 0; t < 16; ++t)
      row.push_back(std::sin((0.5 + 0.55 * kind) * t + phase) + 0.1 * r.normal());
    row.push_back(kind);
    return row;
  });
}

Data mackeyGlass() {
  std::vector<double> series(1800, 1.2);
  for (size_t t = 17; t + 1 < series.size(); ++t)
    series[t + 1] = 0.9 * series[t] + 0.2 * series[t - 17] / (1 + std::pow(series[t - 17], 10));
  return drawn(false, {1, 1, 1, 8}, 19, [&](Random &r) {
    const auto at = static_cast<size_t>(100 + r.below(1600));
    std::vector<double> row;
    for (size_t t = 0; t <= 8; ++t)
      row.push_back(series[at + (t < 8 ? 3 * t : 27)]);
    return row;
  });
}

Data delayedCopy() {
  return drawn(true, {4, 1, 1, 8}, 20, [](Random &r) {
    const int symbol = r.below(4);
    std::vector<double> row;
    for (int t = 0; t < 8; ++t)
      for (int c = 0; c < 4; ++c)
        row.push_back(t == 0 ? c == symbol : 0.25 * r.normal());
    row.push_back(symbol);
    return row;
  });
}

Data nextSymbol() {
  return drawn(true, {4, 1, 1, 6}, 21, [](Random &r) {
    int before = r.below(4), last = r.below(4);
    std::vector<double> row;
    for (int t = 0; t < 6; ++t) {
      for (int c = 0; c < 4; ++c)
        row.push_back(c == last);
      const int likely = (before + 2 * last + 1) % 4;
      before = last;
      last = r.uniform() < 0.9 ? likely : r.below(4);
    }
    row.push_back(last);
    return row;
  });
}

} // namespace perfidy
