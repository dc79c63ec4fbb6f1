// The verdicts on the four claims, from the figures of a study, in the words fixed before the
// corpus was made.
#pragma once

#include <nlohmann/json.hpp>

namespace perfidy {

/// C1 (there is a gap), C2 (its cause are programs), C3 (curvature transfers), C4 (optimizer and
/// activation features do not): each {verdict, why}. Reads typing, structure and triage of the
/// study.
nlohmann::ordered_json verdicts(const nlohmann::ordered_json &study);

} // namespace perfidy
