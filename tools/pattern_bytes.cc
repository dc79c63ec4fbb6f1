#include "tools/pattern_bytes.h"
#include "tools/pattern_text.h"

#include <algorithm>
#include <fmt/format.h>

namespace perfidy {

std::string sequenceText(const Sequence &sequence) {
  static constexpr const char *kForms[Sequence::kForms] = {"",
                                                           "decimal numbers",
                                                           "letters",
                                                           "hexadecimal numbers",
                                                           "runs of the byte before",
                                                           "colliding keys",
                                                           "bytes",
                                                           "16-bit numbers (little endian)",
                                                           "16-bit numbers (big endian)",
                                                           "32-bit numbers (little endian)",
                                                           "32-bit numbers (big endian)"};
  static constexpr const char *kOrders[Sequence::kOrders] = {"ascending",
                                                             "descending",
                                                             "up and down",
                                                             "down and up",
                                                             "from both ends",
                                                             "bit-reversed",
                                                             "against median-of-three",
                                                             "against the middle pivot",
                                                             "shuffled"};
  std::string text = fmt::format("{}, {}", kForms[sequence.form], kOrders[sequence.order]);
  if (sequence.at2 != Sequence::kNowhere && sequence.order2 != sequence.order)
    text += fmt::format(", then {}", kOrders[sequence.order2]);
  if (sequence.form == Sequence::kColliding)
    return text + fmt::format(" (hash multiplier {})", sequence.stride);
  if (sequence.form >= Sequence::kByte && sequence.fit == Sequence::kScale)
    return text + ", spread over all values";
  if (sequence.stride != 1)
    text += fmt::format(" in steps of {}", sequence.stride);
  if (sequence.form >= Sequence::kByte && sequence.fit == Sequence::kSaturate)
    text += ", at most the largest";
  return text;
}

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
  labelPatternText(patternTextOf(pattern), labels);
  const Sequence &sequence = pattern.sequence;
  if (!sequence.on())
    return;
  labels.emplace_back("sequence", sequenceText(sequence));
  // Positions behind the end stand for the end.
  auto place = [&](const char *key, uint8_t at, const Part &pump) {
    if (at != Sequence::kNowhere)
      labels.emplace_back(key, std::to_string(std::min(at, pump.length)));
  };
  place("sequence at", sequence.at, pattern.pump);
  place("sequence at2", sequence.at2, pattern.pump2);
}

Labels describeWithPattern(const std::string &path, const std::string &bytes) {
  Labels labels = describeInput(path, bytes);
  if (std::optional<Pattern> pattern = patternOf(bytes))
    labelPattern(*pattern, labels);
  return labels;
}

} // namespace perfidy
