// What a set is like that tells nothing but the minimisers of linear functions.

#pragma once

#include <cstddef>
#include <vector>

#include "keyhole/set.h"
#include "sets/nearest_point.h"

namespace keyhole::sets {

/// What minimising linear functions shows of a convex set K in n dimensions.
struct EstimatedShape {
  /// Orthonormal directions of the hull of K, row by row.
  std::vector<double> hull_basis;
  /// Vertices v_j that span it, and the weights w_j > 0 of a D-optimal design, which sum to 1.
  std::vector<std::vector<double>> vertices;
  std::vector<double> weights;
  /// p = sum w_j v_j, r as Spread tells it within the hull. R and D are those of the box of K along
  /// the axes of the covariance, upper bounds.
  Geometry geometry;

  [[nodiscard]] std::size_t hull_dimension() const;
};

/// From the answers to +-e_i, to random_directions(n) of a fixed key (sets/sampled_vertices.h), and
/// to +- the axes of Sigma. The hull is complete if two normal directions orthogonal to what
/// was found show no width (1e-9 of the size), which is so with probability 1. Throws
/// InvalidArgument if an answer is not finite, or if K is a single point.
[[nodiscard]] EstimatedShape estimate_shape(std::size_t n, const NearestPoint::Minimise& minimise);

}  // namespace keyhole::sets
