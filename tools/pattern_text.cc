#include "tools/pattern_text.h"
#include "tools/pattern_bytes.h"

#include <algorithm>
#include <fmt/format.h>

namespace perfidy {
namespace {

std::string counterText(const PatternCounter &counter, uint64_t repetition) {
  std::string digits = std::to_string(counter.start + counter.step * repetition);
  if (digits.size() < counter.width)
    digits.insert(0, counter.width - digits.size(), '0');
  return digits;
}

// One repetition of a pump with its counters filled in.
void appendPump(const PatternText &pattern, bool second, uint64_t repetition, std::string &out) {
  const std::string &pump = second ? pattern.pump2 : pattern.pump;
  size_t at = 0;
  for (const PatternCounter &counter : pattern.counters) {
    if (counter.second != second)
      continue;
    const size_t until = std::min<size_t>(counter.offset, pump.size());
    out.append(pump, at, until - at);
    out += counterText(counter, repetition);
    at = until;
  }
  out.append(pump, at);
}

size_t expandedSize(const PatternText &pattern, uint64_t times) {
  if (!pattern.counters.empty())
    return expandPattern(pattern, times).size();
  return pattern.prefix.size() + pattern.middle.size() + pattern.suffix.size() +
         times * (pattern.pump.size() + pattern.pump2.size());
}

// A Python bytes literal.
std::string pythonBytes(const std::string &bytes) {
  std::string text = "b\"";
  for (char c : bytes) {
    if (c == '\n')
      text += "\\n";
    else if (c == '"' || c == '\\')
      text += std::string("\\") + c;
    else if (c >= ' ' && c <= '~')
      text += c;
    else
      text += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
  }
  return text + "\"";
}

// The Python expression of one repetition: literals and counters over i.
std::string pythonPump(const PatternText &pattern, bool second) {
  const std::string &pump = second ? pattern.pump2 : pattern.pump;
  std::string text;
  size_t at = 0;
  auto add = [&](const std::string &piece) { text += (text.empty() ? "" : " + ") + piece; };
  for (const PatternCounter &counter : pattern.counters) {
    if (counter.second != second)
      continue;
    const size_t until = std::min<size_t>(counter.offset, pump.size());
    if (until > at)
      add(pythonBytes(pump.substr(at, until - at)));
    add(fmt::format(
        "b\"%0{}d\" % ({} + {} * i)", std::max(1u, counter.width), counter.start, counter.step));
    at = until;
  }
  if (at < pump.size() || text.empty())
    add(pythonBytes(pump.substr(at)));
  return text;
}

std::string pythonRepeated(const PatternText &pattern, bool second) {
  bool counts = std::any_of(pattern.counters.begin(), pattern.counters.end(), [&](const auto &c) {
    return c.second == second;
  });
  const std::string pump = pythonPump(pattern, second);
  return counts ? fmt::format("b\"\".join({} for i in range(times))", pump) : pump + " * times";
}

std::string oneLine(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](unsigned char c) { return c < ' ' || c > '~'; }, '?');
  return text;
}

} // namespace

std::string expandPattern(const PatternText &pattern, uint64_t times) {
  std::string out = pattern.prefix;
  for (uint64_t i = 0; i < times; ++i)
    appendPump(pattern, false, i, out);
  out += pattern.middle;
  for (uint64_t i = 0; i < times && !pattern.pump2.empty(); ++i)
    appendPump(pattern, true, i, out);
  return out + pattern.suffix;
}

uint64_t repetitionsWithin(const PatternText &pattern, uint64_t size) {
  const size_t unit = pattern.pump.size() + pattern.pump2.size();
  if (unit == 0 && pattern.counters.empty())
    return 1;
  uint64_t least = 1, most = 2; // least fits (or is the minimum), most does not
  while (expandedSize(pattern, most) <= size) {
    least = most;
    most *= 2;
  }
  while (most - least > 1) {
    const uint64_t middle = least + (most - least) / 2;
    (expandedSize(pattern, middle) <= size ? least : most) = middle;
  }
  return least;
}

