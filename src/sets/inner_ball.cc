#include "sets/inner_ball.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "base/require.h"
#include "math/dense.h"
#include "math/sums.h"

namespace keyhole::sets {

const char* const hidden_flat =
    "the points of a convex hull lie too close to a flat set to tell what is within: leave out a "
    "coordinate, or points";

namespace {

using Vector = std::vector<double>;

/// Of k + 1 points: with g_i the gradients of the barycentric coordinates, which are the inward
/// normals of the facets, r = 1 / sum |g_i| about the point with the weights |g_i| r.
InnerBall ball_of_simplex(const std::vector<Vector>& points) {
  const std::size_t k = points.size() - 1;
  math::Elimination edges(k);
  edges.reset(k);
  double longest = 0;
  for (std::size_t i = 0; i < k; ++i) {
    for (std::size_t j = 0; j < k; ++j) {
      edges.at(i, j) = points[i + 1][j] - points[0][j];
      longest = std::max(longest, std::abs(edges.at(i, j)));
    }
  }
  base::require(edges.factorise(1e-10 * longest), hidden_flat);
  // Edge i times g_j is 1 for i = j, else 0: g_j solves edges g = e_j.
  Vector first(k, 0.0);
  Vector lengths(k + 1);
  for (std::size_t j = 0; j < k; ++j) {
    Vector g(k, 0.0);
    g[j] = 1;
    edges.solve(g);
    math::add(first, -1, g);
    lengths[j + 1] = math::norm(g);
  }
  lengths[0] = math::norm(first);
  const double radius = 1 / math::sum(lengths);
  Vector centre(k, 0.0);
  for (std::size_t i = 0; i <= k; ++i) math::add(centre, lengths[i] * radius, points[i]);
  return {centre, radius, Vector(k + 1, 1 / static_cast<double>(k + 1))};
}

/// The least eigenvalue of a positive definite matrix, from below and to a thousandth: t is below
/// it if the matrix less t has Cholesky's factor.
double least_eigenvalue(const Vector& matrix, std::size_t k) {
  const auto is_below = [&](double t) {
    Vector shifted = matrix;
    for (std::size_t i = 0; i < k; ++i) shifted[i * k + i] -= t;
    return math::cholesky(shifted, k);
  };
  double high = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < k; ++i) high = std::min(high, matrix[i * k + i]);
  double low = high / 2;
  for (; low > 1e-30 * high && !is_below(low); low /= 2) high = low;
  while (high > 1.001 * low) {
    const double middle = (low + high) / 2;
    (is_below(middle) ? low : high) = middle;
  }
  return low * (1 - 1e-9);
}

/// Of any points, by a D-optimal design, for which kappa is about k: these are John's ellipsoids.
InnerBall ball_of_design(const std::vector<Vector>& points) {
  const std::size_t k = points.front().size();
  const PointSpace space = whole_space(k);
  Vector weights = optimal_design(space, points, bearable_steps(k, points.size()));
  const Moments of(space, points, weights);
  const Spread spread(of, points, weights);
  return {of.mean(), spread.radius(least_eigenvalue(spread.covariance, k)), weights};
}

}  // namespace

Spread::Spread(const Moments& moments, const std::vector<Vector>& points, const Vector& weights) {
  const std::size_t k = moments.mean().size();
  covariance.assign(k * k, 0.0);
  Vector scratch(k);
  for (std::size_t i = 0; i < points.size(); ++i) {
    leverage = std::max(leverage, moments.leverage(points[i], scratch));
    Vector away = points[i];
    math::add(away, -1, moments.mean());
    farthest = std::max(farthest, math::norm(away));
    for (std::size_t j = 0; j < k; ++j) {
      math::add(std::span(covariance).subspan(j * k, k), weights[i] * away[j], away);
    }
  }
}

double inner_radius(double lambda, double leverage, double farthest) {
  return std::max(std::sqrt(std::max(lambda, 0.0) / leverage), lambda / farthest);
}

double Spread::radius(double lambda) const { return inner_radius(lambda, leverage, farthest); }

InnerBall inner_ball(const std::vector<std::vector<double>>& points) {
  if (points.size() == points.front().size() + 1) return ball_of_simplex(points);
  try {
    return ball_of_design(points);
  } catch (const InvalidArgument&) {
    throw InvalidArgument(hidden_flat);
  }
}

}  // namespace keyhole::sets
