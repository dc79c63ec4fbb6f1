#include "tools/campaign.h"
#include "runtime/session.h"
#include "runtime/trace.h"
#include "tools/fuzz_setup.h"
#include "tools/process.h"
#include "tools/progress.h"
#include "tools/search_stats.h"

#include <chrono>
#include <filesystem>
#include <fmt/format.h>
#include <set>

namespace perfidy {
namespace {

constexpr int kMostRestarts = 200;
constexpr size_t kSmallestLength = 8;
constexpr int kTimeoutExit = 70, kOutOfMemoryExit = 71, kInterruptedExit = 72;

constexpr std::string_view kUnknownFlag = "WARNING: unrecognized flag";

std::string lastLine(std::string text) {
  while (!text.empty() && text.back() == '\n')
    text.pop_back();
  return text.substr(text.rfind('\n') + 1);
}

class Campaign {
public:
  Campaign(const std::string &target,
           const std::string &corpus,
           const std::vector<std::string> &seeds,
           const std::string &artifacts,
           const CampaignOptions &options)
      : target(target), corpus(corpus), seeds(seeds), artifacts(artifacts), options(options),
        statsPage(artifacts + "/stats"),
        status("searching", options.seconds, options.quiet || options.engineLines) {
    report.maxLength = options.maxLength;
  }

  CampaignReport run() {
    makeDirectory(corpus);
    makeDirectory(artifacts);
    started = Clock::now();
    std::filesystem::remove(statsPage);
    for (int restart = 0; restart < kMostRestarts && !interrupted() && !finished(); ++restart)
      if (!runOnce(restart))
        break;
    writeStats();
    std::filesystem::remove(statsPage);
    status.finish(summary());
    return report;
  }

private:
  using Clock = std::chrono::steady_clock;

  double elapsed() const { return std::chrono::duration<double>(Clock::now() - started).count(); }
  bool finished() const {
    return (options.seconds > 0 && elapsed() >= options.seconds) ||
           (options.runs > 0 && report.executions >= options.runs);
  }

  std::vector<std::string> command(int restart) const {
    std::vector<std::string> argv = {std::filesystem::absolute(target).string(), corpus};
    argv.insert(argv.end(), seeds.begin(), seeds.end());
    if (options.seconds > 0)
      argv.push_back(fmt::format("-max_total_time={}",
                                 std::max(1, options.seconds - static_cast<int>(elapsed()))));
    if (options.runs > 0)
      argv.push_back(fmt::format("-runs={}", options.runs - report.executions));
    // The seed moves with the restarts: the same one would walk into the same input again.
    for (const std::string &flag :
         {fmt::format("-seed={}", options.seed + static_cast<uint32_t>(restart)),
          fmt::format("-max_len={}", report.maxLength),
          std::string("-len_control=0"),
          std::string("-reload=0"),
          std::string("-timeout=10"),
          std::string("-rss_limit_mb=4096"),
          std::string("-detect_leaks=0"),
          fmt::format("-artifact_prefix={}/", artifacts),
          fmt::format("--perfidy_budget={}", options.budget),
          fmt::format("--perfidy_censored_prefix={}/", artifacts),
          fmt::format("--perfidy_size={}", report.maxLength),
          fmt::format("--perfidy_keep={}", corpus),
          fmt::format("--perfidy_stats={}", statsPage)})
      argv.push_back(flag);
    if (!options.patternsPath.empty())
      argv.push_back("--perfidy_patterns=" + options.patternsPath);
    argv.insert(argv.end(), options.engineFlags.begin(), options.engineFlags.end());
    return argv;
  }

  // "#1234\tNEW    cov: 18 ft: 34 corp: 17/73b ..."
  void readLine(const std::string &line) {
    sawEngine |= line.find("INFO: Seed:") != std::string::npos;
    if (line.compare(0, kUnknownFlag.size(), kUnknownFlag) == 0 && warned.insert(line).second)
      fmt::print(stderr, "perfidy: warning: libFuzzer: {}\n", line.substr(9));
    // Exact number of runs of a process that ended over the budget.
    static constexpr std::string_view kStopped = "perfidy: run ";
    if (line.compare(0, kStopped.size(), kStopped) == 0)
      current = std::strtoull(line.c_str() + kStopped.size(), nullptr, 10);
    // (lines of the recommended dictionary start with "####")
    if (line.size() < 2 || line[0] != '#' || line[1] < '0' || line[1] > '9')
      return;
    current = std::strtoull(line.c_str() + 1, nullptr, 10);
    if (options.engineLines && !options.quiet)
      fmt::print(stderr, "{}{}\n", line, shownFields());
    if (status.due())
      status.update(fmt::format(
          "{} runs, {} inputs kept,{}", report.executions + current, kept(line), shownFields()));
    if (Clock::now() - statsWritten > std::chrono::seconds(2))
      writeStats();
  }

  // The number of inputs in "corp: 17/73b".
  static std::string kept(const std::string &line) {
    size_t corp = line.find("corp: ");
    return corp == std::string::npos ? "" : line.substr(corp + 6, line.find('/', corp) - corp - 6);
  }

