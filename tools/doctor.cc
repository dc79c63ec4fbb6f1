#include "tools/doctor.h"

#include "runtime/abi.h"
#include "runtime/trace.h"
#include "tools/compiler_args.h"
#include "tools/elf_sections.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <iterator>
#include <ostream>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace perfidy {
namespace {

namespace fs = std::filesystem;

/// A target that works in C, with and without an engine.
constexpr const char *kSmokeTarget = R"(#include <perfidy.h>
#include <stddef.h>
#include <stdint.h>
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  volatile unsigned sum = 0;
  for (size_t i = 0; i < size; ++i)
    if (data[i] != 'x')
      sum += data[i];
  return 0;
}
)";

std::string readText(const fs::path &path) {
  std::ifstream in(path, std::ios::binary);
  std::string text;
  std::getline(in, text, '\0');
  return text;
}

/// First line of a text, the part of an error message that fits into a report line.
std::string firstLine(const std::string &text) { return text.substr(0, text.find('\n')); }

/// How a started program ended and what it printed (both streams).
struct Outcome {
  int code = -1; ///< exit code; -1 not started, timed out or killed
  std::string output;
};

/// In the child: streams, environment, exec. Never returns.
[[noreturn]] void becomeProgram(const std::vector<std::string> &command,
                                const std::string &log,
                                const std::string &trace) {
  const int in = open("/dev/null", O_RDONLY);
  const int out = open(log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  dup2(in, STDIN_FILENO);
  dup2(out, STDOUT_FILENO);
  dup2(out, STDERR_FILENO);
  if (trace.empty())
    unsetenv("PERFIDY_TRACE"); // the user's own trace must not be written by a check
  else
    setenv("PERFIDY_TRACE", trace.c_str(), 1);
  std::vector<char *> words;
  words.reserve(command.size() + 1);
  for (const std::string &word : command)
    words.push_back(const_cast<char *>(word.c_str()));
  words.push_back(nullptr);
  execvp(words[0], words.data());
  _exit(127);
}

/// Where checks start programs: a temporary directory that disappears with this object.
class Workshop {
public:
  explicit Workshop(int timeoutSeconds) : timeout_(timeoutSeconds) {
    std::string pattern = (fs::temp_directory_path() / "perfidy-doctor-XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr)
      throw Error("cannot create a temporary directory " + pattern + ": " + std::strerror(errno) +
                  "; set TMPDIR to a writable one");
    directory_ = pattern;
  }
  Workshop(const Workshop &) = delete;
  Workshop &operator=(const Workshop &) = delete;
  ~Workshop() {
    std::error_code ignored;
    fs::remove_all(directory_, ignored);
  }

  fs::path path(const std::string &name) const { return directory_ / name; }

  /// Runs a program to its end, or kills it when its time is up. `trace`: value of PERFIDY_TRACE.
  Outcome run(const std::vector<std::string> &command, const std::string &trace = "") const {
    const std::string log = path("log").string();
    const pid_t child = fork();
    if (child == 0)
      becomeProgram(command, log, trace);
    if (child < 0)
      return {-1, std::string("cannot start a process: ") + std::strerror(errno)};
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(timeout_);
    int status = 0;
    while (waitpid(child, &status, WNOHANG) == 0) {
      if (std::chrono::steady_clock::now() > end) {
        kill(child, SIGKILL);
        waitpid(child, &status, 0);
        return {-1, fmt::format("not finished after {} s", timeout_)};
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, readText(log)};
  }

private:
  fs::path directory_;
  int timeout_;
};

/// Writes the lines of the report and remembers whether all is well.
class Report {
public:
  explicit Report(std::ostream &out) : out_(out) {}

  void ok(const std::string &what) { out_ << "ok       " << what << '\n'; }
  void note(const std::string &what) { out_ << "note     " << what << '\n'; }
  void problem(const std::string &what, const std::string &remedy) {
    out_ << "PROBLEM  " << what << " -> " << remedy << '\n';
    ++problems_;
  }
  /// One line: `right` when all is well, else `wrong` and its remedy.
  bool
  check(bool good, const std::string &right, const std::string &wrong, const std::string &remedy) {
    good ? ok(right) : problem(wrong, remedy);
    return good;
  }
  int finish() {
    out_ << (problems_ == 0 ? "all is well" : fmt::format("{} problem(s)", problems_)) << '\n';
    return problems_ == 0 ? 0 : 2;
  }

private:
  std::ostream &out_;
  int problems_ = 0;
};

/// LLVM versions for which there is a plugin, ascending.
std::vector<int> builtVersions(const fs::path &libDir) {
  constexpr std::string_view kPrefix = "PerfidyPass-";
  std::vector<int> versions;
  std::error_code ignored;
  for (const fs::directory_entry &entry : fs::directory_iterator(libDir, ignored)) {
    const std::string stem = entry.path().stem().string();
    if (stem.starts_with(kPrefix) && entry.path().extension() == ".so")
      versions.push_back(std::atoi(stem.c_str() + kPrefix.size()));
  }
  std::sort(versions.begin(), versions.end());
  return versions;
}

/// The compiler of one plugin and the engine that comes with it. False when it cannot be used.
bool checkCompiler(int llvm, const Workshop &workshop, Report &report) {
  const std::string clang = fmt::format("clang-{}", llvm);
  const Outcome version = workshop.run({clang, "--version"});
  if (version.code != 0) {
    report.problem(clang + " cannot be run", fmt::format("install the package {}", clang));
    return false;
  }
  const int major = clangMajor(version.output).value_or(0);
  if (!report.check(
          major == llvm,
          fmt::format("{} is {}", clang, firstLine(version.output)),
          fmt::format("{} is not clang {} but {}", clang, llvm, firstLine(version.output)),
          fmt::format("the first {} in PATH must be clang {}", clang, llvm)))
    return false;
  const std::string engine = "libclang_rt.fuzzer-x86_64.a";
  const Outcome where = workshop.run({clang, "-print-file-name=" + engine});
  const std::string path = firstLine(where.output);
  // clang prints the bare name when it has no such file
  report.check(path != engine && fs::exists(path),
               fmt::format("libFuzzer for {}: {}", clang, path),
               fmt::format("no libFuzzer for {} ({})", clang, engine),
               fmt::format("install the package libclang-rt-{}-dev", llvm));
  return true;
}

/// Compiles the smoke target with one more flag, runs it over one file and looks for the trace.
void smoke(const std::string &wrapper,
           const std::string &flag,
           const Workshop &workshop,
           Report &report) {
  const std::string program = workshop.path("smoke").string();
  const std::string source = program + ".c";
  const std::string trace = program + ".trace";
  std::string what = fs::path(wrapper).filename().string();
  what += flag.empty() ? "" : " " + flag;
  std::ofstream(source) << kSmokeTarget;
  std::error_code ignored;
  fs::remove(trace, ignored);
  fs::remove(program, ignored);

  std::vector<std::string> command{wrapper, "-O1", source, "-o", program};
  if (!flag.empty())
    command.push_back(flag);
  const Outcome compile = workshop.run(command);
  if (compile.code != 0)
    return report.problem(what + " does not compile a small target: " + firstLine(compile.output),
                          "compile any LLVMFuzzerTestOneInput with it to see the whole message");
  if (!compile.output.empty())
    report.problem(what + " prints: " + firstLine(compile.output),
                   "a compiler that chatters breaks configure scripts; please report it");
  const Outcome run = workshop.run({program, source}, trace);
  if (run.code != 0)
    return report.problem(fmt::format("{}: a small target ends with {}: {}",
                                      what,
                                      run.code < 0 ? "a signal" : std::to_string(run.code),
                                      firstLine(run.output)),
                          "rebuild Perfidy; is the temporary directory mounted noexec?");
  report.check(fs::exists(trace) && fs::file_size(trace) > 0,
               what + ": a small target compiles, runs and writes a trace",
               what + ": a small target runs but writes no trace",
               "rebuild Perfidy: plugin and runtime archive do not fit together");
}

/// Things that trouble other tools, said so that nobody goes looking for them here.
void noteKernel(Report &report) {
  const std::string pattern = firstLine(readText("/proc/sys/kernel/core_pattern"));
  if (!pattern.empty())
    report.note(fmt::format("kernel.core_pattern is '{}': no problem, crashes are not counted "
                            "through core dumps",
                            pattern));
  const std::string aslr = firstLine(readText("/proc/sys/kernel/randomize_va_space"));
  if (!aslr.empty())
    report.note(fmt::format("address randomisation is {}: no problem, counts do not depend on "
                            "addresses",
                            aslr == "0" ? "off" : "on"));
}

/// Whether a program can be measured.
void checkTarget(const std::string &target, Report &report) {
  if (!fs::is_regular_file(target))
    return report.problem(target + " is not a file", "give the path of a built target");
  report.check(access(target.c_str(), X_OK) == 0,
               target + " is executable",
               target + " is not executable",
               "chmod +x it, or give the linked program instead of an object");
  try {
    const std::vector<std::string> names = elfSectionNames(target);
    report.check(std::find(names.begin(), names.end(), PERFIDY_SECTION) != names.end(),
                 fmt::format("{} is instrumented (section {})", target, PERFIDY_SECTION),
                 fmt::format("{} is not instrumented (no section {})", target, PERFIDY_SECTION),
                 "compile and link it with perfidy-clang or perfidy-clang++ (code in shared "
                 "libraries is not looked at here)");
  } catch (const Error &error) {
    report.problem(error.what(), "give the linked program, not a script around it");
  }
}

} // namespace

int runDoctor(const DoctorOptions &options, std::ostream &out) {
  Report report(out);
  const Workshop workshop(options.timeoutSeconds);
  const fs::path binDir = options.binDir.empty() ? fs::read_symlink("/proc/self/exe").parent_path()
                                                 : fs::absolute(options.binDir);
  const fs::path libDir = binDir.parent_path() / "lib" / "perfidy";
  const std::vector<int> versions = builtVersions(libDir);
  if (versions.empty())
    report.problem(fmt::format("no plugin in {}", libDir.string()),
                   "build Perfidy with PERFIDY_PASSES=ON and install all of it");
  const fs::path archive = libDir / "libperfidy_rt.a";
  const bool hasArchive = report.check(fs::exists(archive),
                                       fmt::format("runtime archive: {}", archive.string()),
                                       fmt::format("no runtime archive {}", archive.string()),
                                       "build or install Perfidy completely");
  for (const int llvm : versions) {
    report.ok(fmt::format("plugin for LLVM {}: {}/PerfidyPass-{}.so", llvm, libDir.string(), llvm));
    const bool usable = checkCompiler(llvm, workshop, report);
    const std::string wrapper = (binDir / fmt::format("perfidy-clang-{}", llvm)).string();
    if (!usable || !hasArchive)
      continue;
    smoke(wrapper, "", workshop, report);
    smoke(wrapper, "-fsanitize=fuzzer", workshop, report);
  }
  noteKernel(report);
  if (!options.target.empty())
    checkTarget(options.target, report);
  return report.finish();
}

} // namespace perfidy
