// Saving and loading of diagnosis models.
#include "tools/diagnosis_model.h"
#include "tools/input_files.h"

#include <fmt/format.h>
#include <limits>

namespace perfidy {
namespace {

using Json = nlohmann::json;

constexpr const char *kKind = "perfidy diagnosis model";
constexpr int kVersion = 1;

Json toJson(const NamedForest &named) {
  Json trees = Json::array();
  for (const Tree &tree : named.forest.trees) {
    // Node by node: children, column, threshold, then the share of each label.
    Json nodes = Json::array();
    for (const TreeNode &node : tree.nodes) {
      Json one{node.left, node.right, node.column, node.threshold};
      for (double weight : node.labelWeight)
        one.push_back(static_cast<float>(weight / node.weight));
      nodes.push_back(std::move(one));
    }
    trees.push_back(std::move(nodes));
  }
  return {{"columns", named.columns}, {"labels", named.forest.labels}, {"trees", std::move(trees)}};
}

/// Indexes are checked: a damaged file must not lead a prediction out of its arrays.
NamedForest forestFrom(const Json &json) {
  NamedForest named{json.at("columns").get<std::vector<std::string>>(), {}};
  named.forest.labels = json.at("labels").get<int>();
  const auto labels = static_cast<size_t>(named.forest.labels);
  for (const Json &nodes : json.at("trees")) {
    Tree tree;
    const auto count = static_cast<int>(nodes.size());
    for (const Json &one : nodes) {
      TreeNode node;
      node.left = one.at(0).get<int>();
      node.right = one.at(1).get<int>();
      node.column = one.at(2).get<uint32_t>();
      node.threshold = one.at(3).get<double>();
      node.weight = 1;
      for (size_t i = 0; i < labels; ++i)
        node.labelWeight.push_back(one.at(4 + i).get<double>());
      const auto own = static_cast<int>(tree.nodes.size());
      const bool leaf = node.left == -1 && node.right == -1;
      const bool inner = node.left > own && node.right > own && node.left < count &&
                         node.right < count && node.column < named.columns.size();
      if (!leaf && !inner)
        throw Error("a node points nowhere");
      tree.nodes.push_back(std::move(node));
    }
    if (tree.nodes.empty())
      throw Error("a tree is empty");
    named.forest.trees.push_back(std::move(tree));
  }
  return named;
}

std::vector<double> numbersFrom(const Json &json) {
  std::vector<double> values;
  for (const Json &value : json)
    values.push_back(value.is_number() ? value.get<double>()
                                       : std::numeric_limits<double>::quiet_NaN());
  return values;
}

DiagnosisModel modelFrom(const Json &json) {
  DiagnosisModel model;
  model.typing = forestFrom(json.at("typing"));
  model.medians = numbersFrom(json.at("medians"));
  model.cleanLow = numbersFrom(json.at("clean_low"));
  model.cleanHigh = numbersFrom(json.at("clean_high"));
  for (const Json &step : json.at("calibration"))
    model.calibration.push_back(
        {step.at(0).get<double>(), step.at(1).get<double>(), step.at(2).get<int>()});
  model.heldOut = json.at("held_out").get<double>();
  model.programs = json.at("programs").get<int>();
  model.traces = json.at("traces").get<int>();
  for (const Json &early : json.at("early"))
    model.early.push_back({early.at("window").get<int>(),
                           forestFrom(early.at("forest")),
                           early.at("accuracy").get<double>(),
                           early.at("false_alarms").get<double>()});
  const size_t columns = model.typing.columns.size();
  if (model.medians.size() != kVerdicts.size() * columns || model.cleanLow.size() != columns ||
      model.cleanHigh.size() != columns || model.calibration.empty())
    throw Error("its parts do not fit together");
  return model;
}

} // namespace

void saveModel(const DiagnosisModel &model, const std::string &path) {
  Json json{{"kind", kKind},
            {"version", kVersion},
            {"typing", toJson(model.typing)},
            {"medians", model.medians},
            {"clean_low", model.cleanLow},
            {"clean_high", model.cleanHigh},
            {"held_out", model.heldOut},
            {"programs", model.programs},
            {"traces", model.traces}};
  json["calibration"] = Json::array();
  for (const DiagnosisModel::Step &step : model.calibration)
    json["calibration"].push_back({step.score, step.right, step.runs});
  json["early"] = Json::array();
  for (const EarlyModel &early : model.early)
    json["early"].push_back({{"window", early.window},
                             {"forest", toJson(early.forest)},
                             {"accuracy", early.accuracy},
                             {"false_alarms", early.falseAlarms}});
  const std::vector<uint8_t> bytes = Json::to_cbor(json);
  writeBytes(path, std::string(bytes.begin(), bytes.end()));
}

DiagnosisModel loadModel(const std::string &path) {
  const std::string bytes = readBytes(path);
  const Json json = Json::from_cbor(bytes, true, false);
  if (!json.is_object() || json.value("kind", "") != kKind || json.value("version", 0) != kVersion)
    throw Error(fmt::format("{}: is no diagnosis model of this version. Make one with 'perfidy "
                            "diagnose --train CORPUS --save-model FILE'.",
                            path));
  try {
    return modelFrom(json);
  } catch (const std::exception &error) {
    throw Error(fmt::format("{}: is damaged ({}). Make it again with 'perfidy diagnose --train "
                            "CORPUS --save-model FILE'.",
                            path,
                            error.what()));
  }
}

} // namespace perfidy
