// Input files on disk: corpora in, rendered inputs out.
#pragma once

#include "tools/scratch.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace perfidy {

struct InputFiles {
  std::vector<std::string> paths; ///< readable regular files, sorted by path within each argument
  std::vector<std::string> problems;     ///< one sentence per file or folder that could not be read
  std::vector<std::string> dictionaries; ///< arguments named *.dict: libFuzzer's and AFL++'s format
  std::vector<std::string> options;      ///< arguments named *.options (OSS-Fuzz)
  bool asIs = true; ///< the paths are all files of the arguments: nothing was left out or unpacked

  /// What reports call an input: its path, "ARCHIVE:ENTRY" for one that was unpacked.
  std::string nameOf(const std::string &path) const;

  std::map<std::string, std::string> names;   ///< of unpacked inputs
  std::shared_ptr<ScratchDirectory> unpacked; ///< holds them; gone with the last copy
};

/// Expands what people keep inputs in:
/// - files and directories (recursively);
/// - archives named *_seed_corpus.zip, *corpus*.zip or public.zip: their entries (other archives
///   are inputs themselves);
/// - output directories of AFL++ (of one instance or several): what is in queue, hangs and crashes,
///   without the fuzzer's own files.
/// Throws Error when an argument does not exist.
InputFiles listInputs(const std::vector<std::string> &arguments);

/// Whole content. Throws Error.
std::string readBytes(const std::string &path);

/// Writes through a temporary name, so that no half-written file is left. Throws Error (disk
/// full...).
void writeBytes(const std::string &path, const std::string &bytes);

/// Creates the directory and its parents. Throws Error.
void makeDirectory(const std::string &path);

} // namespace perfidy
