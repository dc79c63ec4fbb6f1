#include "tools/compiler_args.h"

#include <algorithm>
#include <cctype>
#include <string_view>
#include <utility>

namespace perfidy {
namespace {

using Args = std::vector<std::string>;

/// Response files may name response files; a file naming itself ends here.
constexpr int kMaxNesting = 16;

/// Options whose value is the next argument, which is therefore no input file. An option missing
/// here makes its value look like an input: harmless unless it is the only one.
constexpr std::string_view kTakesValue =
    " --analyzer-output --assert --config --define-macro --dyld-prefix --entry --force-link "
    "--for-assembler --for-linker --imacros --include --include-directory "
    "--include-directory-after --include-prefix --include-with-prefix "
    "--include-with-prefix-after --include-with-prefix-before --library-directory --output "
    "--param --prefix --resource --serialize-diagnostics --std --sysroot --undefine-macro -A "
    "-B -D -F -G -I -L -MF -MJ -MQ -MT -T -Tbss -Tdata -Ttext -U -Xanalyzer -Xarch_device "
    "-Xarch_host -Xassembler -Xclang -Xcuda-fatbinary -Xcuda-ptxas -Xopenmp-target "
    "-Xpreprocessor -arch -b -ccc-gcc-name -ccc-install-dir -cxx-isystem -dependency-dot "
    "-dependency-file -dsym-dir -dumpdir -e -fmodules-user-build-path -framework "
    "-gen-cdb-fragment-path -idirafter -iframework -iframeworkwithsysroot -imacros "
    "-imultilib -include -include-pch -index-store-path -iprefix -iquote -isysroot -isystem "
    "-isystem-after -ivfsoverlay -iwithprefix -iwithprefixbefore -iwithsysroot -meabi -mmlir "
    "-module-dependency-dir -mthread-model -o -resource-dir -rpath -serialize-diagnostics "
    "-target -u -vfsoverlay -working-directory -z ";

/// Options that end the work before any code is generated.
constexpr std::string_view kStopsBeforeCode =
    " --analyze --dependencies --migrate --preprocess --user-dependencies -E -M -MM -emit-ast "
    "-emit-interface-stubs -extract-api -fsyntax-only -module-file-info -rewrite-legacy-objc "
    "-rewrite-objc -verify-pch ";

/// Options that generate code but do not link a program: archives come in with the program.
constexpr std::string_view kStopsBeforeProgram =
    " --assemble --compile --no-standard-libraries --precompile --shared -S -Wl,-r "
    "-Wl,-shared -Wl,--relocatable -Wl,--shared -c -dynamiclib -nostartfiles -nostdlib -r "
    "-shared ";

/// Options that make clang print something about itself and stop.
constexpr std::string_view kInformational =
    " --help --help-hidden --version -cc1 -cc1as -cc1gen-reproducer -dumpmachine -dumpspecs "
    "-dumpversion -help ";

constexpr std::string_view kHeaderSuffixes = " H h h++ hh hp hpp hxx tcc ";
constexpr std::string_view kAssemblySuffixes = " S asm s sx ";
/// Compiler intermediates: optimised like source, but nothing is included any more.
constexpr std::string_view kIrSuffixes = " ast bc ll pcm ";
constexpr std::string_view kSourceSuffixes =
    " C CC CPP CXX M c c++ c++m cc ccm cl clcpp cp cpp cppm cu cxx cxxm hip i ii iim ixx m mi "
    "mii mm ";

enum class InputKind { Source, Header, Assembly, Ir, Object };

/// Whether one of the tables above, words between blanks, has this word.
bool contains(std::string_view table, std::string_view word) {
  return word.find(' ') == std::string_view::npos &&
         table.find(" " + std::string(word) + " ") != std::string_view::npos;
}

bool isResponseFile(const std::string &arg) { return arg.size() > 1 && arg[0] == '@'; }

/// Kind of an input under `-x LANGUAGE`.
InputKind kindOfLanguage(std::string_view language) {
  if (language.find("header") != std::string_view::npos)
    return InputKind::Header;
  if (language.starts_with("assembler"))
    return InputKind::Assembly;
  return language == "ir" || language == "ast" ? InputKind::Ir : InputKind::Source;
}

/// Kind of an input by its name. Like clang, whatever is not known goes to the linker.
InputKind kindOfFile(std::string_view path) {
  if (path == "-") // without -x only -E accepts it
    return InputKind::Source;
  const size_t dot = path.rfind('.');
  const size_t slash = path.rfind('/');
  if (dot == std::string_view::npos || (slash != std::string_view::npos && dot < slash))
    return InputKind::Object;
  const std::string_view suffix = path.substr(dot + 1);
  if (contains(kSourceSuffixes, suffix))
    return InputKind::Source;
  if (contains(kHeaderSuffixes, suffix))
    return InputKind::Header;
  if (contains(kAssemblySuffixes, suffix))
    return InputKind::Assembly;
  return contains(kIrSuffixes, suffix) ? InputKind::Ir : InputKind::Object;
}

/// -g in any form; -gcc-toolchain and -gen-reproducer only look like it.
bool choosesDebug(std::string_view arg) {
  if (arg == "--debug" || arg.starts_with("--debug="))
    return true;
  return arg.starts_with("-g") && !arg.starts_with("-gcc-") && !arg.starts_with("-gen-");
}

bool isPassOption(std::string_view arg) { return arg.starts_with("-perfidy-"); }
bool isJoinedPassOption(std::string_view arg) { return arg.starts_with("-mllvm=-perfidy-"); }

/// Wrapper options that choose how the pass counts.
bool isPassChoice(std::string_view arg) {
  return arg.starts_with("--perfidy-place=") || arg.starts_with("--perfidy-threads=") ||
         arg.starts_with("--perfidy-list=");
}

/// Walks over a command line once, remembering what matters.
class Scanner {
public:
  explicit Scanner(const ReadFile &readFile) : readFile_(readFile) {}

