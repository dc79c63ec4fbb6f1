// Everything a reader of a report will see, gathered once.
//
// Filled by explain.cc; rendered by the report writers in tools/ (terminal, HTML, SARIF, JSON),
// which compute nothing of their own. The JSON form is described in findings.schema.md and is read
// back by findings_json.h, so that a report can be made later from the file alone.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace perfidy {

/// Version of the JSON form; raised when a field changes its meaning or goes away.
inline constexpr int kFindingsSchema = 1;

/// One rung of a ladder as measured.
struct CurvePoint {
  uint64_t size = 0;
  uint64_t cost = 0;
  bool heldOut = false;  ///< not used for the fit
  bool censored = false; ///< cost is a lower bound
};

/// The cost function of one side of a finding (of the class that stands for its cluster).
struct Curve {
  std::string
      model; ///< "constant", "log n", "n", "n log n", "n^p", "n^2", "n^3", "2^n" or "unknown"
  std::string formula;                      ///< readable, e.g. "12.1 n^2 + 340"
  double exponent = 0;                      ///< growth for large sizes, see CostFunction
  double exponentLow = 0, exponentHigh = 0; ///< 95 % interval
  double heldOutError = -1; ///< relative error on the held-out rung; -1 = none held out
  std::vector<double>
      coefficients; ///< {intercept, factor, power or 0, linear or 0}, see CostFunction
  std::vector<CurvePoint> points; ///< ascending by size
  std::string cluster;            ///< name of its cluster
  std::string classId;            ///< the class that stands for the cluster
};

/// A region blamed by a finding, most responsible first.
struct RegionFinding {
  std::string function; ///< display name
  std::string linkageName;
  std::string file, directory;
  uint32_t line = 0, endLine = 0, column = 0;
  std::string kind;   ///< "loop", "recursion", "call", "function"
  std::string metric; ///< what per-entry counts: "iterations", "calls", "work per iteration"
  double perEntrySlow = 0, perEntryFast = 0; ///< at the size of the gap
  double entriesSlow = 0, entriesFast = 0;
  double exponentSlow = 0, exponentFast = 0; ///< growth of per-entry in size
  double share = 0; ///< share of the gap that is spent inside the region, callees included
  double selfShare =
      0; ///< exact share of the gap spent in the function itself (sums to 1 over `shares`)
  std::string why; ///< one sentence
};

/// Exact share of the gap of one function (self cost, slow minus fast).
struct FunctionShare {
  std::string function, file;
  uint32_t line = 0;
  double share = 0;
};

/// A number that counts the repetitions of a pump: start + step * i in decimal, in repetition i.
struct PatternCounter {
  bool second = false;    ///< in pump2 instead of pump
  std::size_t offset = 0; ///< where in the pump it is inserted
  uint64_t start = 0, step = 1;
  uint32_t width = 0; ///< at least that many digits, padded with zeros
};

/// Input shape: prefix + pump*k + middle + pump2*k + suffix (middle and pump2 often empty). Raw
/// bytes.
struct PatternText {
  std::string prefix, pump, middle, pump2, suffix;
  std::string sequence =
      {};                ///< what changes from repetition to repetition, in words; usually empty
  int at = -1, at2 = -1; ///< byte of pump and pump2 before which it stands; -1 = not there
  std::vector<PatternCounter> counters = {}; ///< ascending by (second, offset); mostly none
  /// Over all parts: the simpler of two patterns has fewer.
  std::size_t bytes() const {
    return prefix.size() + pump.size() + middle.size() + pump2.size() + suffix.size();
  }
};

/// Two inputs of equal size, one on each side.
struct InputPair {
  std::string slowPath, fastPath; ///< relative to the output directory
  uint64_t size = 0, slowCost = 0, fastCost = 0;
  bool confirmed = false;           ///< both were run again and came out on the predicted sides
  std::string slowBytes, fastBytes; ///< raw; cut at kPairBytes for reports
};
inline constexpr std::size_t kPairBytes = 4096;

/// A node of the decision tree. Inner nodes have a condition; rows for which it holds go to `yes`.
struct TreeNodeText {
  int id = 0, yes = -1, no = -1; ///< children, -1 in leaves
  std::string condition;         ///< "loop at inlines.c:1221 runs more than 31 times per entry"
  std::string function, file;
  uint32_t line = 0;
  std::string leaf;      ///< "slow" or "fast", in leaves
  std::vector<int> rows; ///< runs of fast and of slow classes that reach the node
};

/// How far the tree can be believed: balanced accuracies in [0,1], -1 when not computable.
struct Validation {
  double heldOutClasses = -1, heldOutLow = -1, heldOutHigh = -1; ///< whole classes held out, 95 %
  double randomSplit = -1, majority = -1, permutation = -1;
  int classes = 0, runs = 0;
  bool beatsBaselines = false; ///< only then is the tree shown as an explanation
  std::string verdict;         ///< one sentence
};

struct Gap {
  double ratio = 0;  ///< slow cost / fast cost at `size`
  uint64_t size = 0; ///< largest common rung
  double growth = 0; ///< exponent with which the ratio grows in size
  std::string kind;  ///< "constant factor", "polynomial", "exponential"
};

struct Finding {
  std::string id;       ///< fingerprint: stable under line moves and link order
  std::string kind;     ///< "differential", "superlinear", "timeout", "outlier"
  std::string message;  ///< one plain sentence
  std::string sizeUnit; ///< where it is another than that of all findings, else empty
  Gap gap;
  Curve slow, fast;
  std::vector<RegionFinding> regions;
  std::vector<FunctionShare> shares; ///< descending, sum 1
  std::optional<PatternText> pattern, fastPattern;
  InputPair pair;
  /// Classes that are slow for the same cause, the one that tells it (slow.classId) included.
  std::vector<std::string> classes;
  std::vector<std::string> inputs; ///< the user's own files that are slow for it (triage)
  std::vector<TreeNodeText> tree;  ///< node 0 is the root; empty when not believable
  bool treeOverInputs = false;     ///< conditions speak of input features or parameters
  /// The tree's way to the slow leaves in declared parameters: "kernel = linear and C > 31". Empty
  /// when there are none or the tree is not believable.
  std::string rule;
  Validation validation;
};

/// One cluster of classes, also when no finding came of it.
struct ClusterSummary {
  std::string name; ///< "A" is the cheapest at the top common rung
  int classes = 0, runs = 0;
  std::string model;
  double exponent = 0;
  double costAtTop = 0;
  uint64_t topSize = 0;
};

struct Findings {
  int schema = kFindingsSchema;
  std::string target; ///< file name of the program
  std::string sizeUnit = "bytes";
  std::string costUnit = "weighted IR instructions";
  std::vector<Finding> findings; ///< worst first
  std::vector<ClusterSummary> clusters;
  std::vector<std::string> notes; ///< what a reader must know: too few sizes, censored classes...
  std::map<std::string, double>
      stats; ///< runs, classes, functions, ... (deterministic numbers only)
  std::vector<std::string> reproduce; ///< commands
};

} // namespace perfidy
