// perfidy-clang and perfidy-clang++: clang with the pass plugin and the runtime archive.
//
// Becomes the real compiler by exec(), so exit code, signals and output are clang's own, and prints
// nothing unless it has to fail. Which one it stands for is in its own name (perfidy-clang++-19).
// It finds plugin, archive and header relative to its own executable, so an installed tree can be
// moved. Configure scripts and caches call compilers thousands of times: nothing slow happens here
// unless --perfidy-clang asks for an unknown compiler.
#include "tools/compiler_args.h"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

#ifndef PERFIDY_DEFAULT_LLVM
#error                                                                                             \
    "PERFIDY_DEFAULT_LLVM must be a string with the LLVM major version of the unsuffixed wrappers"
#endif

namespace perfidy {
namespace {

/// Usage or input error, as in the other programs of this project.
constexpr int kExitUsage = 2;

/// Says what is wrong and what to do about it, and gives up.
[[noreturn]] void fail(const std::string &message) {
  std::fprintf(stderr, "perfidy-clang: error: %s\n", message.c_str());
  std::exit(kExitUsage);
}

/// Only regular files: a pipe could not be read a second time by the compiler.
std::optional<std::string> readFile(const std::string &path) {
  struct stat info {};
  if (stat(path.c_str(), &info) != 0 || !S_ISREG(info.st_mode))
    return std::nullopt;
  std::ifstream in(path, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  return in ? std::optional(std::move(text)) : std::nullopt;
}

bool isReadable(const std::string &path) { return access(path.c_str(), R_OK) == 0; }

/// Directory above the one that holds this executable: bin/, lib/ and include/ are in it.
std::string installRoot() {
  std::vector<char> path(4096);
  const ssize_t length = readlink("/proc/self/exe", path.data(), path.size());
  if (length <= 0 || static_cast<size_t>(length) == path.size())
    fail("cannot find my own directory through /proc/self/exe; is /proc mounted?");
  std::string root(path.data(), static_cast<size_t>(length));
  for (int level = 0; level < 2; ++level)
    root.erase(root.rfind('/') == std::string::npos ? 0 : root.rfind('/'));
  return root;
}

/// Argument vector as exec() wants it; lives as long as `words`.
std::vector<char *> pointersTo(std::vector<std::string> &words) {
  std::vector<char *> pointers;
  pointers.reserve(words.size() + 1);
  for (std::string &word : words)
    pointers.push_back(word.data());
  pointers.push_back(nullptr);
  return pointers;
}

/// Standard output of `clang --version`, empty when it cannot be run.
std::string versionText(const std::string &clang) {
  int ends[2];
  if (pipe(ends) != 0)
    return "";
  const pid_t child = fork();
  if (child == 0) {
    dup2(ends[1], STDOUT_FILENO);
    close(ends[0]);
    close(ends[1]);
    std::vector<std::string> words{clang, "--version"};
    execvp(clang.c_str(), pointersTo(words).data());
    _exit(127);
  }
  close(ends[1]);
  std::string text;
  char buffer[1024];
  for (ssize_t got = 0; (got = read(ends[0], buffer, sizeof buffer)) > 0;)
    text.append(buffer, static_cast<size_t>(got));
  close(ends[0]);
  if (child > 0)
    waitpid(child, nullptr, 0);
  return text;
}

/// A plugin for another LLVM dies in the middle of a compilation with a symbol error that helps
/// nobody, so an overridden compiler is asked for its version first.
void checkVersion(const std::string &clang, const WrapperName &name, const std::string &root) {
  const std::optional<int> major = clangMajor(versionText(clang));
  if (!major)
    fail(clang + " (--perfidy-clang) does not run or is not clang; name a clang-" +
         std::to_string(name.llvm) + " there");
  if (*major == name.llvm)
    return;
  const std::string found = std::to_string(*major);
  const std::string wrapper = name.cxx ? "perfidy-clang++-" : "perfidy-clang-";
  std::string message = clang + " is clang " + found + ", but this wrapper instruments with the " +
                        "plugin for LLVM " + std::to_string(name.llvm) + "; ";
  if (isReadable(root + "/lib/perfidy/PerfidyPass-" + found + ".so"))
    message += "use " + wrapper + found + " instead";
  else
    message += "no plugin for LLVM " + found + " is installed: build Perfidy with " +
               "-DPERFIDY_LLVM_VERSIONS=" + found + ", or use clang-" + std::to_string(name.llvm);
  fail(message);
}

/// Fails when something that this command needs is not there.
void checkParts(const WrapperContext &context, const Invocation &invocation, int llvm) {
  const std::string version = std::to_string(llvm);
  if (invocation.generatesCode && !isReadable(context.plugin))
    fail("no plugin for LLVM " + version + " (" + context.plugin + "): install llvm-" + version +
         "-dev and build Perfidy with -DPERFIDY_LLVM_VERSIONS=" + version +
         ", or use the wrapper of a version that was built (`perfidy doctor` lists them)");
  if (invocation.links && !isReadable(context.archive))
    fail("no runtime archive (" + context.archive + "): build or install Perfidy completely");
}

/// Becomes the compiler.
[[noreturn]] void run(std::vector<std::string> command, const WrapperName &name, bool overridden) {
  execvp(command[0].c_str(), pointersTo(command).data());
  const int reason = errno;
  if (overridden || reason != ENOENT)
    fail("cannot run " + command[0] + ": " + std::strerror(reason));
  fail(command[0] + " is not in PATH: install the package clang-" + std::to_string(name.llvm) +
       ", or name the compiler with --perfidy-clang=PATH");
}

[[noreturn]] void wrap(int argc, char **argv) {
  const WrapperName name =
      parseWrapperName(argc > 0 ? argv[0] : "", std::atoi(PERFIDY_DEFAULT_LLVM));
  const WrapperRequest request =
      parseRequest(std::vector<std::string>(argv + (argc > 0 ? 1 : 0), argv + argc), readFile);
  const std::string root = installRoot();
  const std::string version = std::to_string(name.llvm);
  const bool overridden = !request.clang.empty();

  WrapperContext context;
  context.clang = overridden ? request.clang : (name.cxx ? "clang++-" : "clang-") + version;
  context.plugin = root + "/lib/perfidy/PerfidyPass-" + version + ".so";
  context.archive = root + "/lib/perfidy/libperfidy_rt.a";
  context.sharedArchive = root + "/lib/perfidy/libperfidy_so.a";
  context.includeDir = root + "/include";
  context.off = request.off;
  context.readFile = readFile;

  if (!request.off) {
    const Invocation invocation = classifyInvocation(request.args, readFile);
    if (overridden && invocation.generatesCode)
      checkVersion(request.clang, name, root);
    checkParts(context, invocation, name.llvm);
  }
  run(wrapperCommand(context, request.args), name, overridden);
}

} // namespace
} // namespace perfidy

int main(int argc, char **argv) { perfidy::wrap(argc, argv); }
