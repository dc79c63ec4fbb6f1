#include "runtime/trace_labels.h"
#include "runtime/trace.h"
#include "runtime/trace_encode.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>

namespace perfidy {
void appendLabels(const std::string &path, const std::vector<Label> &labels) {
  std::string out;
  for (const Label &label : labels) {
    std::string payload;
    putVarint(payload, label.run);
    putString(payload, label.key);
    putString(payload, label.value);
    putRecord(out, PERFIDY_RECORD_LABEL, payload);
  }
  if (std::ifstream file(path, std::ios::binary); file.get() == 0x1f)
    throw Error(
        fmt::format("{}: is compressed, and labels cannot be appended. Unpack it first: gunzip {}",
                    path,
                    path));
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
