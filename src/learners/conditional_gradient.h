#pragma once

#include <algorithm>
#include <cstddef>
#include <span>

#include "keyhole/set.h"
#include "math/sums.h"

namespace keyhole::algorithms {

/// x <- (1 - sigma) x + sigma v.
inline void move_towards(const Vertex& v, double sigma, std::span<double> x) {
  for (double& coordinate : x) coordinate *= 1 - sigma;
  v.add_to(x, sigma);
}

/// F(z) = <linear, z> + weight sum_i (z_i - centre_i)^2 / variance_i.
struct DiagonalQuadratic {
  std::span<const double> linear;
  double weight;
  std::span<const double> centre;
  std::span<const double> variance;

  void write_gradient(std::span<const double> z, std::span<double> gradient) const {
    for (std::size_t i = 0; i < z.size(); ++i) {
      gradient[i] = linear[i] + 2 * weight * (z[i] - centre[i]) / variance[i];
    }
  }
};

/// What conditional gradients have come to.
struct Certificate {
  /// F(z) is at most so far above its least value over the set.
  double gap;
  /// How far it was to be, at most.
  double tolerance;
};

/// Conditional gradients with exact line search (Frank, Wolfe 1956): moves z, a point of the set,
/// until F(z) is within the tolerance of the least, or `most_calls` linear functions have been
/// minimised. `minimise` is the set's oracle; `gradient` and `vertex` are buffers of the same size.
template <class Minimise>
Certificate conditional_gradient(const DiagonalQuadratic& F, double tolerance, int most_calls,
                                 Minimise minimise, std::span<double> z, std::span<double> gradient,
                                 std::span<double> vertex) {
  double gap = 0;
  for (int call = 0; call < most_calls; ++call) {
    F.write_gradient(z, gradient);
    minimise(gradient).write_to(vertex);
    gap = math::reduce(z.size(), [&](std::size_t i) { return gradient[i] * (z[i] - vertex[i]); });
    if (!(gap > tolerance)) break;  // nor where it is not a number
    const double curvature = math::reduce(z.size(), [&](std::size_t i) {
      return (vertex[i] - z[i]) * (vertex[i] - z[i]) / F.variance[i];
    });
    const double step = std::min(1.0, gap / (2 * F.weight * curvature));
    for (std::size_t i = 0; i < z.size(); ++i) z[i] += step * (vertex[i] - z[i]);
  }
  return {gap, tolerance};
}

}  // namespace keyhole::algorithms
