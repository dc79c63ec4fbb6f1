// The training programs from the command line.
//
//   perfidy-training list                        programs and their faults
//   perfidy-training run PROGRAM [--fault F] [--seed N] [--trace FILE] [--live]
//   perfidy-training targets [--seeds N]         clean runs against the written target scores
//   perfidy-training corpus FOLDER [--seed N] [--jobs N] [--clean N] [--repeats N] [--programs A
//   B...]
#include "runtime/trace.h"
#include "test/programs/training/corpus.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <fmt/format.h>

namespace perfidy {
namespace {

struct Arguments {
  std::string program, fault, trace, folder;
  uint64_t seed = 1;
  int seeds = 10;
  bool live = false;
  CorpusOptions corpus;
};

int list() {
  for (const Program &program : programs()) {
    fmt::print("{} ({})\n ", program.name, program.family);
    for (const Fault &fault : faultsFor(program, 1))
      fmt::print(" {}", fault.name);
    fmt::print("\n");
  }
  return 0;
}

int runOne(const Arguments &arguments) {
  Program program = programNamed(arguments.program);
  std::string group = "none", name = "none";
  if (!arguments.fault.empty()) {
    const std::vector<Fault> faults = faultsFor(program, divergenceEdge(program));
    const auto found = std::find_if(faults.begin(), faults.end(), [&](const Fault &fault) {
      return fault.name == arguments.fault;
    });
    if (found == faults.end())
      throw Error(fmt::format(
          "{}: no such fault for {}. 'list' names them.", arguments.fault, program.name));
    found->apply(program);
    group = found->group;
    name = found->name;
  }
  fmt::print("score {:.4f}\n",
             recordRun(program, group, name, arguments.seed, arguments.trace, arguments.live));
  return 0;
}

int targets(const Arguments &arguments) {
  int short_ = 0;
  for (const Program &program : programs()) {
    int reached = 0;
    for (int seed = 0; seed < arguments.seeds; ++seed)
      reached +=
          train(program, 7000 + static_cast<uint64_t>(seed)).validationScore >= program.target;
    const bool good = reached * 10 >= arguments.seeds * 9;
    short_ += !good;
    fmt::print("{:22} {:.2f} reached by {} of {}{}\n",
               program.name,
               program.target,
               reached,
               arguments.seeds,
               good ? "" : "  TOO FEW");
  }
  return short_ > 0;
}

int parseAndRun(int argc, char **argv) {
  Arguments arguments;
  CLI::App app("Small training programs with and without faults, observed by Perfidy",
               "perfidy-training");
  app.require_subcommand(1);
  app.add_subcommand("list", "Programs and their faults");
  CLI::App *run = app.add_subcommand("run", "Train once");
  run->add_option("program", arguments.program)->required();
  run->add_option("--fault", arguments.fault, "Class and operator: hyper.rate-x10");
  run->add_option("--seed", arguments.seed);
  run->add_option("--trace", arguments.trace, "Trace file (default: PERFIDY_TRACE)");
  run->add_flag("--live", arguments.live, "Each epoch can be read at once");
  CLI::App *check = app.add_subcommand("targets", "Do clean runs reach their scores?");
  check->add_option("--seeds", arguments.seeds);
  CLI::App *corpus = app.add_subcommand("corpus", "Traces of all programs and faults");
  corpus->add_option("folder", arguments.folder)->required();
  corpus->add_option("--seed", arguments.corpus.seed);
  corpus->add_option("--jobs", arguments.corpus.jobs);
  corpus->add_option("--clean", arguments.corpus.clean);
  corpus->add_option("--repeats", arguments.corpus.repeats);
  corpus->add_option("--programs", arguments.corpus.programs);
  CLI11_PARSE(app, argc, argv);
  if (app.got_subcommand("list"))
    return list();
  if (app.got_subcommand(run))
    return runOne(arguments);
  if (app.got_subcommand(check))
    return targets(arguments);
  fmt::print("{} runs\n", writeCorpus(arguments.folder, arguments.corpus));
  return 0;
}

} // namespace
} // namespace perfidy

int main(int argc, char **argv) {
  try {
    return perfidy::parseAndRun(argc, argv);
  } catch (const std::exception &error) {
    fmt::print(stderr, "perfidy-training: error: {}\n", error.what());
    return 2;
  }
}
