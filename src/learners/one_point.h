#pragma once

#include <span>
#include <vector>

#include "base/require.h"
#include "keyhole/set.h"

namespace keyhole::algorithms {

/// The start x_1 in (1 - alpha) K about the centre p: p + (1 - alpha) (start - p).
inline void shrink_towards(std::span<const double> p, double alpha, std::span<const double> start,
                           std::span<double> x) {
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = p[i] + (1 - alpha) * (start[i] - p[i]);
}

/// A vertex of p + (1 - alpha) (K - p), from that of K.
struct ShrunkVertex {
  const Vertex& vertex;
  std::span<const double> p;
  double alpha;

  void write_to(std::span<double> v) const {
    vertex.write_to(v);
    shrink_towards(p, alpha, v, v);
  }
};

/// y = x + delta u, the point that one-point learners play.
inline void perturb(std::span<const double> x, double delta, std::span<const double> u,
                    std::span<double> y) {
  for (std::size_t i = 0; i < y.size(); ++i) y[i] = x[i] + delta * u[i];
}

/// sum += weight g for the one-point estimate g = n / delta f(y) u, whose mean is the gradient at x
/// of f smoothed over the ball of radius delta (Flaxman, Kalai, McMahan 2005), n being the
/// dimension of the hull.
inline void add_one_point_estimate(double n, double delta, double loss, double weight,
                                   std::span<const double> u, std::span<double> sum) {
  const double factor = weight * (n / delta * loss);
  for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += factor * u[i];
}

/// x <- its projection onto p + (1 - alpha) (K - p), alpha < 1: that is p + (1 - alpha) (k - p) for
/// the projection k onto K of p + (x - p) / (1 - alpha). z is a buffer of the same size.
inline void project_shrunk(Oracle& oracle, std::span<const double> p, double alpha,
                           std::span<double> x, std::span<double> z) {
  for (std::size_t i = 0; i < x.size(); ++i) z[i] = p[i] + (x[i] - p[i]) / (1 - alpha);
  oracle.project(z, z);
  shrink_towards(p, alpha, z, x);
}

/// The start given by the user, checked, or the centre; they must outlive the answer.
std::span<const double> start_point(const Set& set, const std::vector<double>& start);

/// Throws InvalidArgument unless the horizon is a number of rounds that a double counts exactly.
void require_horizon(std::uint64_t horizon);

/// alpha = delta / r: plays x + delta u are in K for every x of p + (1 - alpha) (K - p). Throws
/// InvalidArgument unless delta <= r.
double shrinkage(double delta, double r, std::uint64_t horizon);

/// The reason why there is no bound if G was not given.
inline constexpr const char* no_gradient_bound = "no bound: gradient_bound (G) was not given";

}  // namespace keyhole::algorithms
