#include "tools/study.h"
#include "tools/candidates.h"
#include "tools/confirm.h"
#include "tools/findings_json.h"
#include "tools/fuzz_setup.h"
#include "tools/input_files.h"
#include "tools/ladder.h"
#include "tools/parameter_study.h"
#include "tools/pattern_bytes.h"
#include "tools/process.h"
#include "tools/progress.h"
#include "tools/report_html.h"
#include "tools/report_sarif.h"
#include "tools/reproduce.h"
#include "tools/screening.h"
#include "tools/target.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <map>
#include <sstream>

namespace perfidy {
namespace {

constexpr size_t kMostInputs = 12000; ///< corpus files traced
constexpr size_t kMostScreened = 300; ///< patterns of corpus files screened
constexpr size_t kMostKept = 900;     ///< patterns kept by the search screened
constexpr size_t kMostClasses = 72;
constexpr size_t kMostSteep = 24;      ///< slow patterns simplified and laddered
constexpr size_t kMostVariants = 12;   ///< slow patterns laddered as found
constexpr double kSteep = 1.2;         ///< exponent between the two screening sizes
constexpr size_t kMostContrasted = 16; ///< slow patterns given look-alikes

class Study {
public:
  explicit Study(const StudyOptions &options) : options(options) {}

  Findings run() {
    requireTarget(options.target);
    makeDirectory(options.out);
    corpusDirectory = path("corpus");
    if (options.fuzz)
      search();
    stopIfAsked();
    traceCorpus();
    stopIfAsked();
    if (!declaredParameters(corpus).empty())
      return conclude(explainParameters());
    screen();
    ladder();
    stopIfAsked();
    return conclude(explainLadder());
  }

private:
  void stopIfAsked() const {
    if (interrupted())
      throw Interrupted(
          fmt::format("interrupted. What was found is in {}; run the same command again "
                      "to continue from there.",
                      corpusDirectory));
  }

  // Patterns compete at full size, so the large inputs hold what the search has found.
  static void keepLargest(std::vector<std::string> &paths) {
    if (paths.size() <= kMostInputs)
      return;
    auto size = [](const std::string &path) {
      std::error_code error;
      return std::filesystem::file_size(path, error);
    };
    std::stable_sort(paths.begin(), paths.end(), [&](const std::string &a, const std::string &b) {
      return size(a) > size(b);
    });
    paths.resize(kMostInputs);
  }

  std::string path(const std::string &name) const { return options.out + "/" + name; }

  void search() {
    CampaignOptions campaignOptions = options.campaign;
    campaignOptions.patternsPath = path("patterns");
    campaignOptions.statsPath = path("stats.json");
    if (!probeParameters(options.target, options.out).empty())
      makeRoomForVectors(campaignOptions);
    campaign = runCampaign(
        options.target, corpusDirectory, options.corpora, path("artifacts"), campaignOptions);
    if (campaign.executions == 0 && campaign.crashes + campaign.hangs > 0)
      throw TargetCrashed(fmt::format("{} {} before anything could be learned. Its last words:\n{}",
                                      options.target,
                                      campaign.crashes ? "crashed" : "hung",
                                      campaign.firstFailure));
  }

  // Old traces may be of another build; what they say is in the corpus anyway.
  std::string freshTrace(const std::string &name) const {
    std::filesystem::remove(path(name));
    return path(name);
  }

  void traceCorpus() {
    std::vector<std::string> places = options.corpora;
    for (const std::string &companion : companionFiles(options.target))
      places.push_back(companion);
    if (std::filesystem::is_directory(corpusDirectory))
      places.push_back(corpusDirectory);
    InputFiles files = listInputs(places);
    for (const std::string &problem : files.problems)
      fmt::print(stderr, "perfidy: warning: {}\n", problem);
    if (files.paths.empty())
      throw Error("There is no input to learn from: the corpus is empty. Give seed files or a "
                  "directory, or "
                  "more time for the search.");
    keepLargest(files.paths);
    StatusLine status("tracing the corpus", 0, options.campaign.quiet);
    std::vector<TracedInput> inputs;
    for (const std::string &file : files.paths) {
      bytes.push_back(readBytes(file));
      inputs.push_back({file, describeWithPattern(files.nameOf(file), bytes.back())});
    }
    TraceOptions traceOptions;
    traceOptions.budget = options.campaign.budget;
    TraceReport report =
        traceInputs(options.target, inputs, freshTrace("corpus.trace"), traceOptions);
    if (report.runs == 0)
      throw TargetCrashed(
          fmt::format("{} crashed or hung on every one of {} inputs. Its last words:\n{}",
                      options.target,
                      inputs.size(),
                      report.lastOutput));
    runOf = report.runOf;
    corpus = readTrace(path("corpus.trace"));
    status.finish(fmt::format("{} inputs", report.runs));
  }

