#include "explainer/call_graph.h"

#include "sample_trace.h"

#include <gtest/gtest.h>
#include <iterator>

namespace perfidy {
namespace {

using sample::TraceBuilder;

/// "caller.site>callee" of every edge, in order.
std::vector<std::string> edgesOf(const Trace &trace, const CallGraph &graph) {
  std::vector<std::string> text;
  for (const CallEdge &edge : graph.edges)
    text.push_back(trace.functions[edge.caller].name + "." + std::to_string(edge.site) + ">" +
                   trace.functions[edge.callee].name);
  return text;
}

using Edges = std::vector<std::string>;

TEST(CallGraph, ResolvesDirectCallsByName) {
  TraceBuilder builder;
  const uint32_t a = builder.addFunction("a"), b = builder.addFunction("b");
  const uint32_t c = builder.addFunction("c");
  builder.addCall(a, 0, "b");
  builder.addCall(a, 0, "c");
  builder.addCall(b, 0, "c");
  builder.addCall(c, 0, "notInstrumented");
  const Trace trace = builder.build();
  const CallGraph graph = buildCallGraph(trace);
  EXPECT_EQ(edgesOf(trace, graph), (Edges{"a.0>b", "a.1>c", "b.0>c"}));
  EXPECT_EQ(graph.out[a], (std::vector<uint32_t>{0, 1}));
  EXPECT_EQ(graph.in[c], (std::vector<uint32_t>{1, 2}));
  EXPECT_TRUE(graph.out[c].empty());
  EXPECT_FALSE(graph.recursive(a) || graph.recursive(b) || graph.recursive(c));
}

TEST(CallGraph, ComponentsComeCalleesFirst) {
  TraceBuilder builder;
  const uint32_t top = builder.addFunction("top"), middle = builder.addFunction("middle");
  const uint32_t leaf = builder.addFunction("leaf");
  builder.addCall(top, 0, "middle");
  builder.addCall(middle, 0, "leaf");
  builder.addCall(top, 0, "leaf");
  const CallGraph graph = buildCallGraph(builder.build());
  EXPECT_LT(graph.component[leaf], graph.component[middle]);
  EXPECT_LT(graph.component[middle], graph.component[top]);
  ASSERT_EQ(graph.members.size(), 3u);
  EXPECT_EQ(graph.members[graph.component[top]], std::vector<uint32_t>{top});
}

TEST(CallGraph, StaticFunctionsOfOneNameBelongToTheirFile) {
  TraceBuilder builder;
  const uint32_t userA = builder.addFunction("userA", "a.c");
  const uint32_t helperA = builder.addFunction("helper", "a.c");
  const uint32_t userB = builder.addFunction("userB", "b.c");
  const uint32_t helperB = builder.addFunction("helper", "b.c");
  builder.addCall(userA, 0, "helper");
  builder.addCall(userB, 0, "helper");
  const CallGraph graph = buildCallGraph(builder.build());
  ASSERT_EQ(graph.edges.size(), 2u);
  EXPECT_EQ(graph.edges[0].caller, userA);
  EXPECT_EQ(graph.edges[0].callee, helperA);
  EXPECT_EQ(graph.edges[1].caller, userB);
  EXPECT_EQ(graph.edges[1].callee, helperB);
}

TEST(CallGraph, CopiesOfAnInlineFunctionAreAllMeantFromElsewhere) {
  TraceBuilder builder;
  const uint32_t user = builder.addFunction("user", "user.c");
  const uint32_t first = builder.addFunction("copied", "a.h");
  const uint32_t second = builder.addFunction("copied", "b.h");
  builder.addCall(user, 0, "copied");
  const CallGraph graph = buildCallGraph(builder.build());
  ASSERT_EQ(graph.edges.size(), 2u);
  EXPECT_EQ(graph.edges[0].callee, first);
  EXPECT_EQ(graph.edges[1].callee, second);
}

/// Two functions with an indirect call each; `target` is called by one of them.
struct Indirect {
  TraceBuilder builder;
  uint32_t top, first, second, target;

