// The smallest of some numbers, by vector instructions.

#pragma once

#include <cstddef>
#include <span>

namespace keyhole::math {

// The least x_i, for at least one number and none that is not a number. Thread-safe.
double smallest(std::span<const double> x) noexcept;

// The first i with x_i <= x_j for all j, for the same. Where something is not a number, some i.
std::size_t first_smallest(std::span<const double> x) noexcept;

}  // namespace keyhole::math
