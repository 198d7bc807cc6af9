#pragma once

#include "keyhole/study.h"
#include "studies/json/space_json.h"

namespace keyhole::service {

/// Throws Problem if a set has more coordinates than that.
void require_dimension(const Set& set, std::size_t largest);

/// Reads what studies::description_json() writes from the body of a request, which has a "name" as
/// well, and in which most may be missing. The set may have `largest`
/// coordinates, and is made by the catalogue to see whether it can be. Throws Problem or Error.
[[nodiscard]] StudyDescription read_description(const studies::Json& json,
                                                const Catalogue& catalogue, std::size_t largest);

/// The keys of such a body.
[[nodiscard]] const std::vector<std::string>& description_keys();

}  // namespace keyhole::service
