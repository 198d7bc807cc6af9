// A ball within the hull of points that span their space.

#pragma once

#include <vector>

#include "sets/moments.h"

namespace keyhole::sets {

/// What is said of points that span their space by roundings only.
extern const char* const hidden_flat;

/// How far the hull of points reaches about p at least, of the least eigenvalue lambda of Sigma,
/// kappa and the largest ||v - p||; see Spread::radius().
[[nodiscard]] double inner_radius(double lambda, double leverage, double farthest);

/// What points with weights that sum to 1 tell about their hull: their covariance Sigma about their
/// mean p, the largest leverage kappa = (v - p) . Sigma^-1 (v - p) and the largest ||v - p||.
struct Spread {
  std::vector<double> covariance;
  double leverage = 0;
  double farthest = 0;

  /// `moments` are those of the points with these weights, in a space that they span.
  Spread(const Moments& moments, const std::vector<std::vector<double>>& points,
         const std::vector<double>& weights);

  /// How far the hull reaches about p at least, with lambda the least eigenvalue of Sigma:
  ///
  ///   r = max(sqrt(lambda / kappa), lambda / max ||v - p||).
  ///
  /// For a unit vector u X = <u, v - p> has the mean 0, the variance s^2 = u . Sigma u >= lambda
  /// and a least value of at least -min(sqrt kappa s, max ||v - p||); so its largest is at least
  /// s^2 over that (Bhatia and Davis 2000).
  [[nodiscard]] double radius(double lambda) const;
};

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

}  // namespace keyhole::sets
