#include "tools/process.h"

#include "runtime/trace.h"
#include "temporary_directory.h"

#include <chrono>
#include <csignal>
#include <gtest/gtest.h>
#include <thread>

namespace perfidy {
namespace {

ProcessRequest shell(const std::string &script) {
  ProcessRequest request;
  request.argv = {"/bin/sh", "-c", script};
  return request;
}

std::vector<std::string> linesOf(ProcessRequest request) {
  std::vector<std::string> lines;
  request.onLine = [&](const std::string &line) { lines.push_back(line); };
  runProcess(request);
  return lines;
}

using Lines = std::vector<std::string>;

TEST(RunProcess, ExitCodes) {
  for (int code : {0, 1, 79, 255}) {
    const ProcessResult result = runProcess(shell("exit " + std::to_string(code)));
    EXPECT_EQ(result.exitCode, code);
    EXPECT_EQ(result.signal, 0);
    EXPECT_FALSE(result.timedOut);
  }
}

TEST(RunProcess, Signals) {
  for (int number : {SIGSEGV, SIGKILL, SIGTERM}) {
    const ProcessResult result = runProcess(shell("kill -" + std::to_string(number) + " $$"));
    EXPECT_EQ(result.signal, number);
    EXPECT_EQ(result.exitCode, -1);
    EXPECT_FALSE(result.timedOut);
  }
}

TEST(RunProcess, LinesOfBothStreamsAndTheTail) {
  const ProcessRequest request = shell("echo out; echo err >&2; echo; printf last");
  EXPECT_EQ(linesOf(request), (Lines{"out", "err", "", "last"}));
  EXPECT_EQ(runProcess(request).tail, "out\nerr\n\nlast");
  EXPECT_EQ(linesOf(shell("true")), Lines{});
  EXPECT_EQ(runProcess(shell("true")).tail, "");
}

TEST(RunProcess, LongOutputIsPassedOnAndItsTailKept) {
  size_t count = 0;
  ProcessRequest request = shell("i=0; while [ $i -lt 20000 ]; do echo line $i; i=$((i+1)); done");
  request.onLine = [&](const std::string &line) {
    EXPECT_EQ(line, "line " + std::to_string(count));
    ++count;
  };
  const ProcessResult result = runProcess(request);
  EXPECT_EQ(count, 20000u);
  EXPECT_EQ(result.tail.size(), 16384u);
  EXPECT_EQ(result.tail.substr(result.tail.size() - 22), "line 19998\nline 19999\n");
}

TEST(RunProcess, BytesOfAllKindsPass) {
  EXPECT_EQ(linesOf(shell("printf 'a\\000b\\377\\n'")), (Lines{std::string("a\0b\xff", 4)}));
}

TEST(RunProcess, EnvironmentIsAddedAndReplaced) {
  ASSERT_EQ(setenv("PERFIDY_TEST_KEPT", "kept", 1), 0);
  ASSERT_EQ(setenv("PERFIDY_TEST_CHANGED", "old", 1), 0);
  ASSERT_EQ(setenv("PERFIDY_TEST_CHANGED_TOO", "other", 1), 0);
  ProcessRequest request =
      shell("echo $PERFIDY_TEST_KEPT $PERFIDY_TEST_CHANGED $PERFIDY_TEST_CHANGED_TOO $ADDED");
  request.environment = {{"PERFIDY_TEST_CHANGED", "new"}, {"ADDED", "a b"}};
  EXPECT_EQ(linesOf(request), (Lines{"kept new other a b"}));
  EXPECT_STREQ(getenv("PERFIDY_TEST_CHANGED"), "old") << "this process keeps its own";
}

TEST(RunProcess, ArgumentsAreNotInterpreted) {
  ProcessRequest request;
  request.argv = {"printf", "%s|", "a b", "$HOME", "*", ""};
  EXPECT_EQ(runProcess(request).tail, "a b|$HOME|*||");
}

TEST(RunProcess, StandardInputIsEmpty) {
  EXPECT_EQ(linesOf(shell("cat; echo end")), (Lines{"end"}));
}

TEST(RunProcess, MissingProgramIsAnError) {
  ProcessRequest request;
  for (const char *program : {"/no/such/program", "no-such-program-in-path"}) {
    request.argv = {program};
    try {
      runProcess(request);
      ADD_FAILURE() << program << " ran";
    } catch (const Error &error) {
      EXPECT_EQ(std::string(error.what()).find(std::string(program) + ": cannot be run"), 0u);
    }
  }
}

TEST(RunProcess, FileThatIsNoProgramIsAnError) {
  const sample::TemporaryDirectory directory;
  ProcessRequest request;
  request.argv = {directory.write("file", "no program")};
  EXPECT_THROW(runProcess(request), Error);
}

/// Gone, or a zombie that nobody has waited for.
bool ended(const std::string &process) {
  std::ifstream file("/proc/" + process + "/stat");
  std::string number, name, state;
  return !(file >> number >> name >> state) || state == "Z";
}

TEST(RunProcess, TimeLimitEndsTheWholeGroup) {
  std::string grandchild;
  ProcessRequest request = shell("sleep 300 & echo $!; wait");
  request.timeoutSeconds = 0.3;
  request.onLine = [&](const std::string &line) { grandchild = line; };
  const ProcessResult result = runProcess(request);
  EXPECT_TRUE(result.timedOut);
  EXPECT_EQ(result.signal, SIGKILL);
  EXPECT_EQ(result.exitCode, -1);
  EXPECT_EQ(result.tail, grandchild + "\n") << "what it had said stays";
  ASSERT_FALSE(grandchild.empty());
  for (int i = 0; i < 500 && !ended(grandchild); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  EXPECT_TRUE(ended(grandchild));
}

TEST(RunProcess, TimeLimitIsNoMatterToAQuickProgram) {
  ProcessRequest request = shell("echo quick");
  request.timeoutSeconds = 30;
  const ProcessResult result = runProcess(request);
  EXPECT_FALSE(result.timedOut);
  EXPECT_EQ(result.exitCode, 0);
}

TEST(Interrupts, FirstSignalAsksTheChildToStop) {
  handleInterrupts();
  EXPECT_FALSE(interrupted());
  ProcessRequest request = shell("trap 'echo asked; exit 5' INT; echo ready; "
                                 "while :; do sleep 0.05; done");
  request.timeoutSeconds = 20;
  request.onLine = [](const std::string &line) {
    if (line == "ready")
      raise(SIGINT);
  };
  const ProcessResult result = runProcess(request);
  EXPECT_TRUE(interrupted());
  EXPECT_FALSE(result.timedOut);
  EXPECT_EQ(result.exitCode, 5);
  EXPECT_EQ(result.tail, "ready\nasked\n");
}

} // namespace
} // namespace perfidy
