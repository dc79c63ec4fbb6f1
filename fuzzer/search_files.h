// Files of the search: the kept patterns, the dearest and cheapest inputs, the statistics. All
// optional, named by flags of the target:
//   --perfidy_patterns=FILE  written whole (through FILE.new) now and then and at the end; read at
//                            the start, so that a killed search goes on from there
//   --perfidy_keep=DIR       DIR/dearest-<bytes>, DIR/cheapest-<bytes>
//   --perfidy_stats=FILE     one SearchStats
// A file that cannot be written costs only itself: the search goes on.
#pragma once

#include "fuzzer/archive.h"
#include "fuzzer/stats.h"

namespace perfidy {

class SearchFiles {
public:
  /// Reads the flags and maps the statistics.
  void start();

  /// Calls `take` with every pattern of the patterns file of an earlier process, best first.
  void readPatterns(void (*take)(const Pattern &)) const;

  /// Writes the distinct patterns of the archive, best first, if `runs` is far enough from the last
  /// time or `now`.
  void writePatterns(const Archive &archive, uint64_t runs, bool now);

  /// Writes the input of one end ("dearest", "cheapest") of a size.
  void keepInput(const char *end, const Input &input) const;

  SearchStats &stats() { return *shared; }

private:
  const char *patternsPath = nullptr, *keepDirectory = nullptr;
  uint64_t nextPatterns = 2000;
  SearchStats own;
  SearchStats *shared = &own;
};

} // namespace perfidy
