#include "tools/compiler_args.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>

namespace perfidy {
namespace {

using Args = std::vector<std::string>;

Args joined(Args first, const Args &second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

class CompilerArgs : public testing::Test {
protected:
  WrapperContext context() {
    WrapperContext made;
    made.clang = "clang-14";
    made.plugin = "/p/PerfidyPass-14.so";
    made.archive = "/p/libperfidy_rt.a";
    made.sharedArchive = "/p/libperfidy_so.a";
    made.includeDir = "/p/include";
    made.readFile = reader();
    return made;
  }

  ReadFile reader() {
    return [this](const std::string &path) -> std::optional<std::string> {
      const auto found = files_.find(path);
      return found == files_.end() ? std::nullopt : std::optional(found->second);
    };
  }

  Invocation classify(const Args &args) { return classifyInvocation(args, reader()); }
  Args command(const Args &args) { return wrapperCommand(context(), args); }

  /// A command that must reach clang as it is.
  void expectUntouched(const Args &given) {
    EXPECT_EQ(command(given), joined({"clang-14"}, given));
  }

  std::map<std::string, std::string> files_; ///< response files of a test, by name
};

const Args kCompileFront = {"clang-14",
                            "--start-no-unused-arguments",
                            "-fpass-plugin=/p/PerfidyPass-14.so",
                            "-gline-tables-only",
                            "-idirafter",
                            "/p/include",
                            "--end-no-unused-arguments"};
const Args kLinkEnd = {"-Wl,-u,perfidy_runtime_anchor",
                       "-Wl,--export-dynamic-symbol=perfidy_image_add",
                       "/p/libperfidy_rt.a"};

bool has(const Args &args, const std::string &word) {
  return std::find(args.begin(), args.end(), word) != args.end();
}

TEST_F(CompilerArgs, CompilesWithPluginAndWithoutArchive) {
  const Args args = {"-O2", "-c", "a.c", "-o", "a.o"};
  EXPECT_EQ(command(args), joined(kCompileFront, args));
}

TEST_F(CompilerArgs, CompilesAndLinksInOneCommand) {
  const Args args = {"a.c", "b.cc", "-o", "a", "-lm"};
  EXPECT_EQ(command(args), joined(joined(kCompileFront, args), kLinkEnd));
}

TEST_F(CompilerArgs, LinksObjectsWithoutPlugin) {
  const Args args = {"-fsanitize=fuzzer", "a.o", "libx.a", "-o", "a"};
  EXPECT_EQ(command(args), joined(joined({"clang-14"}, args), kLinkEnd));
}

TEST_F(CompilerArgs, ChoicesOfThePassAreHandedOn) {
  const WrapperRequest request = parseRequest({"--perfidy-place=late", "-c", "a.c"}, reader());
  EXPECT_EQ(request.args, (Args{"-mllvm", "-perfidy-place=late", "-c", "a.c"}));
}

TEST_F(CompilerArgs, SharedObjectsRegisterThemselves) {
  const Args args = {"-shared", "a.o", "-o", "a.so"};
  const Args end = {"-Wl,-u,perfidy_shared_object_anchor", "/p/libperfidy_so.a", "-Wl,-z,nodelete"};
  EXPECT_EQ(command(args), joined(joined({"clang-14"}, args), end));
  EXPECT_FALSE(classify({"-shared", "-c", "a.c"}).linksShared);
  EXPECT_FALSE(classify({"-shared", "-nostdlib", "a.o"}).linksShared) << "may have no libc to call";
}

TEST_F(CompilerArgs, UnknownSuffixesAreForTheLinker) {
  for (const char *input : {"a.o", "a.so.1", "a.lo", "dir.c/a", "a", "a.", "a.obj", "-lfoo"}) {
    EXPECT_TRUE(classify({input}).links) << input;
    EXPECT_FALSE(classify({input}).generatesCode) << input;
  }
  EXPECT_TRUE(classify({"-l", "foo"}).links);
}

TEST_F(CompilerArgs, SourceSuffixes) {
  for (const char *input : {"a.c", "a.cc", "a.cpp", "a.C", "a.c++", "a.cxx", "a.ii", "x.y/a.mm"}) {
    EXPECT_TRUE(classify({input}).generatesCode) << input;
    EXPECT_TRUE(classify({input}).readsSource) << input;
    EXPECT_TRUE(classify({input}).links) << input;
  }
}

TEST_F(CompilerArgs, InformationIsUntouched) {
  expectUntouched({"--version"});
  expectUntouched({"-dumpmachine"});
  expectUntouched({"-print-search-dirs"});
  expectUntouched({"-print-file-name=libc.a", "a.c"});
  expectUntouched({"--print-resource-dir"});
  expectUntouched({"--help"});
  expectUntouched({"-cc1", "-emit-obj", "a.c"});
  expectUntouched({"--version", "a.c"});
}

TEST_F(CompilerArgs, NoInputsIsUntouched) {
  EXPECT_EQ(command({}), Args{"clang-14"});
  expectUntouched({"-v"});
  expectUntouched({"-c"});
  expectUntouched({"-o", "a.c"});
  expectUntouched({"-I", "a.c", "-include", "b.h", "-MF", "c.c", "-Xclang", "d.c"});
  expectUntouched({"-Wl,--version"});
  expectUntouched({"-###"});
}

TEST_F(CompilerArgs, PreprocessingOnlyFindsTheHeader) {
  for (const char *option : {"-E", "-M", "-MM", "-fsyntax-only", "--analyze", "--preprocess"}) {
    const Args args = {option, "a.c"};
    const Args front = {"clang-14",
                        "--start-no-unused-arguments",
                        "-idirafter",
                        "/p/include",
                        "--end-no-unused-arguments"};
    EXPECT_EQ(command(args), joined(front, args));
  }
}

TEST_F(CompilerArgs, DependencySideOutputStillCompiles) {
  EXPECT_TRUE(classify({"-MMD", "-MP", "-MF", "a.d", "-c", "a.c"}).generatesCode);
  EXPECT_TRUE(classify({"-MD", "a.c"}).links);
}

TEST_F(CompilerArgs, AssemblerSourcesAreNotInstrumented) {
  expectUntouched({"-c", "a.s"});
  expectUntouched({"-c", "a.S"});
  expectUntouched({"-c", "-x", "assembler-with-cpp", "a.c"});
  EXPECT_TRUE(classify({"a.S"}).links);
}

TEST_F(CompilerArgs, AssemblyOutputIsInstrumented) {
  EXPECT_TRUE(classify({"-S", "a.c"}).generatesCode);
  EXPECT_FALSE(classify({"-S", "a.c"}).links);
}

TEST_F(CompilerArgs, IntermediatesAreInstrumentedButIncludeNothing) {
  EXPECT_TRUE(classify({"-c", "a.bc"}).generatesCode);
  EXPECT_FALSE(classify({"-c", "a.ll"}).readsSource);
  EXPECT_TRUE(classify({"-c", "-x", "ir", "a"}).generatesCode);
}

TEST_F(CompilerArgs, HeadersArePrecompiledWithoutPlugin) {
  for (const Args &args : {Args{"a.h"}, Args{"-x", "c++-header", "a"}, Args{"-xc-header", "a.c"}}) {
    EXPECT_FALSE(classify(args).generatesCode);
    EXPECT_FALSE(classify(args).links);
    EXPECT_TRUE(classify(args).readsSource);
  }
}

TEST_F(CompilerArgs, ForcedLanguageReadsStandardInput) {
  const Args args = {"-x", "c", "-", "-o", "a"};
  EXPECT_EQ(command(args), joined(joined(joined(kCompileFront, args), {"-x", "none"}), kLinkEnd));
}

TEST_F(CompilerArgs, ForcedLanguageInEverySpelling) {
  for (const Args &args : {Args{"-xc++", "a.o"},
                           Args{"-x", "c", "a.o"},
                           Args{"--language=c", "a.o"},
                           Args{"--language", "c", "a.o"}}) {
    EXPECT_TRUE(classify(args).generatesCode);
    EXPECT_TRUE(classify(args).languageForced);
  }
  EXPECT_FALSE(classify({"-xc", "a", "-xnone", "b.o"}).languageForced);
  EXPECT_FALSE(classify({"-x", "none", "a.o"}).generatesCode);
}

TEST_F(CompilerArgs, ForcedLanguageOfCompilesNeedsNoReset) {
  EXPECT_FALSE(has(command({"-x", "c", "-", "-c", "-o", "a.o"}), "none"));
}

TEST_F(CompilerArgs, UsersDebugOptionWins) {
  for (const char *option : {"-g",
                             "-g0",
                             "-g1",
                             "-g3",
                             "-ggdb",
                             "-ggdb3",
                             "-gdwarf-4",
                             "--debug",
                             "-gline-tables-only",
                             "-gmlt",
                             "-gsplit-dwarf",
                             "-gz"}) {
    EXPECT_TRUE(classify({option, "-c", "a.c"}).userDebug) << option;
    const Args line = command({option, "-c", "a.c"});
    EXPECT_EQ(std::count(line.begin(), line.end(), "-gline-tables-only"),
              option == std::string("-gline-tables-only"));
  }
  for (const char *option : {"-O2", "-fgnu89-inline", "-gcc-toolchain=/x", "-gen-reproducer"})
    EXPECT_FALSE(classify({option, "-c", "a.c"}).userDebug) << option;
  EXPECT_FALSE(classify({"-o", "-g", "-c", "a.c"}).userDebug);
}

TEST_F(CompilerArgs, SharedAndRelocatableObjectsGetNoRuntime) {
  for (const char *option : {"-shared",
                             "--shared",
                             "-r",
                             "-Wl,-r",
                             "-Wl,--relocatable",
                             "-Wl,-shared",
                             "-dynamiclib",
                             "-nostdlib",
                             "-nostartfiles"}) {
    EXPECT_FALSE(classify({option, "a.o"}).links) << option;
    EXPECT_TRUE(classify({option, "a.c"}).generatesCode) << option;
  }
  EXPECT_FALSE(classify({"-Xlinker", "-r", "a.o"}).links);
  EXPECT_TRUE(classify({"-Xlinker", "--gc-sections", "a.o"}).links);
}

TEST_F(CompilerArgs, OrdinaryLinkOptionsStillLink) {
  for (const char *option : {"-static",
                             "-static-pie",
                             "-flto",
                             "-flto=thin",
                             "-pie",
                             "-no-pie",
                             "-nodefaultlibs",
                             "-rdynamic",
                             "-Wl,-z,now",
                             "-v",
                             "-###",
                             "-save-temps",
                             "-pthread",
                             "-shared-libgcc",
                             "-fuse-ld=lld"})
    EXPECT_TRUE(classify({option, "a.o"}).links) << option;
  EXPECT_TRUE(classify({"-u", "-shared", "a.o"}).links);
}

TEST_F(CompilerArgs, ResponseFileIsReadButPassedOn) {
  files_["r"] = "-O2 -c 'a b.c'\n-o\ta.o\n";
  const Args args = {"@r"};
  EXPECT_EQ(command(args), joined(kCompileFront, args));
  files_["objects"] = "a.o b.o";
  EXPECT_EQ(command({"@objects"}), joined({"clang-14", "@objects"}, kLinkEnd));
}

TEST_F(CompilerArgs, ResponseFileMayEndBetweenOptionAndValue) {
  files_["r"] = "a.o -x";
  EXPECT_TRUE(classify({"@r", "c", "b"}).generatesCode);
}

TEST_F(CompilerArgs, NestedAndMissingResponseFiles) {
  files_["outer"] = "@inner -g";
  files_["inner"] = "-c a.c";
  files_["self"] = "@self a.c";
  EXPECT_TRUE(classify({"@outer"}).userDebug);
  EXPECT_TRUE(classify({"@outer"}).generatesCode);
  EXPECT_FALSE(classify({"@outer"}).links);
  EXPECT_TRUE(classify({"@self"}).generatesCode); // and it ends
  EXPECT_TRUE(has(command({"@nofile", "-c", "a.c"}), "@nofile"));
}

TEST_F(CompilerArgs, ResponseFileWithOurOptionsIsOpened) {
  files_["r"] = "-c a.c --perfidy-off";
  const WrapperRequest request = parseRequest({"-O1", "@r"}, reader());
  EXPECT_TRUE(request.off);
  EXPECT_EQ(request.args, (Args{"-O1", "-c", "a.c"}));
  files_["plain"] = "-c a.c";
  EXPECT_EQ(parseRequest({"@plain"}, reader()).args, Args{"@plain"});
}

TEST_F(CompilerArgs, RequestTakesOurFlags) {
  const WrapperRequest request =
      parseRequest({"--perfidy-clang=/x/clang", "-c", "a.c", "--perfidy-off"}, reader());
  EXPECT_EQ(request.clang, "/x/clang");
  EXPECT_TRUE(request.off);
  EXPECT_EQ(request.args, (Args{"-c", "a.c"}));
  EXPECT_FALSE(parseRequest({"a.c"}, reader()).off);
}

TEST_F(CompilerArgs, OffIsThePlainCompiler) {
  WrapperContext off = context();
  off.off = true;
  EXPECT_EQ(wrapperCommand(off, {"a.c", "-mllvm", "-perfidy-counters=atomic", "-mllvm", "-x"}),
            (Args{"clang-14", "a.c", "-mllvm", "-x"}));
}

TEST_F(CompilerArgs, PassOptionsNeedThePluginEarly) {
  const std::string early = "-fplugin=/p/PerfidyPass-14.so";
  EXPECT_TRUE(has(command({"-mllvm", "-perfidy-counters=atomic", "-c", "a.c"}), early));
  EXPECT_TRUE(has(command({"-mllvm=-perfidy-counters=atomic", "-c", "a.c"}), early));
  EXPECT_FALSE(has(command({"-mllvm", "-stats", "-c", "a.c"}), early));
}

TEST_F(CompilerArgs, PassOptionsDisappearWhereNoPluginIsLoaded) {
  const Args line = command({"-E", "-mllvm", "-perfidy-counters=atomic", "a.c"});
  EXPECT_FALSE(has(line, "-mllvm"));
  EXPECT_FALSE(has(line, "-perfidy-counters=atomic"));
  EXPECT_TRUE(has(command({"-E", "-mllvm", "-stats", "a.c"}), "-stats"));
}

TEST_F(CompilerArgs, EndOfOptionsIsRemovedBeforeAppending) {
  const Args args = {"-o", "a", "--", "a.c"};
  EXPECT_EQ(command(args), joined(joined(kCompileFront, {"-o", "a", "a.c"}), kLinkEnd));
  EXPECT_TRUE(has(command({"-c", "--", "a.c"}), "--"));
  EXPECT_FALSE(classify({"--", "-a.c"}).links);
}

TEST_F(CompilerArgs, NoSystemIncludesMeansOursToo) {
  EXPECT_FALSE(has(command({"-nostdinc", "-c", "a.c"}), "-idirafter"));
}

TEST_F(CompilerArgs, StandardIncludeDirectoryIsNotRepeated) {
  WrapperContext installed = context();
  installed.includeDir = "/usr/include";
  EXPECT_FALSE(has(wrapperCommand(installed, {"-c", "a.c"}), "-idirafter"));
}

TEST(WrapperName, LanguageAndVersion) {
  const std::vector<std::tuple<std::string, bool, int>> cases = {
      {"perfidy-clang", false, 14},
      {"/usr/bin/perfidy-clang++", true, 14},
      {"perfidy-clang-19", false, 19},
      {"./x-3/perfidy-clang++-19", true, 19},
      {"perfidy-clang++-next", true, 14},
      {"", false, 14},
  };
  for (const auto &[path, cxx, llvm] : cases) {
    const WrapperName name = parseWrapperName(path, 14);
    EXPECT_EQ(name.cxx, cxx) << path;
    EXPECT_EQ(name.llvm, llvm) << path;
  }
}

TEST(ResponseFile, SplitsLikeClang) {
  EXPECT_EQ(splitResponseFile("a 'b c' \"d e\" f\\ g\n\th"), (Args{"a", "b c", "d e", "f g", "h"}));
  EXPECT_EQ(splitResponseFile("-DX='a\\'b' -DY=\"q\\\\z\""), (Args{"-DX=a'b", "-DY=q\\z"}));
  EXPECT_EQ(splitResponseFile(" '' \n"), Args{});
  EXPECT_EQ(splitResponseFile("open 'quote x"), (Args{"open", "quote x"}));
}

TEST(ClangVersion, Major) {
  EXPECT_EQ(clangMajor("Debian clang version 14.0.6\nTarget: x"), 14);
  EXPECT_EQ(clangMajor("clang version 19.1.7 (3~deb12u1)"), 19);
  EXPECT_EQ(clangMajor("clang version 22\n"), 22);
  EXPECT_EQ(clangMajor("gcc (Debian 12.2.0-14) 12.2.0"), std::nullopt);
  EXPECT_EQ(clangMajor("clang version x"), std::nullopt);
  EXPECT_EQ(clangMajor(""), std::nullopt);
}

} // namespace
} // namespace perfidy
