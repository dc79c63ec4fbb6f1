#include "tools/zip_archive.h"
#include "runtime/trace.h"

#include <fmt/format.h>
#include <memory>
#include <zip.h>

namespace perfidy {
namespace {

constexpr zip_uint64_t kLargestEntry = 64u << 20, kMostBytes = 1u << 30;

struct CloseArchive {
  void operator()(zip_t *archive) const { zip_discard(archive); }
};
struct CloseEntry {
  void operator()(zip_file_t *entry) const { zip_fclose(entry); }
};

// The entry's bytes; false when it cannot be read whole.
bool readEntry(zip_t *archive, zip_uint64_t index, zip_uint64_t size, std::string &bytes) {
  std::unique_ptr<zip_file_t, CloseEntry> entry(zip_fopen_index(archive, index, 0));
  if (!entry)
    return false;
  bytes.resize(size);
  size_t got = 0;
  while (got < bytes.size()) {
    const zip_int64_t count = zip_fread(entry.get(), bytes.data() + got, bytes.size() - got);
    if (count <= 0)
      return false;
    got += static_cast<size_t>(count);
  }
  return true;
}

} // namespace

std::string
readZip(const std::string &path,
        const std::function<void(const std::string &name, std::string bytes)> &onEntry) {
  int error = 0;
  std::unique_ptr<zip_t, CloseArchive> archive(zip_open(path.c_str(), ZIP_RDONLY, &error));
  if (!archive) {
    zip_error_t reason;
    zip_error_init_with_code(&reason, error);
    const std::string text = zip_error_strerror(&reason);
    zip_error_fini(&reason);
    throw Error(fmt::format("{}: is not a readable zip archive: {}.", path, text));
  }
  const zip_int64_t count = zip_get_num_entries(archive.get(), 0);
  zip_uint64_t total = 0;
  size_t unread = 0;
  for (zip_int64_t i = 0; i < count; ++i) {
    const auto index = static_cast<zip_uint64_t>(i);
    zip_stat_t status;
    if (zip_stat_index(archive.get(), index, 0, &status) != 0 || !(status.valid & ZIP_STAT_NAME) ||
        !(status.valid & ZIP_STAT_SIZE)) {
      ++unread;
      continue;
    }
    const std::string name = status.name;
    if (!name.empty() && name.back() == '/')
      continue; // a directory
    std::string bytes;
    if (status.size > kLargestEntry || total + status.size > kMostBytes ||
        !readEntry(archive.get(), index, status.size, bytes)) {
      ++unread;
      continue;
    }
    total += status.size;
    onEntry(name, std::move(bytes));
  }
  return unread ? fmt::format("{}: {} of {} entries could not be read (damaged, encrypted or too "
                              "large); the others are used",
                              path,
                              unread,
                              count)
                : "";
}

} // namespace perfidy
