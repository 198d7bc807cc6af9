#pragma once

#include <memory>
#include <string>

#include "keyhole/problems.h"

namespace keyhole::problems {

/// completion() on a set that is none of its regions, with a spec of its own.
[[nodiscard]] std::unique_ptr<Problem> completion_on(SetPtr set, const CompletionOptions& options,
                                                     std::string spec, ProblemSeed seed);

}  // namespace keyhole::problems
