// Functions that were being executed when a run was stopped. Part of the reader; nobody else
// includes it.
#pragma once

#include "runtime/trace.h"

namespace perfidy {

/// In a run that did not end, adds the single execution that rebuilt counts cannot show: a function
/// that was entered and never left has one execution too few on the way to where it stood, since
/// block counts follow from what was left. Where a block was executed, the entry of its function,
/// the preheaders of its loops, and the block with the only call of the function were executed at
/// least once. Complete runs are exact and stay as they are. Calls through pointers are not
/// followed.
void completeInFlight(Trace &trace);

} // namespace perfidy
