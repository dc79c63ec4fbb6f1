#include "tools/process.h"
#include "runtime/trace.h"

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

namespace perfidy {
namespace {

constexpr size_t kTail = 16384;

volatile std::sig_atomic_t stopRequested = 0;
volatile std::sig_atomic_t runningChild = 0;

void onInterrupt(int signalNumber) {
  if (stopRequested)
    _exit(128 + signalNumber);
  stopRequested = 1;
  if (runningChild > 0)
    kill(-runningChild, SIGINT);
}

std::vector<std::string> environmentOf(const ProcessRequest &request) {
  std::vector<std::string> variables;
  for (char **at = environ; *at; ++at) {
    std::string variable = *at, existing = variable.substr(0, variable.find('='));
    bool replaced = false;
    for (const auto &[name, value] : request.environment)
      replaced |= name == existing;
    if (!replaced)
      variables.push_back(variable);
  }
  for (const auto &[name, value] : request.environment)
    variables.push_back(fmt::format("{}={}", name, value));
  return variables;
}

std::vector<char *> pointers(std::vector<std::string> &texts) {
  std::vector<char *> result;
  for (std::string &text : texts)
    result.push_back(text.data());
  result.push_back(nullptr);
  return result;
}

// In the child: only async-signal-safe calls.
[[noreturn]] void execute(char *const *argv, char *const *envp, int output, int failure) {
  setpgid(0, 0);
  signal(SIGINT, SIG_DFL);
  signal(SIGTERM, SIG_DFL);
  dup2(output, 1);
  dup2(output, 2);
  int null = open("/dev/null", O_RDONLY);
  dup2(null, 0);
  environ = const_cast<char **>(envp);
  execvp(argv[0], argv);
  int error = errno;
  ssize_t written = write(failure, &error, sizeof error);
  (void)written;
  _exit(127);
}

// Cuts a byte stream into lines and keeps its tail.
class Lines {
public:
  explicit Lines(const ProcessRequest &request) : request(request) {}
  void add(const char *bytes, size_t count) {
    for (size_t i = 0; i < count; ++i) {
      if (bytes[i] != '\n') {
        line += bytes[i];
        continue;
      }
      if (request.onLine)
        request.onLine(line);
      line.clear();
    }
    tail.append(bytes, count);
    if (tail.size() > 2 * kTail)
      tail.erase(0, tail.size() - kTail);
  }
  std::string finish() {
    if (!line.empty() && request.onLine)
      request.onLine(line);
    return tail.size() > kTail ? tail.substr(tail.size() - kTail) : tail;
  }

private:
  const ProcessRequest &request;
  std::string line, tail;
};

// Reads until the child closes its output or the time is up; true when the time was up.
bool drain(int output, pid_t child, double timeoutSeconds, Lines &lines) {
  using Clock = std::chrono::steady_clock;
  auto end =
      Clock::now() + std::chrono::duration<double>(timeoutSeconds > 0 ? timeoutSeconds : 1e9);
  bool timedOut = false;
  char buffer[8192];
  for (;;) {
    if (!timedOut && Clock::now() >= end) {
      timedOut = true;
      kill(-child, SIGKILL);
    }
    pollfd waiting{output, POLLIN, 0};
    if (poll(&waiting, 1, 200) <= 0)
      continue;
    ssize_t got = read(output, buffer, sizeof buffer);
    if (got < 0 && errno == EINTR)
      continue;
    if (got <= 0)
      return timedOut;
    lines.add(buffer, static_cast<size_t>(got));
  }
}

} // namespace

bool interrupted() { return stopRequested != 0; }

void handleInterrupts() {
  struct sigaction action = {};
  action.sa_handler = onInterrupt;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

ProcessResult runProcess(const ProcessRequest &request) {
  std::vector<std::string> argvText = request.argv, envText = environmentOf(request);
  std::vector<char *> argv = pointers(argvText), envp = pointers(envText);
  int output[2], failure[2];
  if (pipe2(output, O_CLOEXEC) != 0 || pipe2(failure, O_CLOEXEC) != 0)
    throw Error(fmt::format("cannot create a pipe: {}", std::strerror(errno)));
  pid_t child = fork();
  if (child < 0)
    throw Error(fmt::format("cannot start a process: {}", std::strerror(errno)));
  if (child == 0)
    execute(argv.data(), envp.data(), output[1], failure[1]);
  setpgid(child, child);
  runningChild = child;
  close(output[1]);
  close(failure[1]);
  int error = 0;
  bool failed = read(failure[0], &error, sizeof error) == sizeof error;
  close(failure[0]);
  Lines lines(request);
  ProcessResult result;
  if (!failed)
    result.timedOut = drain(output[0], child, request.timeoutSeconds, lines);
  close(output[0]);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  runningChild = 0;
  if (failed)
    throw Error(fmt::format("{}: cannot be run: {}", request.argv[0], std::strerror(error)));
  result.tail = lines.finish();
  result.exitCode = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  result.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  return result;
}

} // namespace perfidy
