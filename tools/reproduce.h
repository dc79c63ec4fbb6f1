// The commands that repeat a study, as a shell reads them.
#pragma once

#include "tools/study.h"

namespace perfidy {

/// The whole study, and the counts of its input pairs. Defaults are left out.
std::vector<std::string> reproduceCommands(const StudyOptions &options);

} // namespace perfidy
