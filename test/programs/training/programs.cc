#include "runtime/trace.h"
#include "test/programs/training/program.h"

#include <fmt/format.h>

namespace perfidy {

Program classifier(const char *name,
                   const char *family,
                   Data (*data)(),
                   std::vector<Layer> layers,
                   Optimizer optimizer,
                   double rate,
                   double target) {
  Program program;
  program.name = name;
  program.family = family;
  program.data = data;
  program.layers = std::move(layers);
  program.optimizer = optimizer;
  program.rate = rate;
  program.target = target;
  return program;
}

Program regressor(Program program) {
  program.loss = {Loss::Square, false, false};
  return program;
}

const std::vector<Program> &programs() {
  static const std::vector<Program> all = [] {
    std::vector<Program> list;
    for (const auto &family : {linearPrograms(),
                               mlpPrograms(),
                               regressionPrograms(),
                               cnnPrograms(),
                               rnnPrograms(),
                               attentionPrograms(),
                               autoencoderPrograms()})
      list.insert(list.end(), family.begin(), family.end());
    return list;
  }();
  return all;
}

const Program &programNamed(const std::string &name) {
  std::string names;
  for (const Program &program : programs()) {
    if (program.name == name)
      return program;
    names += " " + program.name;
  }
  throw Error(fmt::format("{}: no such training program. There are:{}", name, names));
}

} // namespace perfidy
