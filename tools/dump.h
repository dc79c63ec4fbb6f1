// A trace as text, CSV or JSON lines.
#pragma once

#include "runtime/trace.h"

#include <iosfwd>

namespace perfidy {

enum class DumpFormat { Text, Csv, Json };

/// Text: build, functions, then runs with their counts. CSV: one line per run (hash, bytes, size,
/// status, cost, path key). JSON: one object per line, functions first, then runs. Stable bytes.
void dumpTrace(const Trace &trace, DumpFormat format, std::ostream &out);

} // namespace perfidy
