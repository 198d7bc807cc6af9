#pragma once

#include <array>
#include <functional>
#include <vector>

namespace keyhole::pages {

using Point2 = std::array<double, 2>;

/// The farthest point of a convex figure of the plane along a direction.
using Farthest2 = std::function<Point2(const Point2& direction)>;

/// The corners of the convex figure, counterclockwise: all of them if it is a polygon, else as many
/// as bring the outline within the tolerance of it.
[[nodiscard]] std::vector<Point2> outline(const Farthest2& farthest, double tolerance);

}  // namespace keyhole::pages
