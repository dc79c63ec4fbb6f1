#include "tools/reproduce.h"

#include <fmt/format.h>

namespace perfidy {
namespace {

// A word as a shell reads it back.
std::string quoted(const std::string &word) {
  static constexpr const char *kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./,:@%";
  if (!word.empty() && word.find_first_not_of(kPlain) == std::string::npos)
    return word;
  std::string text = "'";
  for (char c : word)
    text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

} // namespace

std::vector<std::string> reproduceCommands(const StudyOptions &options) {
  const CampaignOptions &campaign = options.campaign, usual;
  std::string run = "perfidy run " + quoted(options.target);
  for (const std::string &corpus : options.corpora)
    run += " " + quoted(corpus);
  if (!options.fuzz)
    run += " --no-fuzz";
  else if (campaign.runs > 0)
    run += fmt::format(" --runs {} --time {}", campaign.runs, campaign.seconds);
  else
    run += fmt::format(" --time {}", campaign.seconds);
  run += fmt::format(" --seed {}", campaign.seed);
  if (campaign.maxLength != usual.maxLength)
    run += fmt::format(" --max-len {}", campaign.maxLength);
  if (campaign.budget != usual.budget)
    run += fmt::format(" --budget {}", campaign.budget);
  run += " --out " + quoted(options.out);
  for (size_t i = 0; i < campaign.engineFlags.size(); ++i)
    run += (i == 0 ? " -- " : " ") + quoted(campaign.engineFlags[i]);
  return {run,
          fmt::format("perfidy trace {} {} -o pairs.trace && perfidy dump pairs.trace --format csv",
                      quoted(options.target),
                      quoted(options.out + "/pairs"))};
}

} // namespace perfidy
