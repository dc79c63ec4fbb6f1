#include "tools/elf_sections.h"

#include "runtime/trace.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <elf.h>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>

namespace perfidy {
namespace {

// A section with a name of our kind, to be found in this very program.
[[gnu::used, gnu::section("perfidy_marker")]] int marker = 1;

constexpr const char *kSelf = "/proc/self/exe";

bool has(const std::vector<std::string> &names, const std::string &name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::string selfBytes() {
  std::ifstream in(kSelf, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

/// A file that is gone after the test.
class ElfSections : public testing::Test {
protected:
  void SetUp() override {
    std::string pattern = testing::TempDir() + "perfidy-elf-XXXXXX";
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    directory_ = pattern;
  }
  void TearDown() override { std::filesystem::remove_all(directory_); }

  std::string write(const std::string &bytes) {
    const std::filesystem::path path = directory_ / "file";
    std::ofstream(path, std::ios::binary) << bytes;
    return path.string();
  }

  /// The program's bytes with a changed ELF header.
  template <typename Change> std::string changed(Change change) {
    std::string bytes = selfBytes();
    Elf64_Ehdr header;
    std::memcpy(&header, bytes.data(), sizeof header);
    change(header);
    std::memcpy(bytes.data(), &header, sizeof header);
    return write(bytes);
  }

  /// Message of the error that reading the file must throw.
  static std::string messageOf(const std::string &path) {
    try {
      elfSectionNames(path);
    } catch (const Error &error) {
      return error.what();
    }
    return "no error";
  }

  std::filesystem::path directory_;
};

TEST_F(ElfSections, NamesOfThisProgram) {
  const std::vector<std::string> names = elfSectionNames(kSelf);
  ASSERT_FALSE(names.empty());
  EXPECT_EQ(names.front(), "");
  EXPECT_TRUE(has(names, ".text"));
  EXPECT_TRUE(has(names, "perfidy_marker"));
  EXPECT_FALSE(has(names, "perfidy_mark"));
}

TEST_F(ElfSections, FileWithoutSections) {
  const std::string path = changed([](Elf64_Ehdr &header) { header.e_shoff = 0; });
  EXPECT_TRUE(elfSectionNames(path).empty());
}

TEST_F(ElfSections, NumbersTooLargeForTheHeaderAreInTheNullSection) {
  std::string bytes = selfBytes();
  Elf64_Ehdr header;
  std::memcpy(&header, bytes.data(), sizeof header);
  Elf64_Shdr null{};
  null.sh_size = header.e_shnum;
  null.sh_link = header.e_shstrndx;
  std::memcpy(bytes.data() + header.e_shoff, &null, sizeof null);
  header.e_shnum = 0;
  header.e_shstrndx = SHN_XINDEX;
  std::memcpy(bytes.data(), &header, sizeof header);
  EXPECT_EQ(elfSectionNames(write(bytes)), elfSectionNames(kSelf));
}

TEST_F(ElfSections, ErrorsNameTheFileAndWhatIsWrong) {
  EXPECT_NE(messageOf("/no/such/file").find("/no/such/file: cannot be opened"), std::string::npos);
  for (const char *text : {"", "ELF", "#!/bin/sh\nexec x\n", "\177ELF"}) {
    const std::string path = write(text);
    EXPECT_EQ(messageOf(path).find(path + ": not an ELF file"), 0u) << text;
  }
  EXPECT_NE(messageOf(std::filesystem::temp_directory_path().string()), "no error");
}

TEST_F(ElfSections, OtherMachines) {
  const std::string narrow = changed([](Elf64_Ehdr &h) { h.e_ident[EI_CLASS] = ELFCLASS32; });
  EXPECT_NE(messageOf(narrow).find("64-bit"), std::string::npos);
  const std::string big = changed([](Elf64_Ehdr &h) { h.e_ident[EI_DATA] = ELFDATA2MSB; });
  EXPECT_NE(messageOf(big).find("little-endian"), std::string::npos);
}

TEST_F(ElfSections, DamagedHeaders) {
  const auto damaged = [this](auto change) {
    return messageOf(changed(change)).find("damaged ELF file") != std::string::npos;
  };
  EXPECT_TRUE(damaged([](Elf64_Ehdr &h) { h.e_shoff = uint64_t{1} << 62; }));
  EXPECT_TRUE(damaged([](Elf64_Ehdr &h) { h.e_shoff = ~uint64_t{0}; }));
  EXPECT_TRUE(damaged([](Elf64_Ehdr &h) { h.e_shentsize = 3; }));
  EXPECT_TRUE(damaged([](Elf64_Ehdr &h) { h.e_shstrndx = h.e_shnum; }));
  EXPECT_TRUE(damaged([](Elf64_Ehdr &h) { h.e_shnum = 60000; }));
  EXPECT_TRUE(damaged([](Elf64_Ehdr &h) { h.e_shstrndx = 1; })); // some other section's bytes
}

TEST_F(ElfSections, EveryCutOffFileIsAnErrorOrReadable) {
  const std::string bytes = selfBytes();
  for (size_t part = 0; part < 64; ++part) {
    const std::string path = write(bytes.substr(0, bytes.size() * part / 64));
    EXPECT_NE(messageOf(path), "no error") << part; // the section headers are at the end
  }
}

} // namespace
} // namespace perfidy
