#include "fuzzer/search_files.h"
#include "fuzzer/pattern_line.h"
#include "runtime/session.h"
#include "runtime/trace_writer.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

namespace perfidy {
namespace {

constexpr size_t kPath = 4096;

/// Buffered writing without allocation.
class Output {
public:
  explicit Output(const char *path)
      : file(open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666)) {}
  ~Output() { finish(); }
  void put(const void *data, size_t length) {
    if (length > sizeof buffer - held)
      flush();
    if (length > sizeof buffer) {
      writeAll(static_cast<const char *>(data), length);
      return;
    }
    memcpy(buffer + held, data, length);
    held += length;
  }
  /// True when everything was written.
  bool finish() {
    if (file < 0)
      return false;
    flush();
    good &= close(file) == 0;
    file = -1;
    return good;
  }

private:
  void flush() {
    writeAll(buffer, held);
    held = 0;
  }
  void writeAll(const char *data, size_t length) {
    while (length > 0 && good) {
      ssize_t written = file < 0 ? -1 : write(file, data, length);
      good = written > 0;
      data += written > 0 ? written : 0;
      length -= written > 0 ? static_cast<size_t>(written) : 0;
    }
  }
  int file;
  bool good = true;
  size_t held = 0;
  char buffer[8192];
};

// The archive's cells by excess over linear, without equal neighbours' repetition: a counting sort
// over the few values that excess takes.
template <typename Visit> void bestFirst(const Archive &archive, Visit &&visit) {
  constexpr int kHighest = 100;
  for (int excess = kHighest; excess >= -kHighest; --excess)
    for (size_t i = 0; i < archive.size(); ++i) {
      const Cell &cell = archive.cell(i);
      int value = archive.excess(cell);
      value = value > kHighest ? kHighest : value < -kHighest ? -kHighest : value;
      if (value == excess && cell.pattern.valid())
        visit(cell);
    }
}

/// Set of hashes other than 0, of at most as many as there are cells.
struct HashSet {
  static constexpr size_t kSlots = 2 * Archive::kCells;
  uint64_t slots[kSlots];
  bool insert(uint64_t hash) {
    for (size_t i = hash % kSlots;; i = (i + 1) % kSlots) {
      if (slots[i] == hash)
        return false;
      if (slots[i] == 0) {
        slots[i] = hash;
        return true;
      }
    }
  }
};

HashSet written;

} // namespace

void SearchFiles::start() {
  patternsPath = perfidy_flag("patterns");
  keepDirectory = perfidy_flag("keep");
  if (const char *path = perfidy_flag("stats")) {
    int file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (file >= 0 && ftruncate(file, sizeof(SearchStats)) == 0) {
      void *memory =
          mmap(nullptr, sizeof(SearchStats), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
      if (memory != MAP_FAILED)
        shared = static_cast<SearchStats *>(memory);
    }
    if (file >= 0)
      close(file);
  }
  *shared = SearchStats();
  shared->magic = SearchStats::kMagic;
}

void SearchFiles::readPatterns(void (*take)(const Pattern &)) const {
  FILE *file = patternsPath ? fopen(patternsPath, "re") : nullptr;
  if (!file)
    return;
  char line[kPatternLine];
  Pattern pattern;
  while (fgets(line, sizeof line, file))
    if (readPatternLine(line, strlen(line), pattern))
      take(pattern);
  fclose(file);
}

void SearchFiles::writePatterns(const Archive &archive, uint64_t runs, bool now) {
  if (!patternsPath || (runs < nextPatterns && !now))
    return;
  // Ever rarer: a tenth of what has been done may be lost.
  nextPatterns = runs + 2000 + runs / 10;
  char path[kPath];
  if (snprintf(path, sizeof path, "%s.new", patternsPath) >= static_cast<int>(sizeof path))
    return;
  memset(&written, 0, sizeof written);
  Output output(path);
  bestFirst(archive, [&](const Cell &cell) {
    char line[kPatternLine];
    size_t length = writePatternLine(cell.pattern, line);
    if (written.insert(perfidy_hash(line, length) | 1))
      output.put(line, length);
  });
  if (output.finish())
    rename(path, patternsPath);
}

void SearchFiles::keepInput(const char *end, const Input &input) const {
  char path[kPath];
  if (!keepDirectory || input.length == 0 ||
      snprintf(path, sizeof path, "%s/%s-%zu", keepDirectory, end, input.length) >=
          static_cast<int>(sizeof path))
    return;
  Output output(path);
  output.put(input.bytes, input.length);
}

} // namespace perfidy
