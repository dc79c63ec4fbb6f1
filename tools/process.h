// Runs programs: arguments, added environment, time limit, output line by line.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace perfidy {

struct ProcessRequest {
  std::vector<std::string> argv; ///< argv[0] is looked up in PATH if it has no slash
  std::vector<std::pair<std::string, std::string>> environment; ///< added or replaced
  double timeoutSeconds = 0; ///< wall clock; 0 = none. The whole process group is killed.
  std::function<void(const std::string &line)> onLine; ///< each line of stdout and stderr
};

struct ProcessResult {
  int exitCode = -1; ///< -1 when killed by a signal
  int signal = 0;
  bool timedOut = false;
  std::string tail; ///< last 16 kB of stdout and stderr
};

/// Throws Error when the program cannot be started. SIGINT and SIGTERM of this process end the
/// child too (it is asked to stop, and what it had written stays).
ProcessResult runProcess(const ProcessRequest &request);

/// True after this process was asked to stop (SIGINT, SIGTERM): finish with what there is.
bool interrupted();

/// Makes the first SIGINT or SIGTERM set interrupted() and end the running child; the second one
/// kills.
void handleInterrupts();

} // namespace perfidy
