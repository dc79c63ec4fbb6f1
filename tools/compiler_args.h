// What the compiler wrappers add to a clang command line, as pure functions.
//
// Owns the reading of clang's command line as far as a wrapper needs it: does this command generate
// code (then the plugin is loaded), does it link a program (then the runtime archive is appended),
// did the user choose debug information. Everything else is handed on untouched, so an option this
// file has never heard of still works. Never: touches files or processes (the one read it needs,
// response files, comes in as a function), prints, or looks at the environment.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace perfidy {

/// Reads a whole text file; nothing when it cannot be read.
using ReadFile = std::function<std::optional<std::string>(const std::string &path)>;

/// Where everything is that a command may need. Paths are absolute.
struct WrapperContext {
  std::string clang;         ///< what is executed, first word of the command
  std::string plugin;        ///< PerfidyPass-NN.so
  std::string archive;       ///< libperfidy_rt.a
  std::string sharedArchive; ///< libperfidy_so.a, for shared objects
  std::string includeDir;    ///< holds perfidy.h
  bool off = false;          ///< --perfidy-off: the plain compiler
  ReadFile readFile;         ///< for response files
};

/// What the wrapper's own name says: perfidy-clang++-19 is C++ and LLVM 19.
struct WrapperName {
  bool cxx = false;
  int llvm = 0;
};

/// A command line as the user gave it, with the wrapper's own flags taken out.
struct WrapperRequest {
  std::string clang; ///< --perfidy-clang=PATH, empty when not given
  bool off = false;  ///< --perfidy-off
  std::vector<std::string> args;
};

/// What a clang command does, as far as it concerns us.
struct Invocation {
  bool readsSource = false;      ///< parses C or C++ text, so it may include perfidy.h
  bool generatesCode = false;    ///< runs the optimiser on it, so the plugin has something to do
  bool links = false;            ///< produces a program (not a shared or relocatable object)
  bool linksShared = false;      ///< produces a shared object
  bool userDebug = false;        ///< the user chose debug information, be it none
  bool noSystemIncludes = false; ///< -nostdinc
  bool languageForced = false;   ///< an `-x LANG` is in force at the end of the line
  bool passOptions = false;      ///< `-mllvm -perfidy-...` is given
};

/// Reads language and version out of argv[0]; `defaultLlvm` stands when there is no suffix.
WrapperName parseWrapperName(const std::string &programPath, int defaultLlvm);

/// Takes out --perfidy-clang=PATH and --perfidy-off. A response file is replaced by its contents
/// only when it hides something that the wrapper must see on the line itself (our own options, or a
/// `--`): any other is left for clang, since it may hold more than a command line can.
WrapperRequest parseRequest(const std::vector<std::string> &args, const ReadFile &readFile);

/// Classifies the arguments (of a request, without the program name).
Invocation classifyInvocation(const std::vector<std::string> &args, const ReadFile &readFile);

/// The command to execute for a request's arguments, program name first.
std::vector<std::string> wrapperCommand(const WrapperContext &context,
                                        const std::vector<std::string> &args);

/// Splits the text of a response file as clang does on Unix: blanks separate, quotes of either kind
/// protect, a backslash protects the next character even inside quotes.
std::vector<std::string> splitResponseFile(const std::string &text);

/// Major version out of what `clang --version` prints; nothing when this is not clang.
std::optional<int> clangMajor(const std::string &versionText);

} // namespace perfidy
