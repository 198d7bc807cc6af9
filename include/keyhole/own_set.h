#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>

#include "keyhole/set.h"

#pragma GCC visibility push(default)
namespace keyhole {

/// A compact convex set K of your own: the dimension and the oracle are enough, the rest is
/// optional. All functions must be callable from several threads at once.
struct OwnSet {
  /// The number of coordinates.
  std::size_t dimension = 0;
  /// Writes v = argmin over K of <d, v>, one of them, the same for the same d.
  std::function<void(std::span<const double> d, std::span<double> v)> minimise = {};
  /// Its name, and the spec of the set: states are restored into sets of the same name, so put what
  /// distinguishes it into it. One line.
  std::string name = "own_set";
  /// Whether x is in K. By default minimising decides, with a certificate: x is outside if a
  /// direction separates it from K by more than 1e-9 R, and inside if vertices and the ball of
  /// radius r hold it to 1e-9 R. It asks at most about 4000 + 160 n times. Where that or rounding
  /// leaves both unproved, x is inside if a point of K is found within 5e-9 R of it.
  std::function<bool(std::span<const double> x)> contains = {};
  /// Puts a point of K that rounding has moved back on signs and bounds which contains() takes
  /// exactly; see Oracle::settle().
  std::function<void(std::span<double> x)> settle = {};
  /// Writes the point of K nearest to z. By default there is no projection.
  std::function<void(std::span<const double> z, std::span<double> nearest)> project = {};
  /// Centre, radii and diameter. By default they are estimated.
  std::optional<Geometry> geometry = {};
};

namespace sets {

/// A set of your own. Where no geometry is given it is found by minimising, with a certificate:
/// whatever K is, the radii and the exploration are right if the oracle is.
///
/// - Set: what minimise() describes: the hull of its answers. check_set() of keyhole/testing.h
///   tells whether the oracle and what else is given are right.
/// - Oracle: your minimise().
/// - Geometry: the one that is given, or an estimate (below); flat if the answers show it. With a
///   geometry in more than 1500 dimensions the set is taken for one that is not flat, and explored
///   on its inscribed sphere.
/// - Projection: none unless you give project().
/// - Cost: that of your minimise(). Without a geometry the construction takes 2 n + max(200, 10 n)
///   calls up to 100 dimensions, above it 2 n + max(1000, min(3 n, 3000)).
/// - Refuses: dimension 0; no oracle, one that answers what is no point, or always the same; a name
///   that is not one line; more than 1500 dimensions without a geometry.
///
/// The estimate:
/// - The hull of K from the answers to the axes and to normal directions orthogonal to what has
///   been found, until they show no width.
/// - A list of vertices v_j, with the weights w_j of a D-optimal design. It is what is explored:
///   every draw is an answer of the oracle, so in K.
/// - p = sum w_j v_j, and with Sigma the covariance of the list, lambda its least eigenvalue, kappa
///   the largest (v_j - p) . Sigma^-1 (v_j - p): r = max(sqrt(lambda / kappa), lambda / max ||v_j -
///   p||). The hull of the list, and so K, holds that ball: a random variable of mean 0 and
///   variance s^2 that is at least -b has values of at least s^2 / b (Bhatia and Davis 2000). r is
///   cautious: for a ball it is 1 / n of the true one.
/// - R and D from the box of K along the axes of Sigma: upper bounds.
///
/// @code
/// const auto corners = [](std::span<const double> d, std::span<double> v) {
///   for (std::size_t i = 0; i < d.size(); ++i) v[i] = d[i] < 0 ? 1 : 0;
/// };
/// const auto set = keyhole::own_set({.dimension = 2, .minimise = corners, .name = "square"});
/// const bool inside = set->contains(std::vector<double>{0.5, 0.25});  // true
/// // keyhole::own_set({.dimension = 2}) throws InvalidArgument
/// @endcode
[[nodiscard]] SetPtr own_set(OwnSet description);

}  // namespace sets

using sets::own_set;

}  // namespace keyhole
#pragma GCC visibility pop