  void scan(const Args &args, int depth = 0) {
    for (const std::string &arg : args) {
      const auto text =
          isResponseFile(arg) && depth < kMaxNesting ? readFile_(arg.substr(1)) : std::nullopt;
      if (text)
        scan(splitResponseFile(*text), depth + 1);
      else
        take(arg);
    }
  }

  Invocation result() const {
    Invocation found = found_;
    if (informational_)
      return {};
    found.readsSource = source_ || header_;
    found.generatesCode = (source_ || ir_) && !stopsBeforeCode_;
    found.links = (source_ || ir_ || linkerInput_) && !stopsBeforeCode_ && !stopsBeforeProgram_;
    found.linksShared =
        (source_ || ir_ || linkerInput_) && !stopsBeforeCode_ && !stopsBeforeShared_ && shared_;
    found.languageForced = !language_.empty();
    return found;
  }

private:
  /// One argument, in the light of the option before it when that one takes a value.
  void take(const std::string &arg) {
    const std::string option = std::exchange(pending_, "");
    if (!option.empty())
      takeValue(option, arg);
    else if (onlyInputs_ || arg == "-" || !arg.starts_with("-"))
      takeInput(arg);
    else if (arg == "--")
      onlyInputs_ = true;
    else if (arg == "-x" || arg == "--language" || arg == "-Xlinker" || arg == "-mllvm" ||
             arg == "-l" || contains(kTakesValue, arg))
      pending_ = arg;
    else
      takeOption(arg);
  }

  void takeValue(const std::string &option, const std::string &value) {
    if (option == "-x" || option == "--language")
      setLanguage(value);
    else if (option == "-Xlinker")
      stopsBeforeProgram_ |= contains(kStopsBeforeProgram, "-Wl," + value);
    else if (option == "-mllvm")
      found_.passOptions |= isPassOption(value);
    else if (option == "-l")
      linkerInput_ = true;
  }

