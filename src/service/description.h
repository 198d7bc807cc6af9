#pragma once

#include "keyhole/study.h"
#include "studies/space_json.h"

namespace keyhole::service {

/// {"set": "simplex(3)", "learner": "default", "seed": 0, ...}: what a study is made of, by the
/// names of `keyhole study create`.
[[nodiscard]] studies::Json description_json(const StudyDescription& description);

/// Reads it from the body of a request, which has a "name" as well. The set may have `largest`
/// coordinates, and is made by the catalogue to see whether it can be. Throws Problem or Error.
[[nodiscard]] StudyDescription read_description(const studies::Json& json,
                                                const Catalogue& catalogue, std::size_t largest);

/// The keys of such a body.
[[nodiscard]] const std::vector<std::string>& description_keys();

}  // namespace keyhole::service
