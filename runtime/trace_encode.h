// The building stones of the trace format (FORMAT.md), written by hosted code. Part of the writers
// trace_labels.cc and series.cc; nobody else includes it.
#pragma once

#include "runtime/trace_writer.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <string>

namespace perfidy {

inline void putVarint(std::string &out, uint64_t value) {
  do {
    out.push_back(static_cast<char>((value & 0x7f) | (value > 0x7f ? 0x80 : 0)));
    value >>= 7;
  } while (value);
}

inline void putString(std::string &out, const std::string &text) {
  putVarint(out, text.size());
  out += text;
}

/// A value of fixed size, little-endian as the machine.
template <typename T> void putRaw(std::string &out, T value) {
  out.append(reinterpret_cast<const char *>(&value), sizeof value);
}

/// The record with its frame.
inline void putRecord(std::string &out, uint32_t type, const std::string &payload) {
  putVarint(out, type);
  putVarint(out, payload.size());
  out += payload;
  putRaw(out, XXH32(payload.data(), payload.size(), type));
}

} // namespace perfidy
