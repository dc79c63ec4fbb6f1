#include "tools/input_files.h"

#include "runtime/trace.h"
#include "temporary_directory.h"

#include <functional>
#include <gtest/gtest.h>
#include <unistd.h>

namespace perfidy {
namespace {

namespace fs = std::filesystem;

using Paths = std::vector<std::string>;

class InputFilesTest : public testing::Test {
protected:
  sample::TemporaryDirectory directory;
};

std::string errorOf(const std::function<void()> &action) {
  try {
    action();
  } catch (const Error &error) {
    return error.what();
  }
  return "no error";
}

TEST_F(InputFilesTest, DirectoriesAreExpandedSorted) {
  const std::string b = directory.write("corpus/b", "1"), a = directory.write("corpus/a", "2");
  const std::string deep = directory.write("corpus/deep/c", "3");
  fs::create_directory(directory.path("corpus/empty"));
  const InputFiles files = listInputs({directory.path("corpus")});
  EXPECT_EQ(files.paths, (Paths{a, b, deep}));
  EXPECT_TRUE(files.problems.empty());
}

TEST_F(InputFilesTest, ArgumentsKeepTheirOrder) {
  const std::string z = directory.write("z", "1"), a = directory.write("a", "2");
  const std::string inside = directory.write("corpus/b", "3");
  EXPECT_EQ(listInputs({z, directory.path("corpus"), a}).paths, (Paths{z, inside, a}));
  EXPECT_TRUE(listInputs({}).paths.empty());
}

TEST_F(InputFilesTest, LinksToFilesAreInputsAndDanglingOnesAreNot) {
  const std::string file = directory.write("corpus/file", "1");
  fs::create_symlink(file, directory.path("corpus/link"));
  fs::create_symlink(directory.path("nowhere"), directory.path("corpus/dangling"));
  EXPECT_EQ(listInputs({directory.path("corpus")}).paths,
            (Paths{file, directory.path("corpus/link")}));
}

TEST_F(InputFilesTest, MissingArgumentsAreErrors) {
  const std::string missing = directory.path("missing");
  EXPECT_EQ(errorOf([&] { listInputs({missing}); }), missing + ": no such file or directory.");
}

TEST_F(InputFilesTest, UnreadableFilesAreSkippedAndSaid) {
  if (geteuid() == 0)
    GTEST_SKIP() << "root may read everything";
  const std::string good = directory.write("corpus/a", "1");
  const std::string secret = directory.write("corpus/b", "2");
  fs::permissions(secret, fs::perms::none);
  const InputFiles files = listInputs({directory.path("corpus")});
  EXPECT_EQ(files.paths, Paths{good});
  ASSERT_EQ(files.problems.size(), 1u);
  EXPECT_EQ(files.problems[0].find(secret), 0u);
}

TEST_F(InputFilesTest, UnreadableDirectoriesAreSaid) {
  if (geteuid() == 0)
    GTEST_SKIP() << "root may read everything";
  directory.write("corpus/a", "1");
  fs::permissions(directory.path("corpus"), fs::perms::none);
  const InputFiles files = listInputs({directory.path("corpus")});
  fs::permissions(directory.path("corpus"), fs::perms::owner_all);
  EXPECT_TRUE(files.paths.empty());
  ASSERT_EQ(files.problems.size(), 1u);
  EXPECT_EQ(files.problems[0].find(directory.path("corpus")), 0u);
}

TEST_F(InputFilesTest, BytesComeBackAsWritten) {
  const std::string bytes("a\r\n\0\xff", 5), path = directory.path("file");
  writeBytes(path, bytes);
  EXPECT_EQ(readBytes(path), bytes);
  writeBytes(path, "shorter");
  EXPECT_EQ(readBytes(path), "shorter") << "replaced, not overwritten in part";
  writeBytes(path, "");
  EXPECT_EQ(readBytes(path), "");
  EXPECT_EQ(listInputs({directory.path()}).paths, Paths{path}) << "no temporary file is left";
}

TEST_F(InputFilesTest, ReadingWhatIsNotThereIsAnError) {
  const std::string missing = directory.path("missing");
  EXPECT_EQ(errorOf([&] { readBytes(missing); }).find(missing + ": cannot be read"), 0u);
}

TEST_F(InputFilesTest, ReadingADirectoryIsAnError) {
  EXPECT_NE(errorOf([&] { readBytes(directory.path()); }), "no error");
}

TEST_F(InputFilesTest, WritingWhereNothingCanBeIsAnErrorThatLeavesNothing) {
  const std::string path = directory.path("missing/file");
  EXPECT_EQ(errorOf([&] { writeBytes(path, "x"); }).find(path + ": cannot be written"), 0u);
  fs::create_directory(directory.path("folder"));
  EXPECT_NE(errorOf([&] { writeBytes(directory.path("folder"), "x"); }), "no error");
  EXPECT_TRUE(listInputs({directory.path()}).paths.empty());
}

TEST_F(InputFilesTest, DirectoriesAreMadeWithTheirParents) {
  makeDirectory(directory.path("a/b/c"));
  makeDirectory(directory.path("a/b/c"));
  EXPECT_TRUE(fs::is_directory(directory.path("a/b/c")));
  directory.write("file", "x");
  EXPECT_EQ(errorOf([&] {
              makeDirectory(directory.path("file/sub"));
            }).find(directory.path("file/sub") + ": cannot be created"),
            0u);
}

} // namespace
} // namespace perfidy
