// The smallest of some numbers, and whether it is negative, by vector instructions.

#pragma once

#include <cstddef>
#include <span>

namespace keyhole::math {

// The first i with x_i <= x_j for all j, for at least one number and none that is not a number;
// where something is not, some i. Thread-safe.
std::size_t first_smallest(std::span<const double> x) noexcept;

// Whether some x_i has a sign: is below 0, -0, or not a number. Thread-safe.
bool any_sign(std::span<const double> x) noexcept;

}  // namespace keyhole::math
