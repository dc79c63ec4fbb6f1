#include "tools/input_files.h"
#include "runtime/trace.h"

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

void addDirectory(const std::string &path, InputFiles &files) {
  std::error_code error;
  std::vector<std::string> found;
  fs::recursive_directory_iterator at(path, fs::directory_options::skip_permission_denied, error),
      end;
  if (error)
    files.problems.push_back(fmt::format("{}: skipped, {}", path, error.message()));
  for (; !error && at != end; at.increment(error))
    if (at->is_regular_file(error))
      found.push_back(at->path().string());
  std::sort(found.begin(), found.end());
  for (const std::string &file : found)
    addFile(file, files);
}

} // namespace

InputFiles listInputs(const std::vector<std::string> &arguments) {
  InputFiles files;
  for (const std::string &argument : arguments) {
    std::error_code error;
    fs::file_status status = fs::status(argument, error);
    if (!fs::exists(status))
      throw Error(fmt::format("{}: no such file or directory.", argument));
    if (fs::is_directory(status))
      addDirectory(argument, files);
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
