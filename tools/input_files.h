// Input files on disk: corpora in, rendered inputs out.
#pragma once

#include <string>
#include <vector>

namespace perfidy {

struct InputFiles {
  std::vector<std::string> paths; ///< readable regular files, sorted by path within each argument
  std::vector<std::string> problems; ///< one sentence per file or folder that could not be read
};

/// Expands files and directories (recursively). Throws Error when an argument does not exist.
InputFiles listInputs(const std::vector<std::string> &arguments);

/// Whole content. Throws Error.
std::string readBytes(const std::string &path);

/// Writes through a temporary name, so that no half-written file is left. Throws Error (disk
/// full...).
void writeBytes(const std::string &path, const std::string &bytes);

/// Creates the directory and its parents. Throws Error.
void makeDirectory(const std::string &path);

} // namespace perfidy
