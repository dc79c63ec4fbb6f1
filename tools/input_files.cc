#include "tools/input_files.h"
#include "runtime/trace.h"
#include "tools/zip_archive.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <unistd.h>

namespace perfidy {
namespace {

namespace fs = std::filesystem;

void addFile(const std::string &path, InputFiles &files) {
  // Root may read what the mode forbids; others learn of it here rather than in the target.
  if (access(path.c_str(), R_OK) != 0)
    files.problems.push_back(fmt::format("{}: skipped, {}", path, std::strerror(errno)));
  else
    files.paths.push_back(path);
}

bool endsWith(const std::string &text, std::string_view end) {
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

// Archives that are corpora by their name; a fuzz target may well take other archives as inputs.
bool isCorpusArchive(const fs::path &path) {
  const std::string name = path.filename().string();
  return endsWith(name, ".zip") &&
         (name.find("corpus") != std::string::npos || name == "public.zip");
}

void addArchive(const std::string &path, InputFiles &files) {
  files.asIs = false;
  if (!files.unpacked)
    files.unpacked = std::make_shared<ScratchDirectory>();
  size_t count = 0;
  // Entries get names of our own: theirs may point anywhere.
  const std::string folder = fmt::format("{}/{}", files.unpacked->path(), files.names.size());
  makeDirectory(folder);
  const std::string problem = readZip(path, [&](const std::string &name, std::string bytes) {
    const std::string file = fmt::format("{}/{:06}", folder, ++count);
    writeBytes(file, bytes);
    files.paths.push_back(file);
    files.names[file] = path + ":" + name;
  });
  if (!problem.empty())
    files.problems.push_back(problem);
}

// The output directory of one AFL++ instance.
bool isAflInstance(const fs::path &path) {
  std::error_code error;
  return fs::is_directory(path / "queue", error) &&
         (fs::exists(path / "fuzzer_stats", error) || fs::exists(path / "fuzz_bitmap", error) ||
          fs::is_directory(path / "hangs", error));
}

// What a fuzzer keeps beside its inputs.
bool isFuzzersOwn(const fs::path &path) {
  static const std::array<std::string, 4> kNames = {".state", ".synced", ".cur_input", ".git"};
  const std::string name = path.filename().string();
  if (std::find(kNames.begin(), kNames.end(), name) != kNames.end())
    return true;
  const fs::path parent = path.parent_path();
  if (isAflInstance(parent))
    return name != "queue" && name != "hangs" && name != "crashes";
  return name == "README.txt" && isAflInstance(parent.parent_path());
}

void addDirectory(const std::string &path, InputFiles &files) {
  std::error_code error;
  std::vector<std::string> found;
  fs::recursive_directory_iterator at(path, fs::directory_options::skip_permission_denied, error),
      end;
  if (error)
    files.problems.push_back(fmt::format("{}: skipped, {}", path, error.message()));
  for (; !error && at != end; at.increment(error)) {
    if (isFuzzersOwn(at->path())) {
      files.asIs = false;
      at.disable_recursion_pending();
    } else if (at->is_regular_file(error))
      found.push_back(at->path().string());
  }
  std::sort(found.begin(), found.end());
  for (const std::string &file : found)
    if (isCorpusArchive(file))
      addArchive(file, files);
    else
      addFile(file, files);
}

} // namespace

std::string InputFiles::nameOf(const std::string &path) const {
  auto known = names.find(path);
  return known == names.end() ? path : known->second;
}

InputFiles listInputs(const std::vector<std::string> &arguments) {
  InputFiles files;
  for (const std::string &argument : arguments) {
    std::error_code error;
    fs::file_status status = fs::status(argument, error);
    if (!fs::exists(status))
      throw Error(fmt::format("{}: no such file or directory.", argument));
    if (fs::is_directory(status))
      addDirectory(argument, files);
    else if (isCorpusArchive(argument))
      addArchive(argument, files);
    else if (endsWith(argument, ".dict"))
      files.dictionaries.push_back(argument);
    else if (endsWith(argument, ".options"))
      files.options.push_back(argument);
    else
      addFile(argument, files);
  }
  return files;
}

std::string readBytes(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  std::string bytes;
  std::array<char, 65536> chunk;
  while (file.read(chunk.data(), chunk.size()), file.gcount() > 0)
    bytes.append(chunk.data(), static_cast<size_t>(file.gcount()));
  // Opening a directory succeeds, reading it does not.
  if (!file.eof() || file.bad())
    throw Error(fmt::format("{}: cannot be read: {}", path, std::strerror(errno)));
  return bytes;
}

void writeBytes(const std::string &path, const std::string &bytes) {
  std::string temporary = path + ".part";
  std::ofstream file(temporary, std::ios::binary | std::ios::trunc);
  file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  file.close();
  if (!file || std::rename(temporary.c_str(), path.c_str()) != 0) {
    int error = errno;
    std::remove(temporary.c_str());
    throw Error(
        fmt::format("{}: cannot be written: {}. Free space or choose another --out; what was "
                    "gathered so far is kept.",
                    path,
                    std::strerror(error)));
  }
}

void makeDirectory(const std::string &path) {
  std::error_code error;
  fs::create_directories(path, error);
  if (error)
    throw Error(fmt::format("{}: cannot be created: {}", path, error.message()));
}

} // namespace perfidy
