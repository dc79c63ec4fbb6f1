// A temporary directory that goes away with its owner. For tools without an output directory.
#pragma once

#include <string>

namespace perfidy {

class ScratchDirectory {
public:
  /// Throws Error when none can be made (TMPDIR missing or full).
  ScratchDirectory();
  ~ScratchDirectory();
  ScratchDirectory(const ScratchDirectory &) = delete;
  ScratchDirectory &operator=(const ScratchDirectory &) = delete;

  const std::string &path() const { return root; }

private:
  std::string root;
};

} // namespace perfidy
