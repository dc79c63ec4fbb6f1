// Logs of other frameworks as traces: CSV and JSON lines, one line per epoch.
//
// Keras's CSVLogger, a PyTorch loop that prints JSON, or a spreadsheet: the names of the usual
// columns (loss, val_loss, accuracy, val_acc, lr, grad_norm, ...) become those that diagnosis
// knows; others are kept as they are.
#pragma once

#include <map>
#include <string>

namespace perfidy {

struct ImportCommand {
  std::string log;    ///< CSV with a head line, or JSON lines (told by the first character)
  std::string output; ///< trace; an existing one gets one run more
  std::string program, fault, clean; ///< tags; empty: none
};

/// Records the log as one run. Throws Error naming the line that cannot be read.
void importSeries(const ImportCommand &command);

/// The name under which diagnosis knows a column; the name itself when it is none of the usual
/// ones.
std::string seriesName(const std::string &column);

} // namespace perfidy
