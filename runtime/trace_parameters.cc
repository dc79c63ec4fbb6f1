#include "runtime/trace.h"

#include <algorithm>
#include <cstdlib>
#include <sstream>

namespace perfidy {
namespace {

constexpr const char *kTagPrefix = "parameter ";

// "enum linear|rbf" or "log 1e-06 1e+06"; nothing when it is not of that form.
std::optional<DeclaredParameter> declarationOf(const std::string &text) {
  std::istringstream in(text);
  std::string kind, low, high;
  in >> kind >> low >> high;
  DeclaredParameter parameter;
  if (kind == "enum") {
    parameter.kind = ParameterKind::Enum;
    std::istringstream values(text.substr(5));
    for (std::string value; std::getline(values, value, '|');)
      parameter.values.push_back(value);
    parameter.high = double(parameter.values.size()) - 1;
    return parameter.values.empty() ? std::nullopt : std::optional(parameter);
  }
  static const std::map<std::string, ParameterKind> kKinds = {{"integer", ParameterKind::Integer},
                                                              {"log", ParameterKind::Log},
                                                              {"real", ParameterKind::Real},
                                                              {"scale", ParameterKind::Scale}};
  auto found = kKinds.find(kind);
  if (found == kKinds.end() || high.empty())
    return std::nullopt;
  parameter.kind = found->second;
  parameter.low = std::strtod(low.c_str(), nullptr);
  parameter.high = std::strtod(high.c_str(), nullptr);
  return parameter;
}

} // namespace

std::map<std::string, DeclaredParameter> declaredParameters(const Trace &trace) {
  std::map<std::string, DeclaredParameter> all;
  const std::string prefix = kTagPrefix;
  for (const Run &run : trace.runs)
    for (auto tag = run.tags.lower_bound(prefix);
         tag != run.tags.end() && tag->first.compare(0, prefix.size(), prefix) == 0;
         ++tag) {
      std::optional<DeclaredParameter> declared = declarationOf(tag->second);
      if (!declared)
        continue;
      auto [at, fresh] = all.try_emplace(tag->first.substr(prefix.size()), *declared);
      if (fresh || at->second.kind != declared->kind)
        continue;
      // Ranges may depend on other values: what counts is what can occur.
      at->second.low = std::min(at->second.low, declared->low);
      at->second.high = std::max(at->second.high, declared->high);
      if (declared->values.size() > at->second.values.size())
        at->second.values = declared->values;
    }
  return all;
}

} // namespace perfidy
