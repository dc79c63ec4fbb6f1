#include "tools/source_excerpt.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <string_view>

namespace perfidy {
namespace {

namespace fs = std::filesystem;

constexpr uint32_t kLinesBefore = 4, kLinesAfter = 3;
constexpr uint32_t kMaxRegionLines = 18;
constexpr size_t kMaxLineBytes = 400; ///< minified or generated lines
constexpr uintmax_t kMaxFileBytes = 16u << 20u;

bool isSource(const fs::path &path) {
  constexpr std::array<std::string_view, 17> kSuffixes = {".c",
                                                          ".cc",
                                                          ".cpp",
                                                          ".cxx",
                                                          ".c++",
                                                          ".h",
                                                          ".hh",
                                                          ".hpp",
                                                          ".hxx",
                                                          ".h++",
                                                          ".inc",
                                                          ".inl",
                                                          ".ipp",
                                                          ".def",
                                                          ".re",
                                                          ".y",
                                                          ".l"};
  const std::string suffix = path.extension().string();
  return std::find(kSuffixes.begin(), kSuffixes.end(), suffix) != kSuffixes.end();
}

bool isReadable(const fs::path &path) {
  std::error_code error;
  // Judged after links are resolved: a link named x.c may lead anywhere.
  const fs::path real = fs::canonical(path, error);
  return !error && isSource(real) && fs::is_regular_file(real, error) && !error &&
         fs::file_size(real, error) <= kMaxFileBytes && !error;
}

std::string trimmed(std::string line) {
  if (!line.empty() && line.back() == '\r')
    line.pop_back();
  if (line.size() > kMaxLineBytes)
    line.resize(kMaxLineBytes);
  return line;
}

} // namespace

std::optional<SourceExcerpt> readExcerpt(const RegionFinding &region) {
  const fs::path file(region.file);
  const fs::path path = file.is_absolute() ? file : fs::path(region.directory) / file;
  if (region.line == 0 || region.file.empty() || !isReadable(path))
    return std::nullopt;
  SourceExcerpt out;
  out.guiltyFrom = region.line;
  out.guiltyTo = std::max(region.line, region.endLine);
  const uint32_t shownTo = std::min(out.guiltyTo, region.line + kMaxRegionLines - 1);
  out.cut = shownTo < out.guiltyTo;
  out.firstLine = region.line > kLinesBefore ? region.line - kLinesBefore : 1;
  const uint32_t last = shownTo + (out.cut ? 0 : kLinesAfter);
  std::ifstream in(path, std::ios::binary);
  std::string line;
  for (uint32_t number = 1; number <= last && std::getline(in, line); ++number) {
    if (number >= out.firstLine)
      out.lines.push_back(trimmed(line));
  }
  // A file shorter than the region is not the one that was compiled.
  if (out.firstLine + out.lines.size() <= shownTo)
    return std::nullopt;
  return out;
}

} // namespace perfidy
