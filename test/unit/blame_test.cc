#include "explainer/blame.h"

#include "sample_blame.h"

#include <gtest/gtest.h>

namespace perfidy {
namespace {

using namespace sample;

/// A loop over the input in `parse` that calls `scan`, which walks what is left of it.
struct Scanner {
  TraceBuilder builder;
  uint32_t run, parse, loop, asks, scan, scanLoop;

  /// `once`: the fast side scans the whole input in one go.
  explicit Scanner(bool once = false) {
    run = builder.addFunction("run");
    builder.function(run).harness = true;
    parse = builder.addFunction("parse");
    scan = builder.addFunction("scan");
    builder.addCall(run, 0, "parse");
    loop = builder.addLoop(parse);
    asks = builder.addBlock(parse, loop);
    builder.addCall(parse, asks, "scan");
    scanLoop = builder.addLoop(scan);
    builder.addClass("slow", kSizes, [&](SampleRun &made, uint64_t n) { fill(made, n, n / 2); });
    builder.addClass("fast", kSizes, [&](SampleRun &made, uint64_t n) {
      once ? fill(made, 1, n) : fill(made, n, 2);
    });
  }
  void fill(SampleRun &made, uint64_t scans, uint64_t perScan) const {
    made.count(run, 0, 1).count(parse, 0, 1).count(parse, builder.header(parse, loop), scans);
    made.count(parse, asks, scans).count(scan, 0, scans);
    made.count(scan, builder.header(scan, scanLoop), scans * perScan);
  }
};

TEST(Blame, ScannerThatOnlyReadsIsBlamedOnItsCaller) {
  Scanner program;
  program.builder.function(program.scan).readsOnly = true;
  const Blame blame = blameOf(program.builder.build());
  EXPECT_EQ(topOf(blame), loopText(program.builder, program.parse, program.loop));
  ASSERT_FALSE(blame.regions.empty());
  EXPECT_NE(blame.regions.front().why.find("scan"), std::string::npos);
  EXPECT_GT(blame.regions.front().share, 0.9) << "the cycles burn in the callee";
  EXPECT_LT(blame.regions.front().selfShare, 0.1);
}

TEST(Blame, ReaderThatWalksAStructureIsBlamedItself) {
  Scanner program;
  program.builder.function(program.scan).readsOnly = true;
  program.builder.function(program.scan).walks = true;
  EXPECT_EQ(topOf(blameOf(program.builder.build())),
            loopText(program.builder, program.scan, program.scanLoop));
}

TEST(Blame, ScannerThatWritesIsBlamedItself) {
  const Scanner program;
  EXPECT_EQ(topOf(blameOf(program.builder.build())),
            loopText(program.builder, program.scan, program.scanLoop));
}

TEST(Blame, ReadersOfReadersLeadToTheOneThatRepeats) {
  Scanner program;
  // parse reads only as well, but its loop is what asks again: the walk up ends there.
  program.builder.function(program.scan).readsOnly = true;
  program.builder.function(program.parse).readsOnly = true;
  EXPECT_EQ(topOf(blameOf(program.builder.build())),
            loopText(program.builder, program.parse, program.loop));
}

TEST(Blame, WhoRepeatsIsBlamedForWorkThatCostsTheSameOnBothSides) {
  // scan walks the whole input on the fast side too, once: decoding again and again is the caller's
  // idea.
  const Scanner program(true);
  const Blame blame = blameOf(program.builder.build());
  EXPECT_EQ(topOf(blame), loopText(program.builder, program.parse, program.loop));
  ASSERT_FALSE(blame.regions.empty());
  EXPECT_NE(blame.regions.front().why.find("repeats"), std::string::npos);
}

TEST(Blame, StandardLibraryIsBlamedOnItsUser) {
  Scanner program;
  program.builder.function(program.scan).file = "/usr/include/c++/12/bits/stl_algo.h";
  const Blame blame = blameOf(program.builder.build());
  EXPECT_EQ(topOf(blame), loopText(program.builder, program.parse, program.loop));
  ASSERT_GE(blame.regions.size(), 2u);
  EXPECT_EQ(blame.regions[1].function, "scan");
}

TEST(Blame, LibraryWorkInALoopBlamesTheLoop) {
  // for (i = 0; i < strlen(s); ++i): the loop itself is linear.
  TraceBuilder builder;
  const uint32_t run = builder.addFunction("run");
  const uint32_t loop = builder.addLoop(run), header = builder.header(run, loop);
  builder.addCall(run, header, "strlen", CallKind::Library);
  builder.addClass("slow", kSizes, [&](SampleRun &made, uint64_t n) {
    made.count(run, 0, 1).count(run, header, n).bytes(run, 0, n * n);
  });
  builder.addClass("fast", kSizes, [&](SampleRun &made, uint64_t n) {
    made.count(run, 0, 1).count(run, header, n).bytes(run, 0, n);
  });
  const Blame blame = blameOf(builder.build());
  EXPECT_EQ(topOf(blame), loopText(builder, run, loop));
  ASSERT_FALSE(blame.regions.empty());
  EXPECT_EQ(blame.regions.front().metric, "work per call");
  EXPECT_NE(blame.regions.front().why.find("strlen"), std::string::npos);
  EXPECT_EQ(blame.regions.front().perEntrySlow, 4096.0 / kWorkBytesPerInstruction);
}

TEST(Blame, LibraryWorkOutsideLoopsBlamesTheCall) {
  TraceBuilder builder;
  const uint32_t run = builder.addFunction("run"), step = builder.addFunction("step");
  const uint32_t loop = builder.addLoop(run), header = builder.header(run, loop);
  builder.addCall(run, header, "step");
  builder.addCall(step, 0, "realloc", CallKind::Library);
  for (const char *id : {"slow", "fast"})
    builder.addClass(id, kSizes, [&](SampleRun &made, uint64_t n) {
      made.count(run, 0, 1).count(run, header, n).count(step, 0, n);
      made.bytes(step, 0, n * (id[0] == 's' ? n : 8));
    });
  const Blame blame = blameOf(builder.build());
  ASSERT_FALSE(blame.regions.empty());
  EXPECT_EQ(blame.regions.front().kind, "call");
  EXPECT_EQ(blame.regions.front().function, "step");
}

/// run() calls `visit`, which calls itself.
struct Recursive {
  TraceBuilder builder;
  uint32_t run, visit, deeper;

