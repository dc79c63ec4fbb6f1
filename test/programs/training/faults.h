// Fault operators: named changes of a program, by class, and the test whether a change is a fault
// at all.
//
// The classes that typing tells apart are hyper, loss, act and init; opt, data, layer and reg are
// further ones. After DeepCrime (Humbatova, Jahangirova, Tonella 2021), an operator is *killed* on
// a program when the scores of its runs differ from those of clean runs.
#pragma once

#include "test/programs/training/train.h"

namespace perfidy {

struct Fault {
  std::string name;  ///< class.operator: "hyper.rate-x10"
  std::string group; ///< class
  std::function<void(Program &)> apply;
};

/// Those that change the program. `edge`: what divergenceEdge says of it.
std::vector<Fault> faultsFor(const Program &program, double edge);

/// How many times larger the learning rate can be before training diverges (within six epochs, by
/// bisection of the logarithm between 1 and 10,000; one fixed seed).
double divergenceEdge(const Program &program);

/// Welch's test at 5 % (two-sided) and a standardised difference (Cohen's d) of at least 0.5.
bool killed(const std::vector<double> &clean, const std::vector<double> &faulty);

} // namespace perfidy