std::string renderPatternText(const PatternText &pattern, uint64_t size) {
  const uint64_t times = repetitionsWithin(pattern, size);
  std::string bytes = expandPattern(pattern, times);
  if (bytes.size() < size) {
    std::string first = pattern.prefix, next;
    for (uint64_t i = 0; i < times; ++i)
      appendPump(pattern, false, i, first);
    for (uint64_t i = times; next.size() < size - bytes.size() && i < times + size; ++i)
      appendPump(pattern, false, i, next);
    next.resize(size - bytes.size(), ' ');
    bytes.insert(first.size(), next);
  }
  bytes.resize(size);
  return bytes;
}

std::optional<Pattern> searchPattern(const PatternText &pattern) {
  if (!pattern.counters.empty())
    return std::nullopt;
  const std::string *parts[] = {
      &pattern.prefix, &pattern.pump, &pattern.middle, &pattern.pump2, &pattern.suffix};
  Pattern made;
  for (int i = 0; i < Pattern::kParts; ++i)
    if (!made.part(i).assign(reinterpret_cast<const uint8_t *>(parts[i]->data()), parts[i]->size()))
      return std::nullopt;
  return made.valid() ? std::optional(made) : std::nullopt;
}

PatternText patternTextOf(const Pattern &pattern) {
  return {partBytes(pattern.prefix),
          partBytes(pattern.pump),
          partBytes(pattern.middle),
          partBytes(pattern.pump2),
          partBytes(pattern.suffix)};
}

void labelPatternText(const PatternText &pattern, Labels &labels) {
  labels.emplace_back("prefix", pattern.prefix);
  labels.emplace_back("pump", pattern.pump);
  labels.emplace_back("middle", pattern.middle);
  labels.emplace_back("pump2", pattern.pump2);
  labels.emplace_back("suffix", pattern.suffix);
  std::string counters;
  for (const PatternCounter &counter : pattern.counters)
    counters += fmt::format("{} {} {} {} {};",
                            counter.second ? 2 : 1,
                            counter.offset,
                            counter.start,
                            counter.step,
                            counter.width);
  if (!counters.empty())
    labels.emplace_back("counters", counters);
}

size_t patternWeight(const PatternText &pattern) {
  constexpr size_t kCounter = 4; ///< a counter is as hard to read as that many bytes
  return pattern.bytes() + kCounter * pattern.counters.size();
}

std::string pythonGenerator(const PatternText &pattern, const std::string &about) {
  std::string text = fmt::format("#!/usr/bin/env python3\n# {}\n"
                                 "# TIMES: so many repetitions, to standard output; --size BYTES: "
                                 "as many as fit.\n"
                                 "import sys\n\n\ndef generate(times):\n    return (",
                                 oneLine(about));
  text += pythonBytes(pattern.prefix) + "\n            + " + pythonRepeated(pattern, false);
  text += "\n            + " + pythonBytes(pattern.middle);
  if (!pattern.pump2.empty())
    text += "\n            + " + pythonRepeated(pattern, true);
  text += "\n            + " + pythonBytes(pattern.suffix) + ")\n\n\n";
  return text + "def within(size):\n"
                "    least, most = 1, 2\n"
                "    while len(generate(most)) <= size:\n"
                "        least, most = most, most * 2\n"
                "    while most - least > 1:\n"
                "        middle = (least + most) // 2\n"
                "        if len(generate(middle)) <= size:\n"
                "            least = middle\n"
                "        else:\n"
                "            most = middle\n"
                "    return least\n\n\n"
                "if len(sys.argv) == 3 and sys.argv[1] == \"--size\":\n"
                "    sys.stdout.buffer.write(generate(within(int(sys.argv[2]))))\n"
                "elif len(sys.argv) == 2 and sys.argv[1].isdigit():\n"
                "    sys.stdout.buffer.write(generate(int(sys.argv[1])))\n"
                "else:\n"
                "    sys.exit(\"usage: %s TIMES | --size BYTES\" % sys.argv[0])\n";
}

} // namespace perfidy
