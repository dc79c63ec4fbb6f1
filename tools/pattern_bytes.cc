#include "tools/pattern_bytes.h"

namespace perfidy {

std::string renderedInput(const Pattern &pattern, size_t size) {
  std::string bytes(size, '\0');
  renderPattern(pattern, reinterpret_cast<uint8_t *>(bytes.data()), size);
  return bytes;
}

std::optional<Pattern> patternOf(const std::string &bytes) {
  Pattern pattern;
  if (!recoverPattern(reinterpret_cast<const uint8_t *>(bytes.data()), bytes.size(), pattern))
    return std::nullopt;
  return pattern;
}

std::string partBytes(const Part &part) {
  return {reinterpret_cast<const char *>(part.bytes), part.length};
}

void labelPattern(const Pattern &pattern, Labels &labels) {
  static constexpr const char *kNames[] = {"prefix", "pump", "middle", "pump2", "suffix"};
  for (int i = 0; i < Pattern::kParts; ++i)
    labels.emplace_back(kNames[i], partBytes(pattern.part(i)));
}

Labels describeWithPattern(const std::string &path, const std::string &bytes) {
  Labels labels = describeInput(path, bytes);
  if (std::optional<Pattern> pattern = patternOf(bytes))
    labelPattern(*pattern, labels);
  return labels;
}

} // namespace perfidy
