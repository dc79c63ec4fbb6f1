// libFuzzer target of the trace reader: any bytes are a trace or a clear Error, never a crash, and
// what was read can be dumped in every format.
//
// Each input is read twice: as it is, and with the checksums put right, since a fuzzer cannot guess
// them and would never get past the first record.
#include "runtime/trace.h"
#include "tools/dump.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <cstring>
#include <sstream>

namespace {

constexpr size_t kHeader = 12;

// Reads a number at `at`; false when it is cut off.
bool number(const std::string &bytes, size_t &at, uint64_t &value) {
  value = 0;
  for (unsigned shift = 0; at < bytes.size() && shift < 64; shift += 7) {
    auto byte = static_cast<unsigned char>(bytes[at++]);
    value |= uint64_t(byte & 0x7f) << shift;
    if (byte < 0x80)
      return true;
  }
  return false;
}

void repairChecksums(std::string &bytes) {
  size_t at = kHeader;
  uint64_t type = 0, length = 0;
  while (number(bytes, at, type) && number(bytes, at, length) && bytes.size() - at >= 4 &&
         length <= bytes.size() - at - 4) {
    uint32_t checksum = XXH32(bytes.data() + at, length, static_cast<uint32_t>(type));
    std::memcpy(bytes.data() + at + length, &checksum, sizeof checksum);
    at += length + sizeof checksum;
  }
}

void readAndDump(const std::string &bytes) {
  try {
    perfidy::Trace trace = perfidy::readTraceBytes(bytes, "input");
    for (auto format :
         {perfidy::DumpFormat::Text, perfidy::DumpFormat::Csv, perfidy::DumpFormat::Json}) {
      std::ostringstream out;
      perfidy::dumpTrace(trace, format, out);
    }
  } catch (const perfidy::Error &) {
    // A clear refusal is a good answer.
  }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  std::string bytes(reinterpret_cast<const char *>(data), size);
  readAndDump(bytes);
  repairChecksums(bytes);
  readAndDump(bytes);
  return 0;
}
