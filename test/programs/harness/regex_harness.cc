// Fuzz target of the demo when no library can be fetched: matches a pattern chosen by the user (the
// input) against a fixed text, as search boxes do.
#include <cstddef>
#include <cstdint>
#include <regex>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const std::string pattern(reinterpret_cast<const char *>(data), size);
  // The backtracking matcher recurses per character: a short text keeps the stack small.
  const std::string text(24, 'a');
  try {
    const std::regex regex(pattern);
    std::regex_match(text, regex);
  } catch (const std::regex_error &) {
    // Not every input is a regular expression.
  }
  return 0;
}
