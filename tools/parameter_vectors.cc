#include "tools/parameter_vectors.h"
#include "fuzzer/parameter_space.h"
#include "runtime/perfidy.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>

namespace perfidy {
namespace {

perfidy_parameter spaceOf(const DeclaredParameter &declared) {
  perfidy_parameter parameter = {};
  parameter.kind = static_cast<int>(declared.kind);
  parameter.low = declared.low;
  parameter.high = declared.high;
  return parameter;
}

/// A run of the corpus with its vector.
struct Observed {
  NamedVector vector;
  double ratio = 0;    ///< cost over the median of its size
  size_t function = 0; ///< where most of its cost is spent
  std::string choice;  ///< its enumerated values
};

size_t dominatingFunction(const Trace &trace, const Run &run) {
  std::vector<double> cost(trace.functions.size());
  size_t id = 0;
  for (const auto &[block, count] : run.blocks) {
    while (id + 1 < trace.functions.size() && trace.functions[id + 1].firstBlock <= block)
      ++id;
    cost[id] += double(count) *
                trace.functions[id].blocks[block - trace.functions[id].firstBlock].instructions;
  }
  return static_cast<size_t>(std::max_element(cost.begin(), cost.end()) - cost.begin());
}

std::string choiceOf(const NamedVector &vector, const Declared &declared) {
  std::string choice;
  for (const auto &[name, value] : vector.values)
    if (declared.at(name).kind == ParameterKind::Enum)
      choice += fmt::format("{}={};", name, value);
  return choice;
}

std::map<uint64_t, double> medians(const Trace &trace) {
  std::map<uint64_t, std::vector<double>> costs;
  for (const Run &run : trace.runs)
    if (run.status == RunStatus::Complete)
      costs[run.size].push_back(double(run.cost));
  std::map<uint64_t, double> median;
  for (auto &[size, all] : costs) {
    std::nth_element(
        all.begin(), all.begin() + static_cast<std::ptrdiff_t>(all.size() / 2), all.end());
    // Of a few runs the median says nothing.
    if (all.size() >= 5)
      median[size] = std::max(1.0, all[all.size() / 2]);
  }
  return median;
}

class Chooser {
public:
  Chooser(const Declared &declared, const VectorChoice &options)
      : declared(declared), options(options) {}

  void add(const NamedVector &vector) {
    if (seen.insert(inputOf(vector, declared, {}, "")).second)
      chosen.push_back(vector);
  }

  void addRandom() {
    for (size_t i = 0; i < options.random; ++i)
      add(drawn(NamedVector()));
  }

  // Each parameter alone, drawn afresh and moved a little, and many at a time.
  void vary(const NamedVector &vector) {
    for (const auto &[name, value] : vector.values) {
      const perfidy_parameter parameter = spaceOf(declared.at(name));
      for (double other : {drawValue(parameter, random), changeValue(parameter, value, random)}) {
        NamedVector varied = vector;
        varied.values[name] = other;
        add(varied);
      }
    }
    for (size_t i = 0; i < options.crossings; ++i) {
      NamedVector crossed = drawn(vector);
      for (auto &[name, value] : crossed.values)
        if (random.oneIn(2))
          value = vector.values.at(name);
      add(crossed);
    }
  }

  std::vector<NamedVector> chosen;

private:
  NamedVector drawn(const NamedVector &like) {
    NamedVector vector;
    vector.body = like.body;
    for (const auto &[name, parameter] : declared)
      if (parameter.kind != ParameterKind::Scale &&
          (like.values.empty() || like.values.count(name)))
        vector.values[name] = drawValue(spaceOf(parameter), random);
    return vector;
  }

