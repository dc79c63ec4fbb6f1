#include "tools/input_features.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>

namespace perfidy {
namespace {

double longestRun(const std::string &bytes) {
  size_t longest = 0, run = 0;
  for (size_t i = 0; i < bytes.size(); ++i) {
    run = i > 0 && bytes[i] == bytes[i - 1] ? run + 1 : 1;
    longest = std::max(longest, run);
  }
  return double(longest);
}

// Deepest nesting of (), [], {} and <>, mismatches ignored.
double nestingDepth(const std::string &bytes) {
  double depth = 0, deepest = 0;
  for (char c : bytes) {
    if (c == '(' || c == '[' || c == '{' || c == '<')
      deepest = std::max(deepest, ++depth);
    else if ((c == ')' || c == ']' || c == '}' || c == '>') && depth > 0)
      --depth;
  }
  return deepest;
}

// Words: maximal runs of letters, digits, '_' and non-ASCII bytes.
double wordCount(const std::string &bytes) {
  double words = 0;
  bool inside = false;
  for (unsigned char c : bytes) {
    bool word = std::isalnum(c) || c == '_' || c >= 128;
    words += word && !inside;
    inside = word;
  }
  return words;
}

} // namespace

std::vector<std::pair<std::string, double>> inputFeatures(const std::string &bytes) {
  double size = std::max<double>(1, double(bytes.size()));
  std::array<double, 256> histogram{};
  double letters = 0, digits = 0, spaces = 0, punctuation = 0, high = 0;
  for (unsigned char c : bytes) {
    ++histogram[c];
    letters += std::isalpha(c) != 0;
    digits += std::isdigit(c) != 0;
    spaces += std::isspace(c) != 0;
    punctuation += std::ispunct(c) != 0;
    high += c >= 128;
  }
  double entropy = 0, distinct = 0, most = 0;
  for (double count : histogram) {
    distinct += count > 0;
    most = std::max(most, count);
    if (count > 0)
      entropy -= count / size * std::log2(count / size);
  }
  return {{"share of letters", letters / size},
          {"share of digits", digits / size},
          {"share of white space", spaces / size},
          {"share of line ends", histogram['\n'] / size},
          {"share of punctuation", punctuation / size},
          {"share of opening brackets",
           (histogram['('] + histogram['['] + histogram['{'] + histogram['<']) / size},
          {"share of quotes", (histogram['"'] + histogram['\''] + histogram['`']) / size},
          {"share of bytes over 127", high / size},
          {"share of the most frequent byte", most / size},
          {"number of distinct bytes", distinct},
          {"byte entropy in bits", entropy},
          {"longest run of one byte per byte of input", longestRun(bytes) / size},
          {"nesting depth per byte", nestingDepth(bytes) / size},
          {"words per byte", wordCount(bytes) / size}};
}

} // namespace perfidy
