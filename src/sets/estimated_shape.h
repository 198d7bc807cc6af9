// What a set is like that tells nothing but the minimisers of linear functions.

#pragma once

#include <cstddef>
#include <vector>

#include "keyhole/set.h"
#include "sets/nearest_point.h"

namespace keyhole {

/// What minimising linear functions shows of a convex set K in n dimensions.
struct EstimatedShape {
  /// Orthonormal directions of the hull of K, row by row.
  std::vector<double> hull_basis;
  /// Vertices v_j that span it, and the weights w_j > 0 of a D-optimal design, which sum to 1.
  std::vector<std::vector<double>> vertices;
  std::vector<double> weights;
  /// p = sum w_j v_j. With Sigma the covariance within the hull, lambda its least eigenvalue, and
  /// kappa the largest (v_j - p) . Sigma^-1 (v_j - p),
  ///
  ///   r = max(sqrt(lambda / kappa), lambda / max ||v_j - p||).
  ///
  /// For a unit vector u of the hull X = <u, v_j - p> has the mean 0, the variance s^2 = u . Sigma
  /// u >= lambda and a least value of at least -min(sqrt kappa s, max ||v_j - p||); so its largest
  /// is at least s^2 over that (Bhatia and Davis 2000), and K, which has all v_j, reaches at least
  /// r beyond p along u. R and D are those of the box of K along the axes of Sigma, upper bounds.
  Geometry geometry;

  [[nodiscard]] std::size_t hull_dimension() const;
};

/// From the answers to +-e_i, to max(200, min(10 n, 4e6 / n)) normal directions of a fixed key,
/// and to +- the axes of Sigma. The hull is complete if two normal directions orthogonal to what
/// was found show no width (1e-9 of the size), which is so with probability 1. Throws
/// InvalidArgument if an answer is not finite, or if K is a single point.
[[nodiscard]] EstimatedShape estimate_shape(std::size_t n, const NearestPoint::Minimise& minimise);

}  // namespace keyhole
