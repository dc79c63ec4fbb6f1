// Writes the increments of a plan (flow.h) into the code, in line and without any call.
//
// A counter of a block stands where the block is entered; one of an edge stands at the end of its
// source if that leads nowhere else, at the start of its target if nothing else leads there, else
// in a block of its own on the edge. One increment is one instruction on x86-64.
#pragma once

#include "passes/table.h"

namespace perfidy {

/// Adds the increments to the function that plan and regions were made from.
void insertCounters(const FunctionRegions &regions,
                    const FlowPlan &plan,
                    llvm::GlobalVariable &counters);

} // namespace perfidy
