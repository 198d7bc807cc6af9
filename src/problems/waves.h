#pragma once

#include <cstdint>
#include <vector>

#include "keyhole/problems.h"

namespace keyhole::problems {

/// cos(2 pi k / period), from + and * only so that its digits are the same everywhere.
[[nodiscard]] double cosine(std::uint64_t k, std::uint64_t period);
/// sin(2 pi k / period), likewise.
[[nodiscard]] double sine(std::uint64_t k, std::uint64_t period);

/// s_1, s_2, ... up to where a wave begins again; coins, which never do, are 1, -1 here.
[[nodiscard]] std::vector<double> one_period(const AlternatingOptions& options, ProblemSeed seed);

}  // namespace keyhole::problems
