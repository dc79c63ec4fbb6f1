#include "runtime/trace_labels.h"
#include "runtime/trace.h"
#include "runtime/trace_writer.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>

namespace perfidy {
namespace {

void putVarint(std::string &out, uint64_t value) {
  do {
    out.push_back(static_cast<char>((value & 0x7f) | (value > 0x7f ? 0x80 : 0)));
    value >>= 7;
  } while (value);
}

void putString(std::string &out, const std::string &text) {
  putVarint(out, text.size());
  out += text;
}

} // namespace

void appendLabels(const std::string &path, const std::vector<Label> &labels) {
  std::string out;
  for (const Label &label : labels) {
    std::string payload;
    putVarint(payload, label.run);
    putString(payload, label.key);
    putString(payload, label.value);
    uint32_t checksum = XXH32(payload.data(), payload.size(), PERFIDY_RECORD_LABEL);
    putVarint(out, PERFIDY_RECORD_LABEL);
    putVarint(out, payload.size());
    out += payload;
    out.append(reinterpret_cast<const char *>(&checksum), sizeof checksum);
  }
  // Behind a cut-off record nothing could be found.
  std::error_code error;
  if (size_t whole = traceExtent(path).bytes; whole < std::filesystem::file_size(path, error))
    std::filesystem::resize_file(path, whole, error);
  std::ofstream file(path, std::ios::binary | std::ios::app);
  file.write(out.data(), static_cast<std::streamsize>(out.size()));
  file.close();
  if (!file)
    throw Error(fmt::format(
        "{}: cannot append labels: {}. Check rights and free space.", path, std::strerror(errno)));
}

} // namespace perfidy
