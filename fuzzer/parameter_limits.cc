#include "fuzzer/parameter_limits.h"
#include "fuzzer/archive.h"
#include "runtime/session.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

namespace perfidy {
namespace {

/// Names that our runtime and libFuzzer give to inputs that ended a process.
bool endedAProcess(const char *name) {
  static const char *const kPrefixes[] = {"censored-", "crash-", "timeout-", "oom-"};
  for (const char *prefix : kPrefixes)
    if (strncmp(name, prefix, strlen(prefix)) == 0)
      return true;
  return false;
}

} // namespace

bool ParameterLimits::start() {
  censoredRuns = static_cast<uint8_t *>(mapMemory(kPairs));
  completeRuns = static_cast<uint8_t *>(mapMemory(kPairs));
  return censoredRuns && completeRuns;
}

void ParameterLimits::forget() {
  memset(censoredRuns, 0, kPairs);
  memset(completeRuns, 0, kPairs);
}

// Slots of each value's bin and of each pair of them. Scales are left out: all runs share them.
template <typename Visit>
void ParameterLimits::visitBins(const ParameterVector &vector, Visit &&visit) const {
  const ParameterSpace space = ParameterSpace::current();
  uint64_t bins[PERFIDY_MOST_PARAMETERS];
  for (uint32_t i = 0; i < space.count; ++i) {
    bins[i] = 0;
    if (space.isScale(i) || !vector.has(i))
      continue;
    bins[i] = mixed(mixed(1, i + 1), binOf(space.parameters[i], vector.value[i]) + 1);
    visit(bins[i] % kPairs, false);
    for (uint32_t j = 0; j < i; ++j)
      if (bins[j])
        visit(mixed(mixed(2, bins[i]), bins[j]) % kPairs, true);
  }
}

void ParameterLimits::count(const ParameterVector &vector, bool censored) {
  uint8_t *table = censored ? censoredRuns : completeRuns;
  visitBins(vector, [&](size_t slot, bool) { table[slot] += table[slot] < 255; });
}

// Some value, or pair of values, was always over the budget, more than once.
bool ParameterLimits::hopeless(const ParameterVector &vector) const {
  bool found = false;
  visitBins(vector, [&](size_t slot, bool pair) {
    found |= completeRuns[slot] == 0 && censoredRuns[slot] >= (pair ? 4 : 2);
  });
  return found;
}

// Inputs that ended earlier processes of this campaign.
void ParameterLimits::readEnded(const ParameterVector &scales) {
  const char *prefix = perfidy_flag("censored_prefix");
  char folder[4096], path[8192];
  if (!prefix || snprintf(folder, sizeof folder, "%s.", prefix) >= static_cast<int>(sizeof folder))
    return;
  DIR *directory = opendir(folder);
  if (!directory)
    return;
  const ParameterSpace space = ParameterSpace::current();
  static uint8_t bytes[PERFIDY_LONGEST_VECTOR + 4096];
  while (dirent *entry = readdir(directory)) {
    if (!endedAProcess(entry->d_name))
      continue;
    snprintf(path, sizeof path, "%s%s", prefix, entry->d_name);
    int file = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t length = file < 0 ? -1 : read(file, bytes, sizeof bytes);
    if (file >= 0)
      close(file);
    if (length <= 0)
      continue;
    ParameterVector vector;
    bool larger = false;
    for (uint32_t i = 0; i < space.count; ++i) {
      double value = space.parameters[i].value;
      perfidy_vector_value(bytes, static_cast<size_t>(length), &space.parameters[i], &value);
      vector.put(i, value);
      larger |= space.isScale(i) && value > scales.value[i];
    }
    // What was too dear at a larger size need not be so here.
    if (!larger)
      count(vector, true);
  }
  closedir(directory);
}

} // namespace perfidy
