#include "runtime/trace.h"
#include "test/programs/training/program.h"

#include <fmt/format.h>

namespace perfidy {

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
