// Traces as bytes, written here independently of runtime/trace_writer.c: what the reader's tests
// and fixtures are made of.
#pragma once

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace perfidy::sample {

/// The fields of one record.
class Payload {
public:
  Payload &number(uint64_t value) {
    for (; value > 0x7f; value >>= 7)
      bytes.push_back(static_cast<char>(0x80 | (value & 0x7f)));
    bytes.push_back(static_cast<char>(value));
    return *this;
  }
  Payload &numbers(const std::vector<uint64_t> &values) {
    for (uint64_t value : values)
      number(value);
    return *this;
  }
  Payload &text(const std::string &value) {
    number(value.size());
    bytes += value;
    return *this;
  }
  template <typename T> Payload &raw(T value) {
    bytes.append(reinterpret_cast<const char *>(&value), sizeof value);
    return *this;
  }

  std::string bytes;
};

/// A record with its frame.
inline std::string framed(uint64_t type, const std::string &payload) {
  Payload out;
  out.number(type).number(payload.size());
  out.bytes += payload;
  return out.raw(XXH32(payload.data(), payload.size(), static_cast<uint32_t>(type))).bytes;
}

/// Magic and version.
inline std::string traceHeader(uint32_t version = 1) {
  Payload out;
  out.bytes = "perfidy\n";
  return out.raw(version).bytes;
}

/// Header, build record and region table of the given function payloads.
inline std::string traceTable(const std::vector<std::string> &functions) {
  std::string table;
  for (const std::string &function : functions)
    table += framed(2, function);
  Payload build;
  build.raw<uint64_t>(XXH3_64bits(table.data(), table.size())).number(functions.size());
  return traceHeader() + framed(1, build.bytes) + table;
}

/// A function without loops and calls whose blocks are all alike.
inline std::string
plainFunction(const std::string &name, const std::string &file, unsigned blocks, unsigned flags) {
  Payload out;
  out.number(flags).text(name).text(file).text("/src").numbers({1, 9, 0, blocks});
  for (unsigned i = 0; i < blocks; ++i)
    out.numbers({i + 1, i + 1, 0, 4, 1, 0});
  return out.numbers({0, 0}).bytes;
}

/// A run of nothing but counts: pairs of (index delta, count) for blocks.
inline std::string plainRun(uint64_t hash,
                            const std::vector<std::pair<uint64_t, uint64_t>> &pairs) {
  Payload out;
  out.raw<uint64_t>(hash).numbers({16, 16, 0, 400, 0, 0, 0, pairs.size()});
  for (const auto &[delta, count] : pairs)
    out.number(delta).number(count);
  return framed(3, out.number(0).bytes);
}

} // namespace perfidy::sample
