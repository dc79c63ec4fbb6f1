#include "test/programs/training/corpus.h"
#include "runtime/trace.h"
#include "runtime/trace_labels.h"
#include "test/programs/training/observe.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <map>
#include <sstream>
#include <sys/wait.h>
#include <unistd.h>
#include <zlib.h>

namespace perfidy {
namespace {

double recordTo(SeriesRecorder &recorder,
                const Program &program,
                const std::string &group,
                const std::string &fault,
                uint64_t seed,
                bool live) {
  recorder.parameter("seed", static_cast<double>(seed));
  recorder.tag("program", program.name);
  recorder.tag("family", program.family);
  recorder.tag("fault", group);
  recorder.tag("operator", fault);
  TrainingObserver observer(recorder, true, live);
  const Trained trained = train(program, seed, std::ref(observer));
  const double worst = program.loss.oneHot ? 0 : -1;
  const double score = trained.finite ? trained.validationScore : worst;
  recorder.tag("score", fmt::format("{:.6g}", score));
  recorder.tag("ended", trained.finite ? "complete" : "died");
  recorder.end();
  return score;
}

void compress(const std::string &from, const std::string &to) {
  std::ifstream file(from, std::ios::binary);
  std::ostringstream bytes;
  bytes << file.rdbuf();
  const std::string partial = to + ".part", text = bytes.str();
  gzFile out = gzopen(partial.c_str(), "wb6");
  const bool written = out && gzwrite(out, text.data(), static_cast<unsigned>(text.size())) ==
                                  static_cast<int>(text.size());
  if (!out || gzclose(out) != Z_OK || !written)
    throw Error(fmt::format("{}: cannot be written. Check rights and free space.", to));
  std::filesystem::rename(partial, to);
  std::filesystem::remove(from);
}

int writeProgram(const std::string &folder, const Program &program, const CorpusOptions &options) {
  const std::string plain = folder + "/" + program.name + ".trace", packed = plain + ".gz";
  if (std::filesystem::exists(packed))
    return 0;
  std::filesystem::remove(plain);
  std::vector<Label> labels;
  uint64_t run = 0;
  {
    SeriesRecorder recorder(plain);
    const auto seedOf = [&](int i) { return options.seed * 100000 + static_cast<uint64_t>(i); };
    std::vector<double> clean;
    for (int i = 0; i < options.clean; ++i, ++run)
      clean.push_back(recordTo(recorder, program, "none", "none", seedOf(i), false));
    for (const Fault &fault : faultsFor(program, divergenceEdge(program))) {
      Program faulty = program;
      fault.apply(faulty);
      std::vector<double> scores;
      for (int i = 0; i < options.repeats; ++i)
        scores.push_back(recordTo(recorder, faulty, fault.group, fault.name, seedOf(i), false));
      for (int i = 0; i < options.repeats; ++i, ++run)
        labels.push_back({run, "killed", killed(clean, scores) ? "yes" : "no"});
    }
  }
  appendLabels(plain, labels);
  compress(plain, packed);
  fmt::print(stderr, "{}: {} runs\n", program.name, run);
  return static_cast<int>(run);
}

/// Takes numbers of programs from the pipe until it is empty. Returns the runs written.
int work(int pipe,
         const std::vector<const Program *> &list,
         const std::string &folder,
         const CorpusOptions &options) {
  int runs = 0;
  for (unsigned char at; read(pipe, &at, 1) == 1;)
    runs += writeProgram(folder, *list[at], options);
  return runs;
}

int countRuns(const std::string &folder, const std::vector<const Program *> &list) {
  int runs = 0;
  for (const Program *program : list)
    runs +=
        static_cast<int>(traceExtent(fmt::format("{}/{}.trace.gz", folder, program->name)).runs);
  return runs;
}

} // namespace

double recordRun(const Program &program,
                 const std::string &group,
                 const std::string &fault,
                 uint64_t seed,
                 const std::string &trace,
                 bool live) {
  SeriesRecorder recorder(trace);
  return recordTo(recorder, program, group, fault, seed, live);
}

int writeCorpus(const std::string &folder, const CorpusOptions &options) {
  std::filesystem::create_directories(folder);
  std::vector<const Program *> list;
  if (options.programs.empty())
    for (const Program &program : programs())
      list.push_back(&program);
  for (const std::string &name : options.programs)
    list.push_back(&programNamed(name));
  int ends[2];
  if (pipe(ends) != 0)
    throw Error("No pipe can be opened. Close other programs and try again.");
  // The dear programs stand last in the list.
  for (size_t i = list.size(); i-- > 0;) {
    const auto at = static_cast<unsigned char>(i);
    if (write(ends[1], &at, 1) != 1)
      throw Error("The pipe to the workers broke. Try again.");
  }
  close(ends[1]);
  std::vector<pid_t> workers;
  for (int i = 1; i < options.jobs; ++i) {
    const pid_t worker = fork();
    if (worker == 0) {
      work(ends[0], list, folder, options);
      _exit(0);
    }
    workers.push_back(worker);
  }
  work(ends[0], list, folder, options);
  for (pid_t worker : workers)
    waitpid(worker, nullptr, 0);
  return countRuns(folder, list);
}

} // namespace perfidy
