// The section names of an ELF file, read without libelf.
//
// Owns just enough of ELF64 to answer "was this program built with our plugin?": the plugin's
// tables sit in sections of their own, and stripping keeps sections that are loaded. Never:
// symbols, relocations, debug information.
#pragma once

#include <string>
#include <vector>

namespace perfidy {

/// Names of all sections, in file order (the first one is the empty name of the null section).
/// Throws Error naming the file when it cannot be read or is not a 64-bit little-endian ELF file.
std::vector<std::string> elfSectionNames(const std::string &path);

} // namespace perfidy
