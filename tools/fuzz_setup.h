// What people keep beside a fuzz target for its fuzzer: dictionaries, OSS-Fuzz options, seed
// corpora; as flags of libFuzzer and as a corpus it can read.
#pragma once

#include "tools/input_files.h"

#include <string>
#include <vector>

namespace perfidy {

/// Files that OSS-Fuzz puts beside a target and that exist: TARGET.dict, TARGET.options,
/// TARGET_seed_corpus.zip.
std::vector<std::string> companionFiles(const std::string &target);

struct EngineSetup {
  std::vector<std::string> flags; ///< "-dict=...", "-only_ascii=1"...
  size_t maxLength = 0;           ///< from max_len; 0 = none given
};

/// Flags from the [libfuzzer] sections of option files and from dictionaries. Several dictionaries
/// are joined into the file `joined`. What Perfidy sets itself (sizes, times, artifacts) or needs
/// (output) is left out; a dictionary named in an option file is looked for beside it. Flags that
/// are in `given` stay as given. Throws Error for a dictionary or option file that is unreadable.
EngineSetup engineSetup(const InputFiles &files,
                        const std::vector<std::string> &given,
                        const std::string &joined);

/// Directories for libFuzzer's command line. Directories that are plain corpora stay as they are;
/// everything else is copied into `corpus` (created), under names that do not clash.
std::vector<std::string> seedDirectories(const std::vector<std::string> &seeds,
                                         const std::string &corpus);

} // namespace perfidy