  Recursive() {
    run = builder.addFunction("run");
    builder.function(run).harness = true;
    visit = builder.addFunction("visit");
    deeper = builder.addBlock(visit);
    builder.addCall(run, 0, "visit");
    builder.addCall(visit, deeper, "visit");
  }
  void addClass(const std::string &id,
                const std::vector<uint64_t> &sizes,
                const std::function<uint64_t(uint64_t)> &calls) {
    builder.addClass(id, sizes, [&](SampleRun &made, uint64_t n) {
      made.count(run, 0, 1).count(visit, 0, calls(n)).count(visit, deeper, calls(n) - 1);
    });
  }
};

TEST(Blame, ExponentialRecursionIsBlamed) {
  Recursive program;
  const std::vector<uint64_t> sizes = {4, 6, 8, 10, 12, 14, 16, 18};
  program.addClass("slow", sizes, [](uint64_t n) { return uint64_t{2} << n; });
  program.addClass("fast", sizes, [](uint64_t n) { return n; });
  const Blame blame = blameOf(program.builder.build(), 18);
  ASSERT_EQ(blame.regions.size(), 1u);
  const RegionFinding &region = blame.regions.front();
  EXPECT_EQ(region.kind, "recursion");
  EXPECT_EQ(region.function, "visit");
  EXPECT_EQ(region.metric, "calls");
  EXPECT_EQ(region.perEntrySlow, double(2 << 18)) << "calls per entry from outside";
  EXPECT_EQ(region.entriesSlow, 1);
  EXPECT_GT(region.exponentSlow, 2);
}

TEST(Blame, LinearRecursionIsNotBlamedForGrowing) {
  Recursive program;
  program.addClass("slow", kSizes, [](uint64_t n) { return n; });
  program.addClass("fast", kSizes, [](uint64_t) { return 1; });
  for (const RegionFinding &region : blameOf(program.builder.build()).regions)
    EXPECT_NE(region.kind, "recursion") << region.why;
}

TEST(Blame, LinearRecursionBesideAQuadraticLoopIsNotBlamed) {
  NestedLoops program;
  TraceBuilder &builder = program.builder;
  const uint32_t visit = builder.addFunction("visit"), deeper = builder.addBlock(visit);
  builder.addCall(program.run, 0, "visit");
  builder.addCall(visit, deeper, "visit");
  for (const char *id : {"slow", "fast"})
    builder.addClass(id, kSizes, [&](SampleRun &made, uint64_t n) {
      const bool slow = id[0] == 's';
      program.fill(made, n, slow ? n : 1);
      made.count(visit, 0, slow ? n * 8 : 1).count(visit, deeper, slow ? n * 8 - 1 : 0);
    });
  const Blame blame = blameOf(builder.build());
  EXPECT_EQ(topOf(blame), loopText(builder, program.parse, program.inner));
  EXPECT_EQ(blame.regions.size(), 1u);
}

TEST(Blame, MutualRecursionIsToldOnceByItsDearestMember) {
  TraceBuilder builder;
  const uint32_t run = builder.addFunction("run"), even = builder.addFunction("even");
  const uint32_t odd = builder.addFunction("odd");
  const uint32_t evenBody = builder.addBlock(even), oddBody = builder.addBlock(odd);
  builder.function(run).harness = true;
  builder.addCall(run, 0, "even");
  builder.addCall(even, evenBody, "odd");
  builder.addCall(odd, oddBody, "even");
  const std::vector<uint64_t> sizes = {4, 6, 8, 10, 12, 14};
  for (const char *id : {"slow", "fast"})
    builder.addClass(id, sizes, [&](SampleRun &made, uint64_t n) {
      const uint64_t calls = id[0] == 's' ? uint64_t{1} << n : n;
      made.count(run, 0, 1).count(even, 0, calls).count(even, evenBody, calls);
      made.count(odd, 0, calls).count(odd, oddBody, calls - 1);
    });
  const Blame blame = blameOf(builder.build(), 14);
  ASSERT_EQ(blame.regions.size(), 1u);
  EXPECT_EQ(blame.regions.front().kind, "recursion");
  EXPECT_EQ(blame.regions.front().function, "even") << "one block more per round";
}

TEST(Blame, MutualRecursionOfEqualsIsToldOnce) {
  TraceBuilder builder;
  const uint32_t run = builder.addFunction("run"), even = builder.addFunction("even");
  const uint32_t odd = builder.addFunction("odd");
  builder.function(run).harness = true;
  builder.addCall(run, 0, "even");
  builder.addCall(even, 0, "odd");
  builder.addCall(odd, 0, "even");
  for (const char *id : {"slow", "fast"})
    builder.addClass(id, {4, 6, 8, 10, 12, 14}, [&](SampleRun &made, uint64_t n) {
      const uint64_t calls = id[0] == 's' ? uint64_t{1} << n : n;
      made.count(run, 0, 1).count(even, 0, calls).count(odd, 0, calls);
    });
  const Blame blame = blameOf(builder.build(), 14);
  EXPECT_EQ(regionsOf(blame).size(), 1u);
}

} // namespace
} // namespace perfidy