  Indirect() {
    top = builder.addFunction("top");
    first = called("first");
    second = called("second");
    target = builder.addFunction("target");
    builder.addCall(first, 0, "", CallKind::Indirect);
    builder.addCall(second, 0, "", CallKind::Indirect);
  }

  /// A function that top calls directly, from a block of its own.
  uint32_t called(const std::string &name) {
    builder.addCall(top, builder.addBlock(top), name);
    return builder.addFunction(name);
  }

  sample::SampleRun &run(uint64_t ofFirst, uint64_t ofSecond, uint64_t ofTarget) {
    sample::SampleRun &made = builder.addRun(8);
    made.count(top, 0, 1).count(top, 1, ofFirst).count(top, 2, ofSecond);
    return made.count(first, 0, ofFirst).count(second, 0, ofSecond).count(target, 0, ofTarget);
  }

  /// Edges but those of top. Nothing calls top back: it has no caller, but that makes no recursion.
  Edges edges() const {
    const Trace trace = builder.build();
    Edges all = edgesOf(trace, buildCallGraph(trace)), kept;
    std::copy_if(all.begin(), all.end(), std::back_inserter(kept), [](const std::string &edge) {
      return edge.compare(0, 4, "top.") != 0;
    });
    return kept;
  }
};

TEST(CallGraph, IndirectCallComesFromTheSiteThatCoversEveryRun) {
  // Over the first run alone the first site would be the closer one.
  Indirect program;
  program.run(5, 9, 5);
  program.run(1, 9, 7);
  EXPECT_EQ(program.edges(), (Edges{"second.0>target"}));
}

TEST(CallGraph, OfTwoCoveringSitesTheCloserOneCalls) {
  Indirect program;
  program.run(6, 500, 5);
  program.run(8, 700, 8);
  EXPECT_EQ(program.edges(), (Edges{"first.0>target"}));
}

TEST(CallGraph, NoIndirectEdgeWhenNoSiteCovers) {
  Indirect program;
  program.run(5, 1, 5);
  program.run(1, 5, 5);
  EXPECT_EQ(program.edges(), Edges{});
}

TEST(CallGraph, FunctionsNeverEnteredAreNotResolved) {
  Indirect program;
  program.run(5, 5, 0);
  EXPECT_EQ(program.edges(), Edges{});
}

TEST(CallGraph, EntriesExplainedByDirectCallsNeedNoIndirectOne) {
  Indirect program;
  program.builder.addCall(program.first, 0, "target");
  program.run(5, 9, 5);
  EXPECT_EQ(program.edges(), (Edges{"first.1>target"}));
}

TEST(CallGraph, EntriesLeftOverByDirectCallsAreIndirect) {
  Indirect program;
  program.builder.addCall(program.first, 0, "target");
  program.run(2, 9, 8); // 2 of 8 are direct: 6 are left, which only the second site covers
  EXPECT_EQ(program.edges(), (Edges{"first.1>target", "second.0>target"}));
}

TEST(CallGraph, PassingFunctionIsPreferredToAnIndirectSite) {
  // A comparison function: passed once, called often; some indirect site fits its count exactly.
  Indirect program;
  const uint32_t sorter = program.called("sorter");
  program.builder.addCall(sorter, 0, "target", CallKind::Passed);
  program.run(64, 1, 64).count(program.top, 3, 1).count(sorter, 0, 1);
  EXPECT_EQ(program.edges(), (Edges{"sorter.0>target"}));
}

TEST(CallGraph, HarnessIsCalledFromOutside) {
  Indirect program;
  program.run(1, 1, 1);
  EXPECT_EQ(program.edges(), (Edges{"first.0>target"})) << "any other function has a caller";
  program.builder.function(program.target).harness = true;
  EXPECT_EQ(program.edges(), Edges{});
  program.builder.function(program.target).harness = false;
  program.builder.function(program.target).name = "main";
  EXPECT_EQ(program.edges(), Edges{});
}

TEST(CallGraph, FirstEntryIsNeverAFunctionsOwn) {
  // Called back from a library, and making an indirect call itself.
  TraceBuilder builder;
  const uint32_t callback = builder.addFunction("callback");
  builder.addCall(callback, 0, "", CallKind::Indirect);
  builder.addRun(8).count(callback, 0, 5);
  EXPECT_TRUE(buildCallGraph(builder.build()).edges.empty());
}

TEST(CallGraph, HandlersMayCallTheirDispatcherBack) {
  // top calls dispatch, which calls a handler through a pointer, which calls dispatch again.
  TraceBuilder builder;
  const uint32_t top = builder.addFunction("top"), dispatch = builder.addFunction("dispatch");
  const uint32_t handler = builder.addFunction("handler");
  builder.function(top).harness = true;
  builder.addCall(top, 0, "dispatch");
  builder.addCall(dispatch, 0, "", CallKind::Indirect);
  const uint32_t again = builder.addBlock(handler);
  builder.addCall(handler, again, "dispatch");
  builder.addRun(8)
      .count(top, 0, 1)
      .count(dispatch, 0, 9)
      .count(handler, 0, 9)
      .count(handler, again, 8);
  const Trace trace = builder.build();
  const CallGraph graph = buildCallGraph(trace);
  EXPECT_EQ(edgesOf(trace, graph),
            (Edges{"top.0>dispatch", "dispatch.0>handler", "handler.0>dispatch"}));
  EXPECT_TRUE(graph.recursive(handler));
  EXPECT_FALSE(graph.recursive(top));
}

TEST(CallGraph, IndirectRecursionAfterADirectCall) {
  TraceBuilder builder;
  const uint32_t top = builder.addFunction("top"), visit = builder.addFunction("visit");
  const uint32_t deeper = builder.addBlock(visit);
  builder.addCall(top, 0, "visit");
  builder.addCall(visit, deeper, "", CallKind::Indirect);
  builder.addRun(8).count(top, 0, 1).count(visit, 0, 9).count(visit, deeper, 8);
  const Trace trace = builder.build();
  const CallGraph graph = buildCallGraph(trace);
  EXPECT_EQ(edgesOf(trace, graph), (Edges{"top.0>visit", "visit.0>visit"}));
  EXPECT_TRUE(graph.recursive(visit));
}

TEST(CallGraph, SelfRecursionIsRecursive) {
  TraceBuilder builder;
  const uint32_t top = builder.addFunction("top"), self = builder.addFunction("self");
  builder.addCall(top, 0, "self");
  builder.addCall(self, 0, "self");
  const CallGraph graph = buildCallGraph(builder.build());
  EXPECT_TRUE(graph.recursive(self));
  EXPECT_FALSE(graph.recursive(top));
  EXPECT_NE(graph.component[self], graph.component[top]);
}

TEST(CallGraph, MutualRecursionIsOneComponent) {
  TraceBuilder builder;
  const uint32_t top = builder.addFunction("top"), even = builder.addFunction("even");
  const uint32_t odd = builder.addFunction("odd"), third = builder.addFunction("third");
  const uint32_t leaf = builder.addFunction("leaf");
  builder.addCall(top, 0, "even");
  builder.addCall(even, 0, "odd");
  builder.addCall(odd, 0, "third");
  builder.addCall(third, 0, "even");
  builder.addCall(odd, 0, "leaf");
  const CallGraph graph = buildCallGraph(builder.build());
  EXPECT_EQ(graph.component[even], graph.component[odd]);
  EXPECT_EQ(graph.component[even], graph.component[third]);
  EXPECT_EQ(graph.members[graph.component[even]], (std::vector<uint32_t>{even, odd, third}));
  EXPECT_TRUE(graph.recursive(even) && graph.recursive(odd) && graph.recursive(third));
  EXPECT_FALSE(graph.recursive(leaf) || graph.recursive(top));
  EXPECT_LT(graph.component[leaf], graph.component[even]);
  EXPECT_LT(graph.component[even], graph.component[top]);
}

} // namespace
} // namespace perfidy
