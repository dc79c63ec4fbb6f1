// The building stones of the trace format (FORMAT.md), read from a byte range. Part of the reader;
// nobody else includes it.
#pragma once

#include "runtime/trace.h"

#include <cstring>
#include <fmt/format.h>

namespace perfidy {

/// Reads fixed-size values, numbers and strings; every error names file and offset.
class Cursor {
public:
  Cursor(const std::string &path, const std::string &bytes, size_t begin, size_t end)
      : path(path), bytes(bytes), at(begin), end(end) {}

  size_t offset() const { return at; }
  bool done() const { return at >= end; }
  size_t left() const { return end - at; }

  [[noreturn]] void fail(const std::string &what) const {
    throw Error(fmt::format("{}: corrupt trace at byte {}: {}. Record it again; the part before is "
                            "readable with a copy cut at that byte.",
                            path,
                            at,
                            what));
  }

  /// False when fewer than `number` varints end before the range does.
  bool holdsVarints(size_t number) const {
    size_t ends = 0;
    for (size_t i = at; i < end && i < at + 10 * number && ends < number; ++i)
      ends += static_cast<unsigned char>(bytes[i]) < 0x80;
    return ends == number || left() >= 10 * number;
  }

  uint64_t varint() {
    uint64_t value = 0;
    for (unsigned shift = 0; shift < 70; shift += 7) {
      if (at >= end)
        fail("a number is cut off");
      auto byte = static_cast<unsigned char>(bytes[at++]);
      if (shift == 63 && byte > 1)
        break;
      value |= uint64_t(byte & 0x7f) << shift;
      if (byte < 0x80)
        return value;
    }
    fail("a number has more than 64 bits");
  }

  uint32_t number() {
    uint64_t value = varint();
    if (value > 0xffffffffu)
      fail("a number is too large");
    return static_cast<uint32_t>(value);
  }

  /// A count of items of at least one byte each: bounds allocations by what is there.
  uint32_t count() {
    uint64_t value = varint();
    if (value > left())
      fail("a list is longer than its record");
    return static_cast<uint32_t>(value);
  }

  uint32_t optionalIndex() { return number() - 1; }

  std::string string() {
    uint64_t length = varint();
    if (length > left())
      fail("a string is longer than its record");
    std::string text = bytes.substr(at, length);
    at += length;
    return text;
  }

  template <typename T> T raw() {
    T value;
    if (left() < sizeof value)
      fail("a fixed-size field is cut off");
    std::memcpy(&value, bytes.data() + at, sizeof value);
    at += sizeof value;
    return value;
  }

private:
  const std::string &path;
  const std::string &bytes;
  size_t at, end;
};

} // namespace perfidy