  void addClass(const Pattern &pattern) {
    for (const LadderClass &known : classes)
      if (known.pattern.equals(pattern))
        return;
    classes.push_back({fmt::format("p{:02}", classes.size() + 1), pattern});
  }

  // The steep patterns among the chosen, worst first.
  static std::vector<Pattern> steepPatterns(const std::vector<Screened> &screened,
                                            const std::vector<size_t> &chosen) {
    std::vector<size_t> steep;
    for (size_t index : chosen)
      if (screened[index].exponent() > kSteep)
        steep.push_back(index);
    std::stable_sort(steep.begin(), steep.end(), [&](size_t a, size_t b) {
      return screened[a].full->cost > screened[b].full->cost;
    });
    if (steep.size() > kMostSteep)
      steep.resize(kMostSteep);
    std::vector<Pattern> patterns;
    for (size_t index : steep)
      patterns.push_back(screened[index].pattern);
    return patterns;
  }

  void screen() {
    StatusLine status("screening patterns", 0, options.campaign.quiet);
    size_t size = campaign.maxLength ? campaign.maxLength : options.campaign.maxLength;
    Screening screening(
        options.target, options.out, std::max<size_t>(16, size), options.campaign.budget * 2);
    const std::vector<Pattern> plain = plainPatterns();
    const std::vector<Pattern> patterns =
        distinctPatterns({searchPatterns(path("patterns"), kMostKept),
                          corpusPatterns(corpus, runOf, bytes, kMostScreened),
                          plain});
    std::vector<Screened> screened = screening.run(patterns);
    std::vector<size_t> chosen = chooseClasses(screening.lastTrace(), screened, kMostClasses);
    std::vector<Pattern> steep = screening.simplify(steepPatterns(screened, chosen));
    for (const Pattern &pattern : steep)
      addClass(pattern);
    // Some of the steep ones as found stay too: variants of one cause are what an explanation is
    // tested on.
    size_t variants = 0;
    for (size_t index : chosen)
      if (screened[index].exponent() <= kSteep || variants++ < kMostVariants)
        addClass(screened[index].pattern);
    for (size_t i = 0; i < steep.size() && i < kMostContrasted; ++i)
      for (const Pattern &contrast : contrastPatterns(steep[i]))
        addClass(contrast);
    for (const Pattern &pattern : plain)
      addClass(pattern);
    status.finish(fmt::format("{} patterns, {} of them steep; {} classes",
                              patterns.size(),
                              steep.size(),
                              classes.size()));
  }

  // Inputs without a pattern (arrays, permutations): the dearest and the cheapest at each power of
  // two.
  std::vector<TracedInput> envelopes() const {
    std::map<size_t, size_t> dearest, cheapest;
    for (size_t i = 0; i < bytes.size(); ++i) {
      if (runOf[i] == kNoRun)
        continue;
      const Run &run = corpus.runs[runOf[i]];
      size_t size = run.size;
      if (size < 8 || (size & (size - 1)) || run.status != RunStatus::Complete)
        continue;
      auto keep = [&](std::map<size_t, size_t> &best, bool more) {
        auto [at, fresh] = best.try_emplace(size, i);
        uint64_t known = corpus.runs[runOf[at->second]].cost;
        if (!fresh && (more ? run.cost > known : run.cost < known))
          at->second = i;
      };
      keep(dearest, true);
      keep(cheapest, false);
    }
    std::vector<TracedInput> inputs;
    for (const auto &[name, best] :
         {std::pair("dearest", &dearest), std::pair("cheapest", &cheapest)})
      for (const auto &[size, index] : *best) {
        TracedInput input;
        const std::string folder = path(fmt::format("ladder/{}", name));
        input.path = fmt::format("{}/{}", folder, size);
        makeDirectory(folder);
        writeBytes(input.path, bytes[index]);
        // What they have in common is their rank: no pattern.
        input.labels = describeInput(input.path, bytes[index]);
        input.labels.emplace_back("class", name);
        inputs.push_back(input);
      }
    return inputs;
  }

