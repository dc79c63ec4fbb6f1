#include "tools/scratch.h"
#include "runtime/trace.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>

namespace perfidy {

ScratchDirectory::ScratchDirectory() {
  std::error_code error;
  std::string name = (std::filesystem::temp_directory_path(error) / "perfidy-XXXXXX").string();
  if (error || !mkdtemp(name.data()))
    throw Error(fmt::format("No temporary directory can be made: {}. Set TMPDIR to a writable one.",
                            error ? error.message() : std::strerror(errno)));
  root = name;
}

ScratchDirectory::~ScratchDirectory() {
  std::error_code ignored;
  std::filesystem::remove_all(root, ignored);
}

} // namespace perfidy
