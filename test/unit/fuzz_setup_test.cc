#include "tools/fuzz_setup.h"

#include "runtime/trace.h"
#include "temporary_directory.h"

#include <gtest/gtest.h>

namespace perfidy {
namespace {

using Texts = std::vector<std::string>;

class FuzzSetupTest : public testing::Test {
protected:
  sample::TemporaryDirectory directory;
};

TEST_F(FuzzSetupTest, CompanionsAreTheFilesBesideTheTarget) {
  const std::string target = directory.write("t", "");
  EXPECT_TRUE(companionFiles(target).empty());
  const std::string dict = directory.write("t.dict", ""),
                    zip = directory.write("t_seed_corpus.zip", "");
  directory.write("other.options", "");
  EXPECT_EQ(companionFiles(target), (Texts{dict, zip}));
}

TEST_F(FuzzSetupTest, OptionsBecomeFlags) {
  directory.write("more.dict", "\"two\"\n");
  const std::string dict = directory.write("one.dict", "\"one\"\n");
  const std::string options = directory.write("t.options",
                                              "[asan]\ndetect_leaks=1\n[libfuzzer]\n# text\n"
                                              "max_len = 300\nonly_ascii = 1\nruns=5\n"
                                              "timeout = \"25\"\ndict = more.dict\n");
  const EngineSetup setup =
      engineSetup(listInputs({dict, options}), {"-timeout=3"}, directory.path("joined"));
  EXPECT_EQ(setup.maxLength, 300u);
  EXPECT_EQ(setup.flags, (Texts{"-only_ascii=1", "-dict=" + directory.path("joined")}));
  EXPECT_EQ(readBytes(directory.path("joined")), "\"two\"\n\n\"one\"\n\n");
}

TEST_F(FuzzSetupTest, DictionaryOnTheCommandLineStands) {
  const std::string dict = directory.write("one.dict", "\"one\"\n");
  EXPECT_TRUE(engineSetup(listInputs({dict}), {"-dict=x"}, directory.path("j")).flags.empty());
}

TEST_F(FuzzSetupTest, MissingDictionaryIsAnError) {
  const std::string options = directory.write("t.options", "[libfuzzer]\ndict = none.dict\n");
  EXPECT_THROW(engineSetup(listInputs({options}), {}, directory.path("j")), Error);
}

TEST_F(FuzzSetupTest, PlainCorporaStayTheRestIsCopied) {
  directory.write("plain/a", "1");
  directory.write("afl/queue/id:0", "2");
  directory.write("afl/hangs/id:0", "3");
  directory.write("afl/fuzzer_stats", "text");
  const std::string single = directory.write("slow-unit-9", "4");
  const std::string corpus = directory.path("corpus");
  EXPECT_EQ(seedDirectories({directory.path("plain"), directory.path("afl"), single}, corpus),
            Texts{directory.path("plain")});
  EXPECT_EQ(readBytes(corpus + "/queue_id:0"), "2");
  EXPECT_EQ(readBytes(corpus + "/hangs_id:0"), "3");
  EXPECT_EQ(readBytes(corpus + "/slow-unit-9"), "4");
  EXPECT_EQ(listInputs({corpus}).paths.size(), 3u);
}

} // namespace
} // namespace perfidy
