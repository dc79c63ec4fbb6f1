// `perfidy doctor`: what is installed, what is wrong, and what to do about it.
//
// Owns the checks of the installation (plugins, compilers, archives, one small target compiled and
// run) and of one program under test. Prints one line per check, so that the output can be pasted
// into a bug report. Never: changes anything outside a temporary directory, asks the network.
#pragma once

#include <iosfwd>
#include <string>

namespace perfidy {

struct DoctorOptions {
  /// Directory of the programs `perfidy` and `perfidy-clang`; plugins and archive are expected in
  /// ../lib/perfidy beside it. Empty: that of the running program.
  std::string binDir;
  std::string target;      ///< a program under test to look at; empty for none
  int timeoutSeconds = 60; ///< for each program started (compiler or smoke target)
};

/// Prints one line per check: `ok`, `note` (nothing to do) or `PROBLEM` with its remedy.
/// Returns 0 when there is no problem, else 2.
int runDoctor(const DoctorOptions &options, std::ostream &out);

} // namespace perfidy
