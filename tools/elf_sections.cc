#include "tools/elf_sections.h"

#include "runtime/trace.h"

#include <cstdint>
#include <cstring>
#include <elf.h>
#include <fstream>

namespace perfidy {
namespace {

/// More sections or longer name tables than this only occur in broken files, and a broken file must
/// not make us allocate what its header claims.
constexpr uint64_t kMaxSections = 1u << 20;
constexpr uint64_t kMaxNameBytes = 1u << 28;

/// Reads pieces of one file; every failure names the file.
class ElfFile {
public:
  explicit ElfFile(const std::string &path) : path_(path), in_(path, std::ios::binary) {
    if (!in_)
      throw Error(path + ": cannot be opened");
  }

  [[noreturn]] void fail(const std::string &what) const { throw Error(path_ + ": " + what); }

  /// `size` bytes from `offset`, or the error that the file is cut off.
  void read(uint64_t offset, void *to, uint64_t size) {
    in_.seekg(static_cast<std::streamoff>(offset));
    in_.read(static_cast<char *>(to), static_cast<std::streamsize>(size));
    if (!in_)
      fail("damaged ELF file (ends before offset " + std::to_string(offset + size) + ")");
  }

  Elf64_Ehdr header() {
    Elf64_Ehdr header{};
    in_.read(reinterpret_cast<char *>(&header), sizeof header);
    if (!in_ || std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0)
      fail("not an ELF file; give a program or shared library built with perfidy-clang");
    if (header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_ident[EI_DATA] != ELFDATA2LSB)
      fail("not a 64-bit little-endian ELF file; other machines are not supported");
    if (header.e_shoff != 0 && header.e_shentsize != sizeof(Elf64_Shdr))
      fail("damaged ELF file (unknown size of section headers)");
    return header;
  }

private:
  std::string path_;
  std::ifstream in_;
};

} // namespace

std::vector<std::string> elfSectionNames(const std::string &path) {
  ElfFile file(path);
  const Elf64_Ehdr header = file.header();
  if (header.e_shoff == 0)
    return {};
  // Numbers that do not fit into the header's 16 bits are in the null section.
  Elf64_Shdr null{};
  file.read(header.e_shoff, &null, sizeof null);
  const uint64_t count = header.e_shnum != 0 ? header.e_shnum : null.sh_size;
  const uint64_t nameIndex = header.e_shstrndx != SHN_XINDEX ? header.e_shstrndx : null.sh_link;
  if (count > kMaxSections || nameIndex >= count)
    file.fail("damaged ELF file (impossible number of sections)");

  std::vector<Elf64_Shdr> sections(count);
  file.read(header.e_shoff, sections.data(), count * sizeof(Elf64_Shdr));
  const Elf64_Shdr &names = sections[nameIndex];
  if (names.sh_type == SHT_NOBITS || names.sh_size > kMaxNameBytes)
    file.fail("damaged ELF file (impossible table of section names)");
  std::string text(names.sh_size, '\0');
  file.read(names.sh_offset, text.data(), text.size());

  std::vector<std::string> result;
  for (const Elf64_Shdr &section : sections) {
    if (section.sh_name > text.size())
      file.fail("damaged ELF file (section name outside its table)");
    result.emplace_back(text.c_str() + section.sh_name); // c_str() ends the last name at the latest
  }
  return result;
}

} // namespace perfidy