  std::string shownFields() const {
    std::optional<SearchStats> stats = readSearchStats(statsPage);
    return stats ? statusFields(*stats) : "";
  }

  // Whole or not at all: whoever watches never reads half a file.
  void writeStats() {
    statsWritten = Clock::now();
    std::optional<SearchStats> stats = readSearchStats(statsPage);
    if (!stats || options.statsPath.empty())
      return;
    const std::string text = statsJson(*stats, earlierRuns, report.crashes, report.censored);
    writeBytes(options.statsPath + ".new", text);
    std::filesystem::rename(options.statsPath + ".new", options.statsPath);
  }

  // One process; false when there is no point in going on.
  bool runOnce(int restart) {
    current = 0;
    earlierRuns = report.executions;
    ProcessRequest request;
    request.argv = command(restart);
    request.onLine = [&](const std::string &line) { readLine(line); };
    request.timeoutSeconds = options.seconds > 0 ? options.seconds - elapsed() + 30 : 0;
    ProcessResult result = runProcess(request);
    bool early = current == 0;
    report.executions += current;
    if (!sawEngine && result.exitCode == 0)
      throw Error(fmt::format(
          "{}: has no fuzzing engine. Link it with -fsanitize=fuzzer, or trace existing "
          "inputs with 'perfidy trace'.",
          target));
    // It ends so over its own flags and files, before the target has run anything.
    if (!sawEngine && result.exitCode == 1)
      throw Error(fmt::format("{}: libFuzzer did not start. Check the flags after '--' and the "
                              "dictionary. It said: {}",
                              target,
                              lastLine(result.tail)));
    if (result.exitCode == PERFIDY_EXIT_USAGE)
      throw Error(fmt::format("{}: {}", target, result.tail.substr(0, 400)));
    if (result.exitCode == 0 || result.exitCode == kInterruptedExit || result.timedOut ||
        interrupted())
      // All runs asked for are done when libFuzzer itself ends well.
      return !(result.exitCode == 0 && options.runs > 0) && !finished();
    if (result.exitCode == PERFIDY_EXIT_CENSORED)
      noteCensored();
    else
      noteFailure(result);
    // libFuzzer dies on a bad seed before it can do anything: several in a row will not get better.
    earlyDeaths = early ? earlyDeaths + 1 : 0;
    return earlyDeaths < 10;
  }

  // Runs that keep passing the budget would eat the campaign: go down to sizes where they fit.
  void noteCensored() {
    ++report.censored;
    if (!options.keepLength && ++censoredAtLength >= 4 && report.maxLength > kSmallestLength) {
      report.maxLength = std::max(kSmallestLength, report.maxLength / 2);
      censoredAtLength = 0;
    }
  }

  void noteFailure(const ProcessResult &result) {
    bool hang = result.exitCode == kTimeoutExit;
    (hang ? report.hangs : report.crashes) += 1;
    if (report.firstFailure.empty())
      report.firstFailure =
          result.tail.substr(result.tail.size() > 1500 ? result.tail.size() - 1500 : 0);
    if (result.exitCode == kOutOfMemoryExit && report.maxLength > kSmallestLength)
      report.maxLength /= 2;
  }

  std::string summary() const {
    std::string text = fmt::format("{} runs in {:.0f} s", report.executions, elapsed());
    if (report.crashes)
      text += fmt::format(", {} crashes", report.crashes);
    if (report.hangs)
      text += fmt::format(", {} hangs", report.hangs);
    if (report.censored)
      text += fmt::format(", {} runs over the cost budget", report.censored);
    return text;
  }

  const std::string &target, &corpus;
  const std::vector<std::string> &seeds;
  const std::string &artifacts;
  const CampaignOptions &options;
  const std::string statsPage;
  StatusLine status;
  Clock::time_point started, statsWritten;
  CampaignReport report;
  uint64_t current = 0, earlierRuns = 0; ///< runs of this process, of those before it
  bool sawEngine = false;
  std::set<std::string> warned; ///< lines of libFuzzer about unknown flags, passed on once
  int censoredAtLength = 0, earlyDeaths = 0;
};

} // namespace

CampaignReport runCampaign(const std::string &target,
                           const std::string &corpusDirectory,
                           const std::vector<std::string> &seeds,
                           const std::string &artifactDirectory,
                           const CampaignOptions &options) {
  std::vector<std::string> places = companionFiles(target);
  places.insert(places.end(), seeds.begin(), seeds.end());
  const std::vector<std::string> directories = seedDirectories(places, corpusDirectory);
  makeDirectory(artifactDirectory);
  const EngineSetup setup =
      engineSetup(listInputs(places),
                  options.engineFlags,
                  (std::filesystem::path(artifactDirectory).parent_path() / "dictionary").string());
  CampaignOptions all = options;
  all.engineFlags.insert(all.engineFlags.begin(), setup.flags.begin(), setup.flags.end());
  if (setup.maxLength)
    all.maxLength = std::max(kSmallestLength, std::min(all.maxLength, setup.maxLength));
  return Campaign(target, corpusDirectory, directories, artifactDirectory, all).run();
}

} // namespace perfidy
