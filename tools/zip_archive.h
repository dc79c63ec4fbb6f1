// Reads zip archives (seed corpora), entry by entry, through libzip.
#pragma once

#include <functional>
#include <string>

namespace perfidy {

/// Calls `onEntry` with name and content of each file in the archive, in its order. Returns a
/// sentence on what could not be read (damaged, encrypted, larger than 64 MB an entry or 1 GB
/// together), empty when everything was. Throws Error when it is no archive at all.
std::string readZip(const std::string &path,
                    const std::function<void(const std::string &name, std::string bytes)> &onEntry);

} // namespace perfidy
