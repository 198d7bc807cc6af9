// A ball within the hull of points that span their space.

#pragma once

#include <vector>

namespace keyhole {

/// What is said of points that span their space by roundings only.
extern const char* const hidden_flat;

struct InnerBall {
  std::vector<double> centre;
  /// Never too large.
  double radius = 0;
  /// A design of the points that tells about all directions.
  std::vector<double> weights;
};

/// Of k + 1 points in k dimensions the largest ball there is, about the incentre. Of more points a
/// ball about the mean of a D-optimal design. Throws InvalidArgument with hidden_flat.
[[nodiscard]] InnerBall inner_ball(const std::vector<std::vector<double>>& points);

}  // namespace keyhole
