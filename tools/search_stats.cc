#include "tools/search_stats.h"
#include "tools/readable.h"

#include <cstring>
#include <fmt/format.h>
#include <fstream>
#include <nlohmann/json.hpp>

namespace perfidy {

std::optional<SearchStats> readSearchStats(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  char bytes[sizeof(SearchStats)];
  if (!file.read(bytes, sizeof bytes))
    return std::nullopt;
  SearchStats stats;
  std::memcpy(&stats, bytes, sizeof bytes);
  if (stats.magic != SearchStats::kMagic)
    return std::nullopt;
  return stats;
}

std::string statusFields(const SearchStats &stats) {
  if (stats.cells == 0)
    return "";
  std::string text = fmt::format(" cells: {} classes: {}", stats.cells, stats.classes);
  if (stats.steepest > 0)
    text += fmt::format(" exp: {:.1f}", double(stats.steepest) / 8);
  if (stats.dearest > 0)
    text += fmt::format(" dear: {}/{}b", stats.dearest, stats.searchSize);
  return text;
}

std::string statsJson(const SearchStats &stats, uint64_t earlierRuns, int crashes, int censored) {
  nlohmann::ordered_json out;
  out["runs"] = earlierRuns + stats.runs;
  static constexpr const char *kStrategies[] = {
      "engine", "patterns", "climb", "grow", "parameters"};
  for (int i = 0; i < 5; ++i) {
    out["proposals"][kStrategies[i]] = stats.proposals[i];
    if (i > 0)
      out["successes"][kStrategies[i]] = stats.successes[i];
  }
  out["cells"] = stats.cells;
  out["classes"] = stats.classes;
  out["search_size"] = stats.searchSize;
  out["dearest_cost"] = stats.dearest;
  out["cheapest_cost"] = stats.cheapest;
  out["steepest_exponent"] = double(stats.steepest) / 8;
  out["crashes"] = crashes;
  out["over_budget"] = censored;
  return out.dump(2) + "\n";
}

} // namespace perfidy
