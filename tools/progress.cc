#include "tools/progress.h"

#include <cstdio>
#include <fmt/format.h>
#include <unistd.h>

namespace perfidy {
namespace {

constexpr double kTerminalPeriod = 0.2, kLogPeriod = 10; ///< seconds between prints

double secondsSince(std::chrono::steady_clock::time_point then) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - then).count();
}

} // namespace

StatusLine::StatusLine(std::string what, int seconds, bool quiet)
    : what(std::move(what)), seconds(seconds), quiet(quiet), terminal(isatty(2)),
      started(std::chrono::steady_clock::now()), lastPrinted(started) {
  if (!quiet)
    std::fputs(terminal ? line("").c_str() : (line("") + "\n").c_str(), stderr);
  open = !quiet && terminal;
}

StatusLine::~StatusLine() {
  if (open)
    std::fputc('\n', stderr);
}

std::string StatusLine::line(const std::string &detail) const {
  std::string text = fmt::format("perfidy: {}", what);
  if (seconds > 0)
    text += fmt::format(" [{:.0f}/{} s]", secondsSince(started), seconds);
  return detail.empty() ? text : text + " " + detail;
}

bool StatusLine::due() const {
  return !quiet && secondsSince(lastPrinted) >= (terminal ? kTerminalPeriod : kLogPeriod);
}

void StatusLine::update(const std::string &detail) {
  if (!due())
    return;
  lastPrinted = std::chrono::steady_clock::now();
  std::fputs(terminal ? ("\r\x1b[K" + line(detail)).c_str() : (line(detail) + "\n").c_str(),
             stderr);
  std::fflush(stderr);
}

void StatusLine::finish(const std::string &summary) {
  if (quiet)
    return;
  std::string text = fmt::format("perfidy: {}: {}\n", what, summary);
  std::fputs(terminal ? ("\r\x1b[K" + text).c_str() : text.c_str(), stderr);
  open = false;
}

} // namespace perfidy
