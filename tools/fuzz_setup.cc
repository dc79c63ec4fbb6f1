#include "tools/fuzz_setup.h"
#include "runtime/trace.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <sstream>

namespace perfidy {
namespace {

namespace fs = std::filesystem;

std::string trimmed(const std::string &text) {
  const size_t from = text.find_first_not_of(" \t\r\""), to = text.find_last_not_of(" \t\r\"");
  return from == std::string::npos ? "" : text.substr(from, to - from + 1);
}

bool isGiven(const std::string &name, const std::vector<std::string> &given) {
  const std::string start = "-" + name + "=";
  return std::any_of(given.begin(), given.end(), [&](const std::string &flag) {
    return flag.compare(0, start.size(), start) == 0;
  });
}

// Options that the campaign decides itself, or without whose default we would not see the output.
bool isOurs(const std::string &name) {
  static const std::array<std::string, 10> kOurs = {"max_total_time",
                                                    "runs",
                                                    "seed",
                                                    "len_control",
                                                    "reload",
                                                    "artifact_prefix",
                                                    "detect_leaks",
                                                    "close_fd_mask",
                                                    "jobs",
                                                    "workers"};
  return std::find(kOurs.begin(), kOurs.end(), name) != kOurs.end();
}

void readOptions(const std::string &path,
                 const std::vector<std::string> &given,
                 EngineSetup &setup,
                 std::vector<std::string> &dictionaries) {
  std::istringstream lines(readBytes(path));
  std::string line;
  bool inside = false;
  while (std::getline(lines, line)) {
    line = trimmed(line);
    if (!line.empty() && line.front() == '[')
      inside = line == "[libfuzzer]";
    const size_t equals = line.find('=');
    if (!inside || line.empty() || line.front() == '#' || line.front() == ';' ||
        equals == std::string::npos)
      continue;
    const std::string name = trimmed(line.substr(0, equals)),
                      value = trimmed(line.substr(equals + 1));
    if (name == "max_len")
      setup.maxLength = std::strtoull(value.c_str(), nullptr, 10);
    else if (name == "dict")
      dictionaries.push_back((fs::path(path).parent_path() / value).string());
    else if (!isOurs(name) && !isGiven(name, given))
      setup.flags.push_back(fmt::format("-{}={}", name, value));
  }
}

} // namespace

std::vector<std::string> companionFiles(const std::string &target) {
  std::vector<std::string> found;
  for (const char *suffix : {".dict", ".options", "_seed_corpus.zip"}) {
    std::error_code error;
    if (fs::is_regular_file(target + suffix, error))
      found.push_back(target + suffix);
  }
  return found;
}

EngineSetup engineSetup(const InputFiles &files,
                        const std::vector<std::string> &given,
                        const std::string &joined) {
  EngineSetup setup;
  std::vector<std::string> dictionaries = files.dictionaries;
  for (const std::string &path : files.options)
    readOptions(path, given, setup, dictionaries);
  std::sort(dictionaries.begin(), dictionaries.end());
  dictionaries.erase(std::unique(dictionaries.begin(), dictionaries.end()), dictionaries.end());
  if (dictionaries.empty() || isGiven("dict", given))
    return setup;
  std::string text;
  for (const std::string &path : dictionaries)
    text += readBytes(path) + "\n";
  writeBytes(joined, text);
  setup.flags.push_back("-dict=" + joined);
  return setup;
}

std::vector<std::string> seedDirectories(const std::vector<std::string> &seeds,
                                         const std::string &corpus) {
  makeDirectory(corpus);
  std::vector<std::string> directories;
  for (const std::string &seed : seeds) {
    const InputFiles files = listInputs({seed});
    for (const std::string &problem : files.problems)
      fmt::print(stderr, "perfidy: warning: {}\n", problem);
    // libFuzzer takes directories as corpora but single files as "replay only these".
    if (fs::is_directory(seed) && files.asIs) {
      directories.push_back(seed);
      continue;
    }
    for (const std::string &path : files.paths) {
      std::string name = fs::path(files.nameOf(path)).lexically_relative(seed).string();
      if (name.empty() || name == "." || name.compare(0, 2, "..") == 0)
        name = fs::path(files.nameOf(path)).filename().string();
      std::replace(name.begin(), name.end(), '/', '_');
      writeBytes(corpus + "/" + name, readBytes(path));
    }
  }
  return directories;
}

} // namespace perfidy
