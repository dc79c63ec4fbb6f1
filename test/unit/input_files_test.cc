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

// A zip archive of stored entries, written byte by byte.
std::string zipOf(const std::vector<std::pair<std::string, std::string>> &entries) {
  auto number = [](uint64_t value, int bytes) {
    std::string text;
    for (int i = 0; i < bytes; ++i)
      text += static_cast<char>(value >> (8 * i) & 0xff);
    return text;
  };
  auto crc = [](const std::string &text) {
    uint32_t sum = ~0u;
    for (unsigned char c : text) {
      sum ^= c;
      for (int bit = 0; bit < 8; ++bit)
        sum = (sum >> 1) ^ (sum & 1 ? 0xedb88320u : 0);
    }
    return ~sum;
  };
  std::string archive, directory;
  for (const auto &[name, bytes] : entries) {
    const std::string common = number(0, 8) + number(crc(bytes), 4) + number(bytes.size(), 4) +
                               number(bytes.size(), 4) + number(name.size(), 2) + number(0, 2);
    directory += number(0x02014b50, 4) + number(20, 2) + number(20, 2) + common + number(0, 10) +
                 number(archive.size(), 4) + name;
    archive += number(0x04034b50, 4) + number(20, 2) + common + name + bytes;
  }
  const size_t at = archive.size();
  return archive + directory + number(0x06054b50, 4) + number(0, 4) + number(entries.size(), 2) +
         number(entries.size(), 2) + number(directory.size(), 4) + number(at, 4) + number(0, 2);
}

TEST_F(InputFilesTest, SeedCorpusArchivesAreUnpacked) {
  const std::string zip =
      directory.write("t_seed_corpus.zip", zipOf({{"a", "one"}, {"../../evil", "two"}}));
  std::string unpacked;
  {
    const InputFiles files = listInputs({zip});
    EXPECT_TRUE(files.problems.empty()) << files.problems.front();
    ASSERT_EQ(files.paths.size(), 2u);
    EXPECT_EQ(readBytes(files.paths[0]), "one");
    EXPECT_EQ(readBytes(files.paths[1]), "two");
    EXPECT_EQ(files.nameOf(files.paths[1]), zip + ":../../evil");
    EXPECT_FALSE(files.asIs);
    unpacked = files.paths[1];
    EXPECT_EQ(unpacked.rfind(files.unpacked->path(), 0), 0u) << "entries cannot leave the folder";
  }
  EXPECT_FALSE(fs::exists(unpacked)) << "unpacked files go away with the list";
}

TEST_F(InputFilesTest, OtherArchivesAreInputs) {
  const std::string zip = directory.write("in/sample.zip", zipOf({{"a", "one"}}));
  EXPECT_EQ(listInputs({directory.path("in")}).paths, Paths{zip});
  EXPECT_EQ(listInputs({zip}).paths, Paths{zip});
}

TEST_F(InputFilesTest, DamagedArchivesAreNamed) {
  const std::string zip = directory.write("corpus.zip", "no archive");
  EXPECT_NE(errorOf([&] { listInputs({zip}); }).find("corpus.zip: is not a readable zip archive"),
            std::string::npos);
}

TEST_F(InputFilesTest, AflDirectoriesGiveTheirInputsOnly) {
  const std::string queued = directory.write("afl/main/queue/id:000000,orig:a", "1");
  const std::string hang = directory.write("afl/main/hangs/id:000000,src:0", "2");
  const std::string crash = directory.write("afl/main/crashes/id:000000,sig:06", "3");
  directory.write("afl/main/crashes/README.txt", "text");
  directory.write("afl/main/queue/.state/deterministic_done/id:000000,orig:a", "");
  directory.write("afl/main/fuzzer_stats", "text");
  directory.write("afl/main/plot_data", "text");
  directory.write("afl/main/.cur_input", "text");
  const Paths all = {crash, hang, queued};
  for (const char *place : {"afl", "afl/main"}) {
    const InputFiles files = listInputs({directory.path(place)});
    EXPECT_EQ(files.paths, all);
    EXPECT_FALSE(files.asIs);
  }
  EXPECT_EQ(listInputs({directory.path("afl/main/hangs")}).paths, Paths{hang});
}

TEST_F(InputFilesTest, DictionariesAndOptionsAreNoInputs) {
  const std::string dict = directory.write("a.dict", "\"x\""),
                    options = directory.write("a.options", "");
  const std::string input = directory.write("slow-unit-1", "x");
  const InputFiles files = listInputs({dict, options, input});
  EXPECT_EQ(files.paths, Paths{input});
  EXPECT_EQ(files.dictionaries, Paths{dict});
  EXPECT_EQ(files.options, Paths{options});
}

} // namespace
} // namespace perfidy
