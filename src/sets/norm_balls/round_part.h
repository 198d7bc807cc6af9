// What balls that something cuts have in common.

#pragma once

#include <cmath>
#include <span>
#include <vector>

#include "keyhole/set.h"
#include "math/sums.h"

namespace keyhole::sets {

/// {x : ||x - centre|| <= radius}.
struct RoundPart {
  std::vector<double> centre;
  double radius = 0;

  [[nodiscard]] double distance(std::span<const double> x) const {
    const double* const c = centre.data();
    const double* const point = x.data();
    return std::sqrt(math::reduce(
        x.size(), [=](std::size_t i) { return (point[i] - c[i]) * (point[i] - c[i]); }));
  }

  /// The gauge about a point p within: gamma with ||p + (w - p) / gamma - centre|| = radius. Writes
  /// the subgradient y / <y, v> of y = p + v / gamma - centre, v = (w - p) / gamma; 0 at p.
  double gauge(std::span<const double> p, std::span<const double> w,
               std::span<double> subgradient) const;
};

/// A bound on R^2 about a point p for a set K within the ball,
///
///   ||x - p||^2 <= radius^2 + ||q||^2 - 2 min over K of <q, x - centre>,  q = p - centre,
///
/// which is exact where all extreme points are on the sphere. `least` is that minimum.
[[nodiscard]] double squared_reach(const RoundPart& ball, std::span<const double> p, double least);

}  // namespace keyhole::sets
