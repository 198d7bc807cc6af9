#pragma once

#include <cstddef>
#include <optional>
#include <vector>

namespace keyhole::studies {

/// A loss, how often it counts, and the point that it is of.
struct Seen {
  std::vector<double> point;
  double loss = 0;
  double count = 1;
};

/// How steeply losses rise along a coordinate, and the standard error of that.
struct Slope {
  double rise = 0;
  double error = 0;
};

/// The slope along coordinate i, by weighted least squares that are linear in all coordinates. At a
/// value of the coordinate they are quadratic in it, and the slope is the one there. There must be
/// more losses than the coordinates and two.
[[nodiscard]] Slope slope_along(const std::vector<Seen>& seen, std::size_t i,
                                std::optional<double> at = {});

}  // namespace keyhole::studies