  const Declared &declared;
  const VectorChoice &options;
  Random random{1};
  std::set<std::string> seen;
};

// Dearest first, at most three of those that spend their cost in the same function.
std::vector<const Observed *> slowSeeds(const std::vector<Observed> &byRatio, size_t most) {
  constexpr size_t kPerFunction = 3;
  std::vector<const Observed *> seeds;
  std::map<size_t, size_t> taken;
  for (const Observed &one : byRatio)
    if (seeds.size() < most && taken[one.function]++ < kPerFunction)
      seeds.push_back(&one);
  return seeds;
}

void addEnds(const std::vector<Observed> &byRatio, size_t most, Chooser &chooser) {
  std::map<std::string, std::pair<const Observed *, const Observed *>> ends;
  for (const Observed &one : byRatio) {
    if (ends.size() >= most && !ends.count(one.choice))
      continue;
    auto [at, fresh] = ends.try_emplace(one.choice, &one, &one);
    at->second.second = &one;
  }
  for (const auto &[choice, both] : ends) {
    chooser.add(both.first->vector);
    chooser.add(both.second->vector);
  }
}

NamedVector censoredVector(const std::string &bytes, const Declared &declared) {
  NamedVector vector;
  vector.body = bodyOf(bytes);
  const auto *data = reinterpret_cast<const uint8_t *>(bytes.data());
  for (const auto &[name, known] : declared) {
    if (known.kind == ParameterKind::Scale)
      continue;
    perfidy_parameter parameter = spaceOf(known);
    std::snprintf(parameter.name, sizeof parameter.name, "%s", name.c_str());
    std::vector<char *> names;
    for (const std::string &value : known.values)
      names.push_back(const_cast<char *>(value.c_str()));
    parameter.values = names.data();
    double value = 0;
    if (perfidy_vector_value(data, bytes.size(), &parameter, &value))
      vector.values[name] = value;
  }
  return vector;
}

} // namespace

std::vector<std::string> scalesOf(const Trace &trace, const Declared &declared) {
  std::vector<std::string> scales;
  for (const Run &run : trace.runs)
    if (auto tag = run.tags.find("scale"); tag != run.tags.end() && scales.empty())
      scales.push_back(tag->second);
  for (const auto &[name, parameter] : declared)
    if (parameter.kind == ParameterKind::Scale && (scales.empty() || name != scales.front()))
      scales.push_back(name);
  return scales;
}

std::string inputOf(const NamedVector &vector,
                    const Declared &declared,
                    const std::map<std::string, double> &scales,
                    const std::string &dimension) {
  std::string text = vector.body.empty() ? "" : vector.body + "\n";
  text += PERFIDY_VECTOR_MARK;
  for (const auto &[name, value] : vector.values) {
    const DeclaredParameter &parameter = declared.at(name);
    text += parameter.kind == ParameterKind::Enum
                ? fmt::format("{}={}\n", name, parameter.values.at(static_cast<size_t>(value)))
                : fmt::format("{}={}\n", name, value);
  }
  for (const auto &[name, value] : scales)
    text += fmt::format("{}={}\n", name, value);
  if (!dimension.empty())
    text += fmt::format("{}={}\n", PERFIDY_DIMENSION_KEY, dimension);
  return text;
}

std::string bodyOf(const std::string &bytes) {
  return bytes.substr(
      0, perfidy_vector_begin(reinterpret_cast<const uint8_t *>(bytes.data()), bytes.size()));
}

NamedVector vectorOf(const Run &run, const std::string &bytes, const Declared &declared) {
  NamedVector vector;
  vector.body = bodyOf(bytes);
  for (const auto &[name, value] : run.parameters)
    if (auto known = declared.find(name);
        known != declared.end() && known->second.kind != ParameterKind::Scale)
      vector.values[name] = value;
  return vector;
}

std::vector<NamedVector> chooseVectors(const Trace &trace,
                                       const std::vector<size_t> &runOf,
                                       const std::vector<std::string> &bytes,
                                       const std::vector<std::string> &censored,
                                       const Declared &declared,
                                       const VectorChoice &options) {
  const std::map<uint64_t, double> median = medians(trace);
  std::vector<Observed> observed;
  for (size_t i = 0; i < bytes.size(); ++i) {
    if (runOf[i] >= trace.runs.size())
      continue;
    const Run &run = trace.runs[runOf[i]];
    auto usual = median.find(run.size);
    if (run.status != RunStatus::Complete || usual == median.end())
      continue;
    Observed one{vectorOf(run, bytes[i], declared),
                 double(run.cost) / usual->second,
                 dominatingFunction(trace, run),
                 {}};
    one.choice = choiceOf(one.vector, declared);
    observed.push_back(std::move(one));
  }
  std::stable_sort(observed.begin(), observed.end(), [](const Observed &a, const Observed &b) {
    return a.ratio > b.ratio;
  });
  Chooser chooser(declared, options);
  const std::vector<const Observed *> seeds = slowSeeds(observed, options.seeds);
  for (const Observed *seed : seeds)
    chooser.add(seed->vector);
  addEnds(observed, options.perChoice, chooser);
  std::set<std::pair<size_t, std::string>> varied;
  for (const Observed *seed : seeds)
    if (seed->ratio >= options.dear && varied.size() < options.varied &&
        varied.insert({seed->function, seed->choice}).second)
      chooser.vary(seed->vector);
  constexpr size_t kVariedCensored = 2;
  for (size_t i = 0; i < censored.size() && i < options.censored; ++i) {
    const NamedVector vector = censoredVector(censored[i], declared);
    chooser.add(vector);
    if (i < kVariedCensored)
      chooser.vary(vector);
  }
  chooser.addRandom();
  return chooser.chosen;
}

} // namespace perfidy