  std::vector<std::string> censoredPaths() const {
    std::vector<std::string> paths;
    if (std::filesystem::is_directory(path("artifacts")))
      for (const std::string &file : listInputs({path("artifacts")}).paths)
        if (std::filesystem::path(file).filename().string().compare(0, 9, "censored-") == 0)
          paths.push_back(file);
    return paths;
  }

  // Inputs of the search that passed the budget: each is a class of its own, so that a hang is a
  // finding too.
  std::vector<TracedInput> censoredInputs() const {
    constexpr size_t kMost = 8;
    std::vector<TracedInput> inputs;
    for (const std::string &file : censoredPaths()) {
      if (inputs.size() >= kMost)
        break;
      inputs.push_back({file, describeWithPattern(file, readBytes(file))});
      inputs.back().labels.emplace_back("class", std::filesystem::path(file).filename().string());
    }
    return inputs;
  }

  void ladder() {
    StatusLine status("climbing the ladder", 0, options.campaign.quiet);
    std::filesystem::remove_all(path("ladder"));
    std::string trace = freshTrace("ladder.trace");
    LadderOptions ladderOptions;
    ladderOptions.largest = options.largestSize;
    ladderOptions.onProgress = [&](const std::string &text) { status.update(text); };
    size_t runs = climbLadder(options.target, classes, path("ladder"), trace, ladderOptions);
    TraceOptions traceOptions;
    traceOptions.budget = options.campaign.budget * 2;
    runs += traceInputs(options.target, envelopes(), trace, traceOptions).runs;
    traceOptions.budget = options.campaign.budget;
    runs += traceInputs(options.target, censoredInputs(), trace, traceOptions).runs;
    status.finish(fmt::format("{} classes, {} runs", classes.size() + 2, runs));
  }

  Findings explainLadder() const {
    const std::string name = std::filesystem::path(options.target).filename().string();
    return explain(readTrace(path("ladder.trace")), name, options.explain);
  }

  Findings explainParameters() const {
    return studyParameters({options.target,
                            options.out,
                            corpus,
                            runOf,
                            bytes,
                            censoredPaths(),
                            options.campaign.budget,
                            options.explain,
                            options.campaign.quiet});
  }

  Findings conclude(Findings findings) {
    StatusLine status("explaining", 0, options.campaign.quiet);
    confirmPairs(options.target, options.out, findings);
    findings.reproduce = reproduceCommands(options);
    noteCampaign(findings);
    writeReports(findings, options.out);
    status.finish(fmt::format("{} findings", findings.findings.size()));
    return findings;
  }

  void noteCampaign(Findings &findings) const {
    if (campaign.crashes)
      findings.notes.push_back(fmt::format(
          "The target crashed {} times during the search; the inputs are in artifacts/.",
          campaign.crashes));
    if (campaign.hangs)
      findings.notes.push_back(
          fmt::format("The target hung {} times during the search; the inputs are in artifacts/.",
                      campaign.hangs));
    if (campaign.censored && campaign.maxLength < options.campaign.maxLength)
      findings.notes.push_back(fmt::format(
          "Runs kept passing the cost budget: the search went down from {} to {} bytes.",
          options.campaign.maxLength,
          campaign.maxLength));
  }

  const StudyOptions &options;
  std::string corpusDirectory;
  CampaignReport campaign;
  std::vector<std::string> bytes; ///< per corpus file
  std::vector<size_t> runOf;      ///< per corpus file
  Trace corpus;
  std::vector<LadderClass> classes;
};

template <typename Write>
void writeReport(const std::string &path, const Findings &findings, Write write) {
  std::ostringstream text;
  write(findings, text);
  writeBytes(path, text.str());
}

} // namespace

Findings runStudy(const StudyOptions &options) { return Study(options).run(); }

void writeReports(const Findings &findings, const std::string &directory) {
  writeReport(directory + "/findings.json", findings, writeFindingsJson);
  writeReport(directory + "/report.html", findings, writeHtml);
  writeReport(directory + "/report.sarif", findings, writeSarif);
}

} // namespace perfidy
