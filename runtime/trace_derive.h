// What follows from the records of a trace without being in them: names for people, and which
// functions only read memory. Part of the reader; nobody else includes it.
#pragma once

#include "runtime/trace.h"

namespace perfidy {

/// "a::b<int>::f(char const*)" -> "a::b<int>::f": reports show names without parameter lists.
std::string displayName(const std::string &linkage);

/// Clears Function::readsOnly where something called may write.
void closeReadsOnly(Trace &trace);

} // namespace perfidy
