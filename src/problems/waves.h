#pragma once

#include <vector>

#include "keyhole/problems.h"

namespace keyhole::problems {

/// s_1, s_2, ... up to where a wave begins again; coins, which never do, are 1, -1 here.
[[nodiscard]] std::vector<double> one_period(const AlternatingOptions& options, ProblemSeed seed);

}  // namespace keyhole::problems
