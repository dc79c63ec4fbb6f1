// Writes the increments of a plan (flow.h) into the code, in line and without any call.
//
// A counter of a block stands where the block is entered; one of an edge stands at the end of its
// source if that leads nowhere else, at the start of its target if nothing else leads there, else
// in a block of its own on the edge. The entry block's counter also links the function into the
// list of touched functions, the first time it is entered:
//
//   entry:                                     first:
//     %old = load i64, &counters[0]              %next = atomicrmw xchg &touched, &record
//     store i64 %old - 1, &counters[0]           store %next, &record.next
//     br (%old == 0), %first, %body              br %body
//
// which is two instructions on x86-64 (a subtraction in memory, a jump on its borrow). The exchange
// is atomic so that a signal handler in between loses nothing.
#pragma once

#include "passes/table.h"

namespace perfidy {

/// Adds the increments to the function that plan and regions were made from.
void insertCounters(const FunctionRegions &regions, const FlowPlan &plan, const FunctionData &data);

} // namespace perfidy
