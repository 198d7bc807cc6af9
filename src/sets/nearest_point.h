// The point of a convex set nearest to another, by nothing but minimising linear functions.

#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "keyhole/set.h"

namespace keyhole {

/// Wolfe's method ("Finding the nearest point in a polytope", 1976): the nearest point x of the
/// hull of a few vertices, then the vertex v that minimises <x - z, v>, which joins them unless
/// <x - z, v - x> >= -tolerance; vertices whose weight becomes 0 leave. On a polytope it ends after
/// finitely many steps; on a curved set it converges.
///
/// One a thread.
class NearestPoint {
 public:
  /// Writes a minimiser v of <direction, v> over K.
  using Minimise = std::function<void(std::span<const double> direction, std::span<double> v)>;

  /// K in n dimensions, no two points of it farther apart than `diameter`.
  NearestPoint(std::size_t n, double diameter, Minimise minimise);
  /// By an oracle of the set; the set must outlive this.
  explicit NearestPoint(const Set& set);

  /// x, a convex combination of vertices, with <z - x, v - x> <= 1e-10 D max(D, ||z - x||) for all
  /// v in K; `nearest` may be `z`. Whether that was reached: if not, x is the best found, and in K.
  bool find(std::span<const double> z, std::span<double> nearest);

  /// Whether z is in K, or nearer to it than `tolerance`: decided as soon as a point of K is that
  /// near or a vertex shows that none is.
  [[nodiscard]] bool is_within(std::span<const double> z, double tolerance);

 private:
  std::size_t n_;
  double diameter_;
  Minimise minimise_;
};

}  // namespace keyhole