  void takeOption(std::string_view arg) {
    if (arg.starts_with("-x"))
      return setLanguage(arg.substr(2));
    if (arg.starts_with("--language="))
      return setLanguage(arg.substr(arg.find('=') + 1));
    linkerInput_ |= arg.starts_with("-l");
    stopsBeforeCode_ |= contains(kStopsBeforeCode, arg);
    const bool shared = arg == "-shared" || arg == "--shared";
    shared_ |= shared;
    stopsBeforeProgram_ |= contains(kStopsBeforeProgram, arg);
    stopsBeforeShared_ |= !shared && contains(kStopsBeforeProgram, arg);
    informational_ |= contains(kInformational, arg) || arg.starts_with("-print-") ||
                      arg.starts_with("--print-") || arg.starts_with("--autocomplete=");
    found_.userDebug |= choosesDebug(arg);
    found_.noSystemIncludes |= arg == "-nostdinc" || arg == "--no-standard-includes";
    found_.passOptions |= isJoinedPassOption(arg);
  }

  void takeInput(const std::string &path) {
    // Names like this one cannot be linked without `--`, behind which nothing can be appended.
    stopsBeforeProgram_ |= onlyInputs_ && path.starts_with("-") && path != "-";
    const InputKind kind = language_.empty() ? kindOfFile(path) : kindOfLanguage(language_);
    source_ |= kind == InputKind::Source;
    header_ |= kind == InputKind::Header;
    ir_ |= kind == InputKind::Ir;
    linkerInput_ |= kind == InputKind::Object || kind == InputKind::Assembly;
  }

  void setLanguage(std::string_view language) { language_ = language == "none" ? "" : language; }

