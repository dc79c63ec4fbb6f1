// Untrusted bytes -> something that is safe to print, store or embed.
//
// Function names, file names and inputs come from a program under test: they may hold invalid
// UTF-8, terminal escapes, direction overrides or markup. Every report writer passes them through
// exactly one of these functions and prints nothing raw. Pure; owned by tools. Never: decides what
// to show.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace perfidy {

/// Valid UTF-8: each byte that belongs to no well-formed sequence becomes the four characters \xHH.
/// Valid text is unchanged, so the result is for people and for JSON strings, not for decoding.
std::string toUtf8(std::string_view bytes);

/// toUtf8, and nothing that steers a terminal or reorders text: C0 and C1 controls and DEL become
/// \xHH, bidirectional controls and line separators become \u{HHHH}. One line, always.
std::string printable(std::string_view bytes);

/// A quoted string, ASCII only, that shells ($'...'), Python and C read back as the same bytes:
/// "<?\n\xff". Cut after `limit` bytes, the cut being said after the closing quote.
std::string quotedBytes(std::string_view bytes, size_t limit = 64);

/// & < > " ' as entities, of printable text: fit for HTML text and attribute values.
std::string htmlText(std::string_view utf8);

/// JSON text that can stand inside a <script> element: < > & and U+2028/2029 as \uHHHH. These
/// characters occur only inside JSON strings, so the value is unchanged.
std::string scriptSafeJson(std::string_view json);

/// A path as a relative URI reference: slashes stay, everything but unreserved characters is
/// percent-encoded byte by byte, and a first segment with a colon cannot be taken for a scheme.
std::string uriPath(std::string_view path);

/// RFC 4648 with padding.
std::string toBase64(std::string_view bytes);

/// Nothing when the text is not well-formed base64 (alphabet, padding, length).
std::optional<std::string> fromBase64(std::string_view text);

} // namespace perfidy
