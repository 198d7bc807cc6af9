// Lower and upper bounds of coordinates, as several sets take them.

#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace keyhole::sets {

/// Throws InvalidArgument unless there are as many lower as upper bounds, at least one of each, all
/// are moderate numbers, and each lower bound is below its upper bound; `what` names the set, as in
/// "a box".
void require_bounds(const std::string& what, std::span<const double> lower,
                    std::span<const double> upper);

/// Throws InvalidArgument unless the centre has n coordinates, all moderate numbers.
void require_centre(const std::string& what, std::size_t n, std::span<const double> centre);

/// "lower, upper" of a spec: two numbers and the dimension, "0, 1, 3", if all bounds are the same,
/// else two lists.
[[nodiscard]] std::string bounds_text(std::span<const double> lower, std::span<const double> upper);

}  // namespace keyhole::sets