  const ReadFile &readFile_;
  Invocation found_;
  std::string language_, pending_;
  bool source_ = false, header_ = false, ir_ = false, linkerInput_ = false;
  bool stopsBeforeCode_ = false, stopsBeforeProgram_ = false;
  bool stopsBeforeShared_ = false, shared_ = false;
  bool informational_ = false, onlyInputs_ = false;
};

/// Whether the wrapper has to see an argument on the command line itself.
bool mustBeVisible(const std::string &arg) {
  return arg == "--" || arg.starts_with("--perfidy-") || isPassOption(arg) ||
         isJoinedPassOption(arg);
}

/// Copies `args` to `out`, opening the response files that hide something for the wrapper.
void openResponseFiles(const Args &args, const ReadFile &readFile, int depth, Args &out) {
  for (const std::string &arg : args) {
    if (const auto text =
            isResponseFile(arg) && depth < kMaxNesting ? readFile(arg.substr(1)) : std::nullopt) {
      Args inner;
      openResponseFiles(splitResponseFile(*text), readFile, depth + 1, inner);
      if (std::any_of(inner.begin(), inner.end(), mustBeVisible)) {
        out.insert(out.end(), inner.begin(), inner.end());
        continue;
      }
    }
    out.push_back(arg);
  }
}

/// Without `-mllvm -perfidy-...`: unknown to a clang that does not load the plugin.
Args withoutPassOptions(const Args &args) {
  Args kept;
  for (size_t i = 0; i < args.size(); ++i) {
    if (args[i] == "-mllvm" && i + 1 < args.size() && isPassOption(args[i + 1]))
      ++i;
    else if (!isJoinedPassOption(args[i]))
      kept.push_back(args[i]);
  }
  return kept;
}

/// What goes in front of the user's arguments: there the user's own options win.
Args compileFlags(const WrapperContext &context, const Invocation &invocation) {
  Args flags;
  if (invocation.generatesCode) {
    flags.push_back("-fpass-plugin=" + context.plugin);
    // Only a plugin loaded this early has its options known when -mllvm is read.
    if (invocation.passOptions)
      flags.push_back("-fplugin=" + context.plugin);
    if (!invocation.userDebug)
      flags.emplace_back("-gline-tables-only");
  }
  // A directory that clang searches anyway must not come back in under --sysroot.
  const bool standard =
      context.includeDir == "/usr/include" || context.includeDir == "/usr/local/include";
  if (invocation.readsSource && !invocation.noSystemIncludes && !standard)
    flags.insert(flags.end(), {"-idirafter", context.includeDir});
  if (!flags.empty()) { // some other input of the same command may have no use for them
    flags.insert(flags.begin(), "--start-no-unused-arguments");
    flags.emplace_back("--end-no-unused-arguments");
  }
  return flags;
}

/// Appends the runtime behind the user's objects: a replay `main` in it is for programs that have
/// none, and linkers take the first they meet.
void appendArchive(const WrapperContext &context, const Invocation &invocation, Args &command) {
  std::erase(command, "--"); // nothing behind it looks like an option, see Scanner::takeInput
  if (invocation.languageForced)
    command.insert(command.end(), {"-x", "none"});
  if (invocation.linksShared) // -z nodelete: its counters are read until the process ends
    command.insert(
        command.end(),
        {"-Wl,-u,perfidy_shared_object_anchor", context.sharedArchive, "-Wl,-z,nodelete"});
  else
    command.insert(command.end(),
                   {"-Wl,-u,perfidy_runtime_anchor",
                    "-Wl,--export-dynamic-symbol=perfidy_image_add",
                    context.archive});
}

} // namespace

WrapperName parseWrapperName(const std::string &programPath, int defaultLlvm) {
  const std::string name = programPath.substr(programPath.rfind('/') + 1);
  WrapperName result{name.find("clang++") != std::string::npos, defaultLlvm};
  const std::string suffix = name.substr(name.rfind('-') + 1);
  const bool number = !suffix.empty() && suffix.size() < 4 &&
                      std::all_of(suffix.begin(), suffix.end(), [](unsigned char c) {
                        return std::isdigit(c) != 0;
                      });
  if (number)
    result.llvm = std::stoi(suffix);
  return result;
}

WrapperRequest parseRequest(const std::vector<std::string> &args, const ReadFile &readFile) {
  constexpr std::string_view kClangFlag = "--perfidy-clang=";
  WrapperRequest request;
  Args opened;
  openResponseFiles(args, readFile, 0, opened);
  for (std::string &arg : opened) {
    if (arg.starts_with(kClangFlag))
      request.clang = arg.substr(kClangFlag.size());
    else if (arg == "--perfidy-off")
      request.off = true;
    else if (isPassChoice(arg)) // --perfidy-NAME=VALUE -> -mllvm -perfidy-NAME=VALUE
      request.args.insert(request.args.end(), {"-mllvm", arg.substr(1)});
    else
      request.args.push_back(std::move(arg));
  }
  return request;
}

Invocation classifyInvocation(const std::vector<std::string> &args, const ReadFile &readFile) {
  Scanner scanner(readFile);
  scanner.scan(args);
  return scanner.result();
}

std::vector<std::string> wrapperCommand(const WrapperContext &context,
                                        const std::vector<std::string> &args) {
  const Invocation invocation =
      context.off ? Invocation{} : classifyInvocation(args, context.readFile);
  Args command{context.clang};
  const Args front = compileFlags(context, invocation);
  command.insert(command.end(), front.begin(), front.end());
  const Args users = invocation.generatesCode ? args : withoutPassOptions(args);
  command.insert(command.end(), users.begin(), users.end());
  if (invocation.links || invocation.linksShared)
    appendArchive(context, invocation, command);
  return command;
}

std::vector<std::string> splitResponseFile(const std::string &text) {
  Args words;
  std::string word;
  char quote = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const bool blank = std::isspace(static_cast<unsigned char>(c)) != 0;
    if (c == '\\' && i + 1 < text.size())
      word += text[++i];
    else if (quote != 0 ? c == quote : c == '\'' || c == '"')
      quote = quote != 0 ? '\0' : c;
    else if (quote != 0 || !blank)
      word += c;
    else if (!word.empty()) // clang drops empty words, quoted or not
      words.push_back(std::exchange(word, ""));
  }
  if (!word.empty())
    words.push_back(word);
  return words;
}

std::optional<int> clangMajor(const std::string &versionText) {
  constexpr std::string_view kMarker = "clang version ";
  const size_t at = versionText.find(kMarker);
  if (at == std::string::npos)
    return std::nullopt;
  int major = 0;
  size_t digits = 0;
  for (size_t i = at + kMarker.size(); i < versionText.size() && digits < 4; ++i, ++digits) {
    if (std::isdigit(static_cast<unsigned char>(versionText[i])) == 0)
      break;
    major = major * 10 + (versionText[i] - '0');
  }
  return digits == 0 ? std::nullopt : std::optional<int>(major);
}

} // namespace perfidy
