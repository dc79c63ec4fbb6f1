// Progress for people: one line that renews itself on a terminal, a line now and then elsewhere.
// Goes to stderr, so that it never mixes with results.
#pragma once

#include <chrono>
#include <string>

namespace perfidy {

class StatusLine {
public:
  /// `what` is being done, for at most `seconds` (0 = unknown). Quiet: nothing is ever printed.
  StatusLine(std::string what, int seconds, bool quiet);
  ~StatusLine();
  StatusLine(const StatusLine &) = delete;
  StatusLine &operator=(const StatusLine &) = delete;

  /// Whether update() would print now: the detail need not be made otherwise.
  bool due() const;
  void update(const std::string &detail);
  /// Replaces the line by its final form.
  void finish(const std::string &summary);

private:
  std::string line(const std::string &detail) const;

  std::string what;
  int seconds;
  bool quiet, terminal, open = false;
  std::chrono::steady_clock::time_point started, lastPrinted;
};

} // namespace perfidy
