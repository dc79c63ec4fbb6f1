// Records series, parameters and tags of a program that is not a fuzz target: a training run above
// all. Hosted C++, for the program under observation; needs no instrumentation and no compiler of
// ours.
//
//     #include "runtime/series.h"
//
//     int main() {
//       perfidy::SeriesRecorder trace("run.trace");   // or "": the file that PERFIDY_TRACE names
//       trace.parameter("rate", 0.1);
//       trace.tag("program", "line");
//       double weight = 0;
//       for (int epoch = 0; epoch <= 20; ++epoch) {
//         double loss = 0, slope = 0;
//         for (double x : {-1.0, 0.5, 2.0}) {
//           loss += (weight * x - 3 * x) * (weight * x - 3 * x) / 3;
//           slope += 2 * (weight * x - 3 * x) * x / 3;
//         }
//         trace.point("base.train_loss", epoch, loss);
//         trace.point("base.grad_max", epoch, std::abs(slope));
//         trace.flush();                              // can be read now: perfidy diagnose --watch
//         weight -= 0.1 * slope;
//       }
//     }                                               // the run ends with its recorder
//
// Costs a copy of the name and 16 bytes a point, and one write per flush. Observes only: it draws
// no random number, changes no floating-point state, and starts no thread.
#pragma once

#include <cstdint>
#include <string>

namespace perfidy {

class SeriesRecorder {
public:
  /// Appends to the trace at `path`; an empty path means the environment's PERFIDY_TRACE, and when
  /// that is not set, nothing is recorded. In a program that perfidy-clang has instrumented, and
  /// with an empty path, everything goes to the run that the runtime records: counts and series are
  /// in one run then. Throws Error when the file cannot be written or is a trace of another kind.
  explicit SeriesRecorder(std::string path = "");
  ~SeriesRecorder();
  SeriesRecorder(const SeriesRecorder &) = delete;
  SeriesRecorder &operator=(const SeriesRecorder &) = delete;

  /// False when all calls are no-ops.
  bool recording() const { return file_ >= 0 || forward_; }

  /// Declares a number that holds for the whole run. Before the run's first flush only.
  void parameter(const std::string &name, double value);
  /// Labels the run; the last value of a key stands.
  void tag(const std::string &key, const std::string &value);
  /// Appends a value to a series. Steps need not be whole, nor the values finite.
  void point(const std::string &name, double step, double value);

  /// Writes what was collected: readers of the file see it from now on.
  void flush();
  /// Flushes and ends the run; what follows belongs to the next one. Does nothing when nothing came
  /// in.
  void end();

private:
  void open(const std::string &path);

  std::string path_;
  int file_ = -1;
  bool forward_ = false; ///< to the runtime of an instrumented program
  bool begun_ = false;   ///< the run record is written
  uint64_t run_ = 0;     ///< index of the run in the file
  uint32_t parameters_ = 0, points_ = 0, tags_ = 0;
  std::string parameterBytes_, pointBytes_, tagBytes_, labelBytes_;
};

} // namespace perfidy
