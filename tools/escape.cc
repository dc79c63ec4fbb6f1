#include "tools/escape.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>

namespace perfidy {
namespace {

constexpr std::string_view kBase64Alphabet =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// One step of a walk over bytes; length 1 and valid == false for a byte outside any sequence.
struct CodePoint {
  uint32_t value = 0;
  size_t length = 1;
  bool valid = false;
};

unsigned char byteAt(std::string_view bytes, size_t at) {
  return static_cast<unsigned char>(bytes[at]);
}

/// Length a lead byte announces, 0 when it cannot lead. C0, C1 and F5 to FF never occur in UTF-8.
size_t announcedLength(unsigned char lead) {
  if (lead < 0x80)
    return 1;
  if (lead < 0xc2 || lead > 0xf4)
    return 0;
  return lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
}

/// Refuses overlong forms, surrogates and values past U+10FFFF, as Unicode 3.9 (table 3-7) demands.
CodePoint decodeAt(std::string_view bytes, size_t at) {
  const unsigned char lead = byteAt(bytes, at);
  const size_t length = announcedLength(lead);
  if (length == 1)
    return {lead, 1, true};
  if (length == 0 || at + length > bytes.size())
    return {lead, 1, false};
  uint32_t value = lead & (0xffu >> (length + 1));
  for (size_t i = 1; i < length; ++i) {
    const unsigned char next = byteAt(bytes, at + i);
    if ((next & 0xc0u) != 0x80u)
      return {lead, 1, false};
    value = (value << 6u) | (next & 0x3fu);
  }
  const bool overlong = (length == 3 && value < 0x800) || (length == 4 && value < 0x10000);
  const bool surrogate = value >= 0xd800 && value <= 0xdfff;
  if (overlong || surrogate || value > 0x10ffff)
    return {lead, 1, false};
  return {value, length, true};
}

/// Characters that change how their neighbours are shown: a name made of them could fake a report.
bool steersDisplay(uint32_t c) {
  return (c >= 0x200b && c <= 0x200f) || (c >= 0x2028 && c <= 0x202e) ||
         (c >= 0x2060 && c <= 0x2069) || c == 0x061c || c == 0xfeff;
}

bool isControl(uint32_t c) { return c < 0x20 || (c >= 0x7f && c < 0xa0); }

bool isUnreserved(unsigned char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
         c == '.' || c == '_' || c == '~';
}

void appendQuoted(std::string &out, unsigned char c) {
  switch (c) {
  case '\n': out += "\\n"; return;
  case '\r': out += "\\r"; return;
  case '\t': out += "\\t"; return;
  case '"':
  case '\\':
    out += '\\';
    out += static_cast<char>(c);
    return;
  default:
    if (c < 0x20 || c >= 0x7f)
      out += fmt::format("\\x{:02x}", c);
    else
      out += static_cast<char>(c);
  }
}

/// Alphabet character -> 0..63, anything else -> 64.
std::array<uint8_t, 256> base64Values() {
  std::array<uint8_t, 256> values{};
  values.fill(64);
  for (size_t i = 0; i < kBase64Alphabet.size(); ++i)
    values[byteAt(kBase64Alphabet, i)] = static_cast<uint8_t>(i);
  return values;
}

} // namespace

std::string toUtf8(std::string_view bytes) {
  std::string out;
  out.reserve(bytes.size());
  for (size_t at = 0; at < bytes.size();) {
    const CodePoint c = decodeAt(bytes, at);
    if (c.valid)
      out += bytes.substr(at, c.length);
    else
      out += fmt::format("\\x{:02x}", c.value);
    at += c.length;
  }
  return out;
}

std::string printable(std::string_view bytes) {
  std::string out;
  out.reserve(bytes.size());
  for (size_t at = 0; at < bytes.size();) {
    const CodePoint c = decodeAt(bytes, at);
    if (!c.valid || isControl(c.value))
      out += fmt::format("\\x{:02x}", c.value);
    else if (steersDisplay(c.value))
      out += fmt::format("\\u{{{:04x}}}", c.value);
    else
      out += bytes.substr(at, c.length);
    at += c.length;
  }
  return out;
}

std::string quotedBytes(std::string_view bytes, size_t limit) {
  std::string out = "\"";
  for (size_t i = 0; i < bytes.size() && i < limit; ++i)
    appendQuoted(out, byteAt(bytes, i));
  out += '"';
  if (bytes.size() > limit)
    out += fmt::format("... ({} more bytes)", bytes.size() - limit);
  return out;
}

std::string htmlText(std::string_view utf8) {
  std::string out;
  out.reserve(utf8.size() + utf8.size() / 8);
  for (const char c : utf8) {
    switch (c) {
    case '&': out += "&amp;"; break;
    case '<': out += "&lt;"; break;
    case '>': out += "&gt;"; break;
    case '"': out += "&quot;"; break;
    case '\'': out += "&#39;"; break;
    default: out += c;
    }
  }
  return out;
}

std::string scriptSafeJson(std::string_view json) {
  std::string out;
  out.reserve(json.size() + json.size() / 16);
  for (size_t i = 0; i < json.size(); ++i) {
    const char c = json[i];
    if (c == '<' || c == '>' || c == '&') {
      out += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    } else if (json.substr(i, 3) == "\xe2\x80\xa8" || json.substr(i, 3) == "\xe2\x80\xa9") {
      out += json[i + 2] == '\xa8' ? "\\u2028" : "\\u2029";
      i += 2;
    } else {
      out += c;
    }
  }
  return out;
}

std::string uriPath(std::string_view path) {
  std::string out;
  for (const char c : path) {
    if (isUnreserved(static_cast<unsigned char>(c)) || c == '/')
      out += c;
    else
      out += fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return out;
}

std::string toBase64(std::string_view bytes) {
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (size_t at = 0; at < bytes.size(); at += 3) {
    const size_t have = std::min<size_t>(3, bytes.size() - at);
    uint32_t group = 0;
    for (size_t i = 0; i < 3; ++i)
      group = (group << 8u) | (i < have ? byteAt(bytes, at + i) : 0u);
    for (size_t i = 0; i < 4; ++i)
      out += i <= have ? kBase64Alphabet[(group >> (18 - 6 * i)) & 63u] : '=';
  }
  return out;
}

std::optional<std::string> fromBase64(std::string_view text) {
  static const std::array<uint8_t, 256> kValues = base64Values();
  if (text.size() % 4 != 0)
    return std::nullopt;
  size_t padding = 0;
  while (padding < 2 && padding < text.size() && text[text.size() - 1 - padding] == '=')
    ++padding;
  std::string out;
  out.reserve(text.size() / 4 * 3);
  uint32_t group = 0;
  const size_t digits = text.size() - padding;
  for (size_t at = 0; at < text.size(); ++at) {
    const uint8_t value = at < digits ? kValues[byteAt(text, at)] : 0;
    if (value > 63)
      return std::nullopt;
    group = (group << 6u) | value;
    if (at % 4 != 3)
      continue;
    for (unsigned shift = 16;; shift -= 8) {
      out += static_cast<char>((group >> shift) & 0xffu);
      if (shift == 0)
        break;
    }
    group = 0;
  }
  out.resize(out.size() - padding);
  return out;
}

} // namespace perfidy
