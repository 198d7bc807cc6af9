#pragma once

#include <string>
#include <vector>

#include "keyhole/learner.h"

namespace keyhole::studies {

/// "1 play", "2 plays".
[[nodiscard]] std::string counted(std::uint64_t count, const std::string& what);

/// What somebody should look at, a sentence each.
[[nodiscard]] std::vector<std::string> alarms_of(const Summary& summary, const Status& status,
                                                 const LearnerOptions& options);

}  // namespace keyhole::studies
