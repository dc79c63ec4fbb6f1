// Numbers and phrases as people read them; shared by the terminal and SARIF writers so that one
// finding is described in the same words everywhere.
//
// Pure and independent of the locale; owned by tools. Never: computes something a finding does not
// already say.
#pragma once

#include "explainer/findings.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace perfidy {

/// Three significant digits with k, M, G, T behind large ones: "342", "12.1 M", "0.05"; "n/a" when
/// not finite.
std::string readableNumber(double value);

/// "64 KiB" for bytes when exact, else "1,000 bytes" or "1,000 <unit>".
std::string readableSize(uint64_t size, const std::string &unit);

/// 65536 -> "65,536".
std::string grouped(uint64_t value);

/// 0.684 -> "68 %", with a decimal below 10 %; "n/a" when not finite.
std::string readablePercent(double fraction);

/// 131.6 -> "132x"; below 10 with a decimal.
std::string readableRatio(double ratio);

/// "differential-cost", "superlinear-cost" or "hard-timeout" for the kind of a finding.
std::string_view ruleName(const std::string &kind);

/// `"x" + "<?" x k + "\n"`: empty parts are left out.
std::string patternExpression(const PatternText &pattern);

/// "n^2, exponent 2.00 (95 %: 1.98 to 2.02), held-out rung off by 1.3 %".
std::string growthPhrase(const Curve &curve);

/// "loop in handle_pointy_brace: 342 iterations per entry, 1.2 on the fast side; growing as n^1.00
/// against n^0.02; 68 % of the gap is spent inside".
std::string regionPhrase(const RegionFinding &region, bool hasFastSide);

/// Text of one region's place, "inlines.c:1221:7", as far as it is known; the target's name when
/// nothing is.
std::string placeOf(const RegionFinding &region, const std::string &target);

} // namespace perfidy
