#pragma once

#include <cstddef>

#include "keyhole/list.h"
#include "keyhole/set.h"

#pragma GCC visibility push(default)
namespace keyhole {

namespace sets {

/// A ball of an lp norm, with weights.
///
/// - Set: {x : sum_i (w_i |x_i|)^p <= radius^p}, 1 <= p <= inf, with positive weights w; for p =
///   inf {x : w_i |x_i| <= radius}.
/// - Oracle: with g = d / w and 1/p + 1/q = 1, v_i = -radius / w_i sign(g_i) |g_i|^(q-1) /
///   ||g||_q^(q-1), and -radius / w_1 e_1 for d = 0. For p = 1 -radius / w_i sign(d_i) e_i for the
///   first i of largest |g_i|, sparse. For p = inf radius / w_i where d_i < 0, else -radius / w_i.
/// - Geometry: p = 0, D = 2 R, all exact: R = radius / min w for p <= 2, else radius (sum
///   w_i^-s)^(1/s) with s = 2p / (p - 2); r = radius / max w for p >= 2, else radius / (sum
///   w_i^s)^(1/s) with s = 2p / (2 - p). With weights 1 the smaller is the larger times n^-|1/2 -
///   1/p|.
/// - Projection: by clamping for p = inf, by Michelot's method (1986) for p = 1, else by Newton's
///   method on the multiplier.
/// - Cost: O(n); the projection for other p takes some tens of n powers.
/// - Refuses: p < 1; p between 1 and 1 + 1e-6, where p = 1 is meant; weights more than a factor of
///   1e4 apart; no weight; a radius or a weight outside 1e-50 to 1e50.
///
/// @code
/// const auto set = keyhole::lp_ball(4, {1, 2});
/// const bool inside = set->contains(std::vector<double>{0.5, 0.25});  // true
/// // keyhole::lp_ball(2, 0.5) throws InvalidArgument
/// @endcode
[[nodiscard]] SetPtr lp_ball(double p, List<double> weights, double radius = 1);
/// The ball with weights 1 in dimension n >= 1.
[[nodiscard]] SetPtr lp_ball(std::size_t n, double p, double radius = 1);

/// The hull of the vectors with k entries +-radius and otherwise zeros.
///
/// - Set: {x : |x_i| <= radius, sum |x_i| <= k radius} in dimension n, 1 <= k <= n. Its norm
///   max(max |x_i|, sum |x_i| / k) is the dual of the k-norm (Wu, Ding, Sun, Toh 2014).
/// - Oracle: -radius sign(d_i) at the k largest |d_i| (sign(0) = 1; of several the first), sparse.
/// - Geometry: p = 0, r = radius min(1, k / sqrt n), R = radius sqrt k, D = 2 R.
/// - Projection: that of the magnitudes onto solid_hypersimplex().
/// - Cost: O(n); the projection O(n log n).
/// - Refuses: n = 0; k outside 1 to n; a radius outside 1e-50 to 1e50.
///
/// @code
/// const auto set = keyhole::k_sparse_ball(3, 2);
/// const bool inside = set->contains(std::vector<double>{1, -1, 0});  // true
/// // keyhole::k_sparse_ball(3, 4) throws InvalidArgument
/// @endcode
[[nodiscard]] SetPtr k_sparse_ball(std::size_t n, std::size_t k, double radius = 1);

/// The hull of the vectors of length up to the radius with at most k entries.
///
/// - Set: the hull of {x : ||x|| <= radius, at most k x_i are not 0} in dimension n, 1 <= k <= n:
///   the ball of the k-support norm, between l1_ball() for k = 1 and ball() for k = n.
/// - Oracle: -radius d_S / ||d_S|| for the k largest |d_i| (of several the first), sparse, and
///   -radius e_1 for d = 0.
/// - Geometry: p = 0, r = radius sqrt(k / n), R = radius, D = 2 radius.
/// - Projection: Newton's method on the multiplier of the norm, within it on that of the shares of
///   the coordinates (McDonald, Pontil, Stamos 2014).
/// - Cost: O(n) on average; gauge and membership O(n log n), the projection O(n) a step.
/// - Refuses: n = 0; k outside 1 to n; a radius outside 1e-50 to 1e50.
///
/// Argyriou, Foygel, Srebro: Sparse prediction with the k-support norm, 2012.
///
/// @code
/// const auto set = keyhole::k_support_ball(3, 2);
/// const bool inside = set->contains(std::vector<double>{0.6, -0.8, 0});  // true
/// // keyhole::k_support_ball(3, 4) throws InvalidArgument
/// @endcode
[[nodiscard]] SetPtr k_support_ball(std::size_t n, std::size_t k, double radius = 1);

/// Vectors whose k largest magnitudes sum to at most the radius.
///
/// - Set: {x : the k largest |x_i| sum to at most radius} in dimension n, 1 <= k <= n: the convex
///   hull of the l1 ball of that radius and the box |x_i| <= radius / k; the polar of
///   k_sparse_ball().
/// - Oracle: the better of -radius sign(d_i) e_i for the first i of largest |d_i|, sparse, and
///   -radius / k sign(d) (sign(0) = 1); of equal ones the first, but the second for k = 1.
/// - Geometry: p = 0, r = radius / sqrt k, R = radius max(1, sqrt n / k), D = 2 R.
/// - Projection: as for owl_ball().
/// - Cost: O(n); the projection O(n log n).
/// - Refuses: n = 0; k outside 1 to n; a radius outside 1e-50 to 1e50.
///
/// Wu, Ding, Sun, Toh: On the Moreau-Yosida regularization of the vector k-norm related functions,
/// 2014.
///
/// @code
/// const auto set = keyhole::k_norm_ball(3, 2);
/// const bool inside = set->contains(std::vector<double>{0.5, -0.5, 0.5});  // true
/// // keyhole::k_norm_ball(3, 0) throws InvalidArgument
/// @endcode
[[nodiscard]] SetPtr k_norm_ball(std::size_t n, std::size_t k, double radius = 1);

/// The ball of the ordered weighted l1 norm.
///
/// - Set: {x : sum_k w_k |x|_(k) <= radius}, the magnitudes in falling order, with weights w_1 >=
///   w_2 >= ... >= w_n >= 0, w_1 > 0.
/// - Oracle: -radius / W_k sign(d_i) at the k largest |d_i| (of several the first), W_k = w_1 + ...
///   + w_k, for the first k that maximises the sum of those |d_i| over W_k, of those for which
///   these are vertices: k = 1 or w_k < w_1, and k = n or w_{k+1} > 0; sparse.
/// - Geometry: p = 0, r = radius / ||w||, R = radius max_k sqrt k / W_k, D = 2 R.
/// - Projection: Newton's method on the multiplier, pooling adjacent violators.
/// - Cost: O(n log n).
/// - Refuses: no weight; weights that rise or are negative; a first weight or a radius outside
///   1e-50 to 1e50.
///
/// Bogdan, van den Berg, Sabatti, Su, Candes: SLOPE, 2015; Zeng, Figueiredo: The ordered weighted
/// l1 norm, 2014.
///
/// @code
/// const auto set = keyhole::owl_ball({1, 0.5, 0.25});
/// const bool inside = set->contains(std::vector<double>{0.5, -0.5, 0.5});  // true
/// // keyhole::owl_ball({0.5, 1}) throws InvalidArgument
/// @endcode
[[nodiscard]] SetPtr owl_ball(List<double> weights, double radius = 1);

/// The ball of the group lasso: lengths of groups that sum to at most the radius.
///
/// - Set: {x : ||x_1|| + ... + ||x_m|| <= radius}, x_g the coordinates of group g: sizes[0]
///   coordinates, then sizes[1], and so on.
/// - Oracle: -radius d_g / ||d_g|| in the first group of largest ||d_g||, sparse, and -radius e_1
///   for d = 0.
/// - Geometry: p = 0, r = radius / sqrt m, R = radius, D = 2 radius.
/// - Projection: that of the lengths ||x_g|| onto the solid simplex.
/// - Cost: O(n).
/// - Refuses: no group; an empty group; a radius outside 1e-50 to 1e50.
///
/// Yuan, Lin: Model selection and estimation in regression with grouped variables, 2006.
///
/// @code
/// const auto set = keyhole::group_ball({2, 1});
/// const bool inside = set->contains(std::vector<double>{0.3, 0.4, 0.25});  // true
/// // keyhole::group_ball({2, 0}) throws InvalidArgument
/// @endcode
[[nodiscard]] SetPtr group_ball(List<std::size_t> sizes, double radius = 1);

/// The ball of the latent group lasso: sums of vectors, each within one group, whose lengths sum to
/// at most the radius.
///
/// - Set: the hull of {x : ||x|| <= radius, x_i = 0 outside group g} over the groups g, lists of
///   coordinates from 0 on that may overlap. Every coordinate up to the largest one is in a group.
/// - Oracle: -radius d_g / ||d_g|| in the first group of largest ||d_g||, sparse; for d = 0
///   -radius at the least coordinate of the first group.
/// - Geometry: p = 0, r = radius sqrt(c / m), a lower bound, c the least number of the m groups
///   that a coordinate is in; R = radius, D = 2 radius.
/// - Projection: none, and no gauge. Membership by minimising linear functions, as for own_set().
/// - Cost: O(the sizes of all groups).
/// - Refuses: no group; an empty group, or one with a coordinate twice; a coordinate in no group;
///   more than 1500 coordinates; a radius outside 1e-50 to 1e50.
///
/// Jacob, Obozinski, Vert: Group lasso with overlap and graph lasso, 2009.
///
/// @code
/// const auto set = keyhole::latent_group_ball({{0, 1}, {1, 2}});
/// const bool inside = set->contains(std::vector<double>{0.3, 0.8, 0.3});  // true
/// // keyhole::latent_group_ball({{0, 2}}) throws InvalidArgument
/// @endcode
[[nodiscard]] SetPtr latent_group_ball(const std::vector<std::vector<std::size_t>>& groups,
                                       double radius = 1);

/// An ellipsoid.
///
/// - Set: {x : (x - c)' A (x - c) <= 1}, A = matrix row by row, symmetric (to 1e-12 of its largest
///   entry) and positive definite, c = centre. Semi-axes a_1, ..., a_n along the coordinates are
///   those of A with 1 / a_i^2 on its diagonal.
/// - Oracle: c - A^-1 d / sqrt(d' A^-1 d) by Cholesky's factorisation, which is done once; for d =
///   0 as for e_1.
/// - Geometry: p = c, r = the largest eigenvalue of A to the power -1/2, R = the smallest one to
///   the same, D = 2 R.
/// - Projection: by the secular equation in the axes, whose digits are those of the build.
/// - Cost: O(n^2); O(n^3) once.
/// - Refuses: matrices that are not symmetric or not positive definite; R > 1e4 r; lists that do
///   not fit; numbers beyond 1e50.
///
/// Golub, Van Loan: Matrix Computations, 6.2.1.
///
/// @code
/// const auto set = keyhole::ellipsoid({2, 1, 1, 1}, {3, 0});
/// const bool inside = set->contains(std::vector<double>{3, 1});  // true
/// // keyhole::ellipsoid({1, 2, 2, 1}, {0, 0}) throws InvalidArgument
/// @endcode
[[nodiscard]] SetPtr ellipsoid(List<double> matrix, List<double> centre);

/// Signals in a line that change little, but for their mean.
///
/// - Set: {x : sum_i |x_{i+1} - x_i| <= radius, sum x = 0} in dimension n >= 2. The vertices are
///   +-radius s_k, 0 < k < n, with the step s_k = -(n - k)/n on the first k coordinates and k/n on
///   the others.
/// - Oracle: the vertex for the first k where the sum of the first k coordinates of d, less its
///   mean, has the largest magnitude; -radius s_1 for d = 0.
/// - Geometry: p = 0, r = radius / sqrt(4n - 6), R = radius sqrt(k (n - k) / n) with k =
///   floor(n/2), D = 2 R; flat, of hull dimension n - 1.
/// - Projection: dynamic programming and Newton's method on the multiplier (Johnson 2013).
/// - Cost: O(n).
/// - Refuses: n < 2; a radius outside 1e-50 to 1e50.
///
/// @code
/// const auto set = keyhole::total_variation_ball(4);
/// const bool inside = set->contains(std::vector<double>{-0.5, -0.5, 0.5, 0.5});  // true
/// // keyhole::total_variation_ball(1) throws InvalidArgument
/// @endcode
[[nodiscard]] SetPtr total_variation_ball(std::size_t n, double radius = 1);

/// Settings between bounds that stay near a point.
///
/// - Set: {lower <= x <= upper, ||x - c|| <= radius}, c = centre, which may be outside of the box.
/// - Oracle: with x(t) = clamp(c - t d), coordinate by coordinate, the corner x(infinity) if it is
///   in the ball, else the x(t) with ||x(t) - c|| = radius, whose t is found by a search of the
///   sorted breakpoints, of which two neighbours leave a square root; for d_i = 0 clamp(c_i), for d
///   = 0 as for e_1.
/// - Geometry: p is the centre of a largest ball inside, by bisection; R and D are upper bounds, of
///   the ball or of the box.
/// - Projection: as the oracle, with z - c for -d and t up to 1. Gauge: the larger of that of the
///   ball and of the bounds.
/// - Cost: O(n log n).
/// - Refuses: a box and a ball that have nothing in common; bounds that box() refuses; a centre of
///   another dimension; a radius outside 1e-50 to 1e50.
///
/// @code
/// const auto set = keyhole::ball_in_box({0, 0}, {1, 2}, 0.5, {1, 1});
/// const bool inside = set->contains(std::vector<double>{0.75, 1.25});  // true
/// // keyhole::ball_in_box({0, 0}, {1, 1}, 0.5, {3, 3}) throws InvalidArgument
/// @endcode
[[nodiscard]] SetPtr ball_in_box(List<double> lower, List<double> upper, double radius,
                                 List<double> centre);
/// The same about 0, with one lower and one upper bound for all n coordinates.
[[nodiscard]] SetPtr ball_in_box(double lower, double upper, std::size_t n, double radius = 1);

/// Positions long and short, with a limit for each and a total.
///
/// - Set: {lower <= x <= upper, sum |x_i| <= radius} with lower <= 0 <= upper: a cross-polytope
///   with bounds for each coordinate. With weights and no bounds it is lp_ball() with p = 1.
/// - Oracle: the coordinates in the order of falling |d_i|, of equal ones the first, go to their
///   bound against d_i until the radius is used, the last one in part; 0 where d_i = 0; sparse.
/// - Geometry: p is the centre of a largest ball inside, by bisection; R and D are upper bounds,
///   each by a fractional knapsack.
/// - Projection: the magnitudes go to the budget set of the bounds of their sides, as a knapsack
///   projects; the signs stay. Gauge: the larger of those of the bounds and of the sum.
/// - Cost: O(n log n).
/// - Refuses: bounds that do not have 0 between them, or that box() refuses; a radius outside 1e-50
///   to 1e50.
///
/// @code
/// const auto set = keyhole::l1_ball_in_box({-0.5, 0}, {0.5, 1});
/// const bool inside = set->contains(std::vector<double>{-0.25, 0.75});  // true
/// // keyhole::l1_ball_in_box({0.25}, {0.5}) throws InvalidArgument
/// @endcode
[[nodiscard]] SetPtr l1_ball_in_box(List<double> lower, List<double> upper, double radius = 1);
/// The same with one lower and one upper bound for all n coordinates.
[[nodiscard]] SetPtr l1_ball_in_box(double lower, double upper, std::size_t n, double radius = 1);

/// A ball that a plane cuts.
///
/// - Set: {||x - c|| <= radius, <normal, x> <= offset}, c = centre, in dimension n >= 2. With a =
///   normal / ||normal|| the plane has the height h = (offset - <normal, c>) / ||normal|| above c,
///   |h| < radius.
/// - Oracle: c - radius d / ||d|| if that is below the plane, else the point of the circle in the
///   plane that is farthest against d; its middle c + h a where d is a multiple of a; for d = 0 as
///   for e_1.
/// - Geometry: p = c - (radius - h) / 2 a, r = (radius + h) / 2, R^2 = r^2 + radius^2 - h^2, D = 2
///   radius for h >= 0, else 2 sqrt(radius^2 - h^2).
/// - Projection: onto the ball or the half-space if the other has what is found, else onto the
///   circle where they meet. Gauge: the larger of that of the ball and of the half-space.
/// - Cost: O(n).
/// - Refuses: a plane that cuts off nothing or leaves nothing; n < 2; a normal or a radius whose
///   length is outside 1e-50 to 1e50; numbers beyond 1e50.
///
/// @code
/// const auto set = keyhole::cut_ball({1, 2}, 0.5);
/// const bool inside = set->contains(std::vector<double>{-0.5, 0.5});  // true
/// // keyhole::cut_ball({1, 0}, 2) throws InvalidArgument
/// @endcode
[[nodiscard]] SetPtr cut_ball(List<double> normal, double offset, double radius,
                              List<double> centre);
/// The same about 0.
[[nodiscard]] SetPtr cut_ball(List<double> normal, double offset = 0, double radius = 1);

}  // namespace sets

using sets::lp_ball, sets::k_sparse_ball, sets::k_support_ball, sets::k_norm_ball, sets::owl_ball,
    sets::group_ball, sets::latent_group_ball, sets::ellipsoid, sets::total_variation_ball,
    sets::ball_in_box, sets::l1_ball_in_box, sets::cut_ball;

}  // namespace keyhole
#pragma GCC visibility pop
