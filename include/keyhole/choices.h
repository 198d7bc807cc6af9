#pragma once

#include <cstddef>
#include <vector>

#include "keyhole/list.h"
#include "keyhole/set.h"
#include "keyhole/sets.h"

/// \file
/// Sets of budgets, choices and orders. Of those that are told by a budget, {lower <= x <= upper,
/// <a, x> <= total}, bounds hold exactly and the sum to membership_tolerance R; they project by
/// Newton's steps for the one multiplier (Cominetti, Mascarenhas, Silva 2014), each in O(n), or by
/// sorting its breakpoints (Brucker 1984) in O(n log n), and have the gauge max <c, w - p> / (b -
/// <c, p>) over their constraints <c, x> <= b. Weights more than a factor of 1e5 apart are refused.

#pragma GCC visibility push(default)
namespace keyhole {

namespace sets {

/// Numbers from 0 to 1.
///
/// - Set: {0 <= x <= 1} in dimension n >= 1: box(0, 1, n), which is its spec.
/// - Oracle: 1 where d_i < 0, else 0.
/// - Geometry: p = 1/2 1, r = 1/2, R = sqrt(n) / 2, D = sqrt n.
/// - Projection: by clamping.
/// - Cost: O(n).
/// - Refuses: n = 0.
///
/// @code
/// const auto set = keyhole::hypercube(3);
/// const bool inside = set->contains(std::vector<double>{0, 0.5, 1});  // true
/// // keyhole::hypercube(0) throws InvalidArgument
/// @endcode
[[nodiscard]] SetPtr hypercube(std::size_t n);

/// k of n things.
///
/// - Set: {0 <= x <= size, sum x = k size} in dimension n >= 2, 1 <= k <= n - 1.
/// - Oracle: size at the k smallest d_i, of equal ones the first; sparse.
/// - Geometry: p = k size / n 1, r = size min(k, n - k) / sqrt(n (n - 1)), R = size sqrt(k (n - k)
///   / n), D = size sqrt(2 min(k, n - k)); flat, of hull dimension n - 1.
/// - Projection: clamped to the bounds, and by the one multiplier of the sum (see choices.h).
/// - Cost: O(n) on average, by selection.
/// - Refuses: n < 2; k outside 1 to n - 1, which leaves nothing to choose; a size outside 1e-50 to
///   1e50.
///
/// @code
/// const auto set = keyhole::hypersimplex(4, 2);
/// const bool inside = set->contains(std::vector<double>{1, 0.5, 0.5, 0});  // true
/// // keyhole::hypersimplex(4, 4) throws InvalidArgument
/// @endcode
[[nodiscard]] SetPtr hypersimplex(std::size_t n, std::size_t k, double size = 1);

/// At most k of n things.
///
/// - Set: {0 <= x <= size, sum x <= k size} in dimension n >= 1, 1 <= k <= n.
/// - Oracle: size at the k smallest d_i, of equal ones the first, as far as they are negative;
///   sparse.
/// - Geometry: p = r 1 with r = size min(1/2, k / (n + sqrt n)), R^2 = n r^2 + k size (size - 2 r),
///   D = size sqrt(min(2 k, n)).
/// - Projection: clamped to the bounds, and by the one multiplier of the sum (see choices.h).
/// - Cost: O(n) on average, by selection.
/// - Refuses: n = 0; k outside 1 to n; a size outside 1e-50 to 1e50.
///
/// @code
/// const auto set = keyhole::solid_hypersimplex(3, 2);
/// const bool inside = set->contains(std::vector<double>{1, 0.5, 0});  // true
/// // keyhole::solid_hypersimplex(3, 4) throws InvalidArgument
/// @endcode
[[nodiscard]] SetPtr solid_hypersimplex(std::size_t n, std::size_t k, double size = 1);

/// A budget for things of different prices.
///
/// - Set: {x >= lower, <weights, x> <= total} with weights > 0: the solid simplex in other units,
///   and from lower bounds on.
/// - Oracle: with s = total - <weights, lower>, lower + s / weights_i e_i for the first i of
///   smallest d_i / weights_i if that is negative, else lower.
/// - Geometry: p = lower + r 1, the incentre, with r = s / (sum weights + ||weights||); R and D
///   from the n + 1 vertices, exactly.
/// - Projection: clamped to the bounds, and by the one multiplier of the sum (see choices.h).
/// - Cost: O(n).
/// - Refuses: lower bounds that cost the total or more; weights outside 1e-50 to 1e50 or more than
///   a factor of 1e5 apart; lists of different lengths; numbers beyond 1e50.
///
/// @code
/// const auto set = keyhole::weighted_simplex({1, 2}, 10);
/// const bool inside = set->contains(std::vector<double>{4, 3});  // true
/// // keyhole::weighted_simplex({1, 2}, 10, 5) throws InvalidArgument
/// @endcode
[[nodiscard]] SetPtr weighted_simplex(List<double> weights, double total, List<double> lower);
/// The same with one lower bound for all coordinates.
[[nodiscard]] SetPtr weighted_simplex(List<double> weights, double total = 1, double lower = 0);

/// Parts of a total, with a least and a most for each.
///
/// - Set: {lower <= x <= upper, <weights, x> = total} in dimension n >= 2, with weights > 0, 1
///   unless more is said.
/// - Oracle: from lower on, the coordinates in the order of d_i / weights_i, of equal ones the
///   first, are raised to upper until the total is reached, the last one in part (Dantzig 1957).
/// - Geometry: with a_i = sqrt(1 - weights_i^2 / ||weights||^2), the length of e_i within the hull,
///   r = min(half of the least (upper_i - lower_i) / a_i, what the total is away from those of the
///   bounds / <weights, a>), the largest there is, and p = lower + r a + t (upper - lower - 2 r a),
///   t from the total. With the same bounds for all and weights of 1 R and D are exact; else upper
///   bounds, as those of knapsack(). It is flat, of hull dimension n - 1.
/// - Projection: clamped to the bounds, and by the one multiplier of the sum (see choices.h).
/// - Cost: O(n log n).
/// - Refuses: a total that the bounds do not reach, or reach only at their ends; n < 2; bounds that
///   box() refuses; weights outside 1e-50 to 1e50 or more than a factor of 1e5 apart.
///
/// @code
/// const auto set = keyhole::capped_simplex({0, 0.25}, {0.5, 1});
/// const bool inside = set->contains(std::vector<double>{0.25, 0.75});  // true
/// // keyhole::capped_simplex({0, 0}, {0.5, 0.5}) throws InvalidArgument
/// @endcode
[[nodiscard]] SetPtr capped_simplex(List<double> lower, List<double> upper, double total = 1);
/// The same with one lower and one upper bound for all n coordinates.
[[nodiscard]] SetPtr capped_simplex(double lower, double upper, std::size_t n, double total = 1);
/// The same with weights.
[[nodiscard]] SetPtr capped_simplex(List<double> lower, List<double> upper, double total,
                                    List<double> weights);

/// Amounts between bounds whose weight a capacity limits.
///
/// - Set: {lower <= x <= upper, <weights, x> <= capacity} with weights > 0.
/// - Oracle: from lower on, coordinates with d_i < 0 in the order of d_i / weights_i, of equal ones
///   the first, are raised to upper until the capacity is used, the last one in part (Dantzig
///   1957); sparse if lower is 0.
/// - Geometry: with s = capacity - <weights, lower> and r = min(half of the least upper_i -
///   lower_i, s / (sum weights + ||weights||)), p = lower + r 1 + t (upper - lower - 2 r 1), t up
///   to 1/2 if the capacity allows it: r is the largest there is. R and D are upper bounds: with
///   u_i = min(upper_i - lower_i, s / weights_i) and q = p - lower, R^2 = ||q||^2 + the most that
///   sum (u_i - 2 q_i) z_i can be for 0 <= z <= u, <weights, z> <= s, D^2 = the most of sum u_i z_i
///   for <weights, z> <= 2 s.
/// - Projection: clamped to the bounds, and by the one multiplier of the sum (see choices.h).
/// - Cost: O(n log n).
/// - Refuses: lower bounds that weigh the capacity or more; a capacity that holds everything;
///   weights outside 1e-50 to 1e50 or more than a factor of 1e5 apart; lists of different lengths;
///   bounds that box() refuses.
///
/// @code
/// const auto set = keyhole::knapsack({1, 2, 3}, 4);
/// const bool inside = set->contains(std::vector<double>{1, 0, 1});  // true
/// // keyhole::knapsack({1, 2, 3}, 6) throws InvalidArgument
/// @endcode
[[nodiscard]] SetPtr knapsack(List<double> weights, double capacity, List<double> lower,
                              List<double> upper);
/// The same with one lower and one upper bound for all coordinates.
[[nodiscard]] SetPtr knapsack(List<double> weights, double capacity, double lower = 0,
                              double upper = 1);

/// Mixtures of all orders of some values.
///
/// - Set: the hull of all orders of the values, at least two of them and not all equal. Membership:
///   no coordinate is below the least or above the largest value, exactly; the s smallest ones sum
///   to at least l_s, the sum of the s smallest values, and all to the sum of the values, to
///   membership_tolerance R.
/// - Oracle: the largest value where d_i is smallest, and so on; of equal d_i the first gets the
///   largest.
/// - Geometry: p = the mean m of the values in each coordinate; r = min over s < n of (s m - l_s) /
///   sqrt(s (n - s) / n), from the facets x(S) >= l_|S|; R = ||values - m||, D = ||ascending -
///   descending values||; flat, of hull dimension n - 1.
/// - Projection: isotonic regression, pooling adjacent violators (Negrinho, Martins 2014; Lim,
///   Wright 2016). Gauge by the facets.
/// - Cost: O(n log n), by sorting.
/// - Refuses: fewer than two values; values that are all equal; numbers beyond 1e50.
///
/// @code
/// const auto set = keyhole::permutahedron({1, 2, 3});
/// const bool inside = set->contains(std::vector<double>{3, 1.5, 1.5});  // true
/// // keyhole::permutahedron({2, 2}) throws InvalidArgument
/// @endcode
[[nodiscard]] SetPtr permutahedron(List<double> values);

/// Curves that do not fall.
///
/// - Set: {lower <= x_1 <= x_2 <= ... <= x_n <= upper} in dimension n >= 1: a simplex, whose
///   vertices v_k, k = 0, ..., n, are lower in the first k coordinates and upper in the others.
///   Order and bounds hold exactly.
/// - Oracle: the v_k of least sum of the last n - k d_i, of several the one with the most at lower.
/// - Geometry: p_i = lower + r (1 + (i - 1) sqrt 2), the incentre, r = (upper - lower) / (2 + (n -
///   1) sqrt 2); R from the vertices, exactly, D = (upper - lower) sqrt n.
/// - Projection: pooling adjacent violators, then clamping to the bounds (Ayer and others 1955).
///   Gauge by the n + 1 facets.
/// - Cost: O(n).
/// - Refuses: n = 0; bounds that are not lower < upper; numbers beyond 1e50.
///
/// @code
/// const auto set = keyhole::isotonic(3);
/// const bool inside = set->contains(std::vector<double>{0, 0.5, 0.5});  // true
/// // keyhole::isotonic(3, 1, 1) throws InvalidArgument
/// @endcode
[[nodiscard]] SetPtr isotonic(std::size_t n, double lower = 0, double upper = 1);

/// Numbers of which some may not be below others.
///
/// - Set: {lower <= x_i <= upper, x_i <= x_j for each relation {i, j}} in dimension n >= 1, the
///   relations being an acyclic graph (Stanley 1986). Order and bounds hold exactly.
/// - Oracle: the vertex, lower in some coordinates and upper in the others, of the least sum of
///   the d_i at upper, by a minimum cut (Picard 1976); of several the one with the fewest at upper.
/// - Geometry: with k_i the length of the longest chain of relations that ends in i, and k the
///   longest of all: p_i = lower + r (1 + k_i sqrt 2), r = (upper - lower) / (2 + k sqrt 2), the
///   largest there is; R by a minimum cut, exactly, D = (upper - lower) sqrt n.
/// - Projection: blocks are split by minimum cuts until each is at its mean (Maxwell, Muckstadt
///   1985), then clamped to the bounds. Gauge by the facets.
/// - Cost: a maximum flow (Dinic 1970), in the worst case O(n^2) times the relations; a projection
///   takes up to n of them, and mostly a few.
/// - Refuses: n = 0; a relation of a number with itself or with one that is not there; relations
///   that go round; bounds that are not lower < upper; numbers beyond 1e50.
///
/// @code
/// const auto set = keyhole::partial_order(3, {{0, 1}, {0, 2}});
/// const bool inside = set->contains(std::vector<double>{0.25, 0.5, 0.25});  // true
/// // keyhole::partial_order(2, {{0, 1}, {1, 0}}) throws InvalidArgument
/// @endcode
[[nodiscard]] SetPtr partial_order(std::size_t n, List<Edge> relations, double lower = 0,
                                   double upper = 1);

/// The distributions near one, by the divergence of Kullback and Leibler.
///
/// - Set: {x >= 0, sum x = 1, sum x_i log(x_i / q_i) <= radius}, q the distribution. Signs hold
///   exactly, the sum to membership_tolerance R, the divergence to membership_tolerance of the
///   radius.
/// - Oracle: e_i for the first of the smallest d_i if -log q_i <= radius; else x_i in proportion to
///   q_i exp(-beta d_i), with the beta of divergence radius, by Newton's method within an interval
///   to rounding; q among the smallest d_i where that is not far enough (Donsker, Varadhan 1975;
///   Hu, Hong 2013).
/// - Geometry: p = q, r^2 = the least of (exp radius - 1) min q and (min q)^2 n / (n - 1), a lower
///   bound; R^2 = radius or that of the farthest vertex, and D, are upper bounds; flat, of hull
///   dimension n - 1.
/// - Projection: none, and no gauge.
/// - Cost: O(n) a step of Newton.
/// - Refuses: fewer than 2 probabilities; one outside 1e-9 to 1; a sum that is not 1 to 1e-12; a
///   radius outside 1e-10 to 1e50.
///
/// @code
/// const auto set = keyhole::kl_ball({0.5, 0.25, 0.25}, 0.1);
/// const bool inside = set->contains(std::vector<double>{0.5, 0.3, 0.2});  // true
/// // keyhole::kl_ball({0.5, 0.25}, 0.1) throws InvalidArgument
/// @endcode
[[nodiscard]] SetPtr kl_ball(List<double> distribution, double radius);

/// The distributions near one, by Pearson's chi-square divergence.
///
/// - Set: {x >= 0, sum x = 1, sum (x_i - q_i)^2 / q_i <= radius}, q the distribution: the simplex
///   and an ellipsoid. Signs hold exactly, the sum to membership_tolerance R, the divergence to
///   membership_tolerance of the radius.
/// - Oracle: e_i for the first of the smallest d_i if 1 / q_i - 1 <= radius; else x_i = q_i max(0,
///   a - beta d_i) with the divergence radius, a closed form once the d_i are sorted; q among the
///   smallest d_i where that is not far enough (Ben-Tal and others 2013).
/// - Geometry: p = q, r^2 = the least of radius min q and (min q)^2 n / (n - 1), a lower bound; R^2
///   = radius min(max q, 1/2) or that of the farthest vertex, and D, are upper bounds; flat, of
///   hull dimension n - 1.
/// - Projection: none, and no gauge.
/// - Cost: O(n log n).
/// - Refuses: fewer than 2 probabilities; one outside 1e-9 to 1; a sum that is not 1 to 1e-12; a
///   radius outside 1e-10 to 1e50.
///
/// @code
/// const auto set = keyhole::chi_square_ball({0.5, 0.25, 0.25}, 0.1);
/// const bool inside = set->contains(std::vector<double>{0.5, 0.3, 0.2});  // true
/// // keyhole::chi_square_ball({0.5, 0.25}, 0.1) throws InvalidArgument
/// @endcode
[[nodiscard]] SetPtr chi_square_ball(List<double> distribution, double radius);

/// The distributions near one, by Hellinger's distance.
///
/// - Set: {x >= 0, sum x = 1, 1 - sum sqrt(x_i q_i) <= radius^2}, q the distribution. Signs hold
///   exactly, the sum to membership_tolerance R, the square of the distance to
///   membership_tolerance of itself.
/// - Oracle: e_i for the first of the smallest d_i if 1 - sqrt q_i <= radius^2; else x_i in
///   proportion to q_i / (1 + beta (d_i - min d))^2, with the beta of distance radius, by Newton's
///   method within an interval to rounding; q among the smallest d_i where that is not far enough.
/// - Geometry: p = q; with h = radius^2, m = min q and k = sqrt(2 h / m), r = the least of m k
///   max(1, 2 - k) and m / sqrt(1 - 1/n), a lower bound; R^2 = 2 h (2 - h) or that of the farthest
///   vertex, and D, are upper bounds; flat, of hull dimension n - 1.
/// - Projection: none, and no gauge.
/// - Cost: O(n) a step of Newton.
/// - Refuses: fewer than 2 probabilities; one outside 1e-9 to 1; a sum that is not 1 to 1e-12; a
///   radius outside 1e-5 to 1.
///
/// @code
/// const auto set = keyhole::hellinger_ball({0.5, 0.25, 0.25}, 0.1);
/// const bool inside = set->contains(std::vector<double>{0.5, 0.3, 0.2});  // true
/// // keyhole::hellinger_ball({0.5, 0.25}, 0.1) throws InvalidArgument
/// @endcode
[[nodiscard]] SetPtr hellinger_ball(List<double> distribution, double radius);

/// The distributions near one, by how much of it moves: the distance of total variation.
///
/// - Set: {x >= 0, sum x = 1, sum |x_i - q_i| / 2 <= radius}, q the distribution. Probabilities of
///   0 are allowed. Signs hold exactly, the sum to membership_tolerance R, the distance to
///   membership_tolerance of the radius.
/// - Oracle: q, of which what is at the largest d_i moves to the first of the smallest, until that
///   is the radius; of equal ones the first. q for d = 0.
/// - Geometry: p = q + t (u - q), u uniform, with the largest t <= 1 at which the distance is at
///   most radius / 2; r is a lower bound, R and D are upper bounds; flat, of hull dimension n - 1.
/// - Projection: none, and no gauge.
/// - Cost: O(n log n).
/// - Refuses: fewer than 2 or more than 100000000 probabilities; one outside 0 to 1; a sum that is
///   not 1 to 1e-12; a radius outside 1e-4 to 1.
///
/// @code
/// const auto set = keyhole::tv_distance_ball({0.5, 0.25, 0.25}, 0.1);
/// const bool inside = set->contains(std::vector<double>{0.5, 0.3, 0.2});  // true
/// // keyhole::tv_distance_ball({0.5, 0.25}, 0.1) throws InvalidArgument
/// @endcode
[[nodiscard]] SetPtr tv_distance_ball(List<double> distribution, double radius);

/// The distributions near one, by what it costs to move it along a line.
///
/// - Set: {x >= 0, sum x = 1, W(x, q) <= radius} for a distribution q of n = 2 to 2000
///   probabilities at rising places s_1, ..., s_n of a line, W the least cost of moving q to x, a
///   distance for each unit: sum_k |x_1 + ... + x_k - q_1 - ... - q_k| (s_{k+1} - s_k) (Vallender
///   1974). Probabilities of 0 are allowed. Signs hold exactly, the sum to membership_tolerance R,
///   the distance to membership_tolerance of the radius.
/// - Oracle: parts of q move to cheaper places, those first that save most for a unit of cost,
///   until the radius is used up; of equal ones those of the first place. q for d = 0.
/// - Geometry: p = q + t (u - q), u uniform, with the largest t <= 1 at which the distance is at
///   most radius / 2; r is a lower bound, R and D are upper bounds; flat, of hull dimension n - 1.
/// - Projection: none, and no gauge.
/// - Cost: O(m log m) for m moves to cheaper places: about log n a place for random directions, n
///   at most. Above 256 places a call can allocate.
/// - Refuses: fewer than 2 or more than 2000 probabilities; one outside 0 to 1; a sum that is not 1
///   to 1e-12; places that do not rise; a radius below 1e-4 of the length of the line.
///
/// @code
/// const auto set = keyhole::wasserstein_ball({0.5, 0.25, 0.25}, 0.25, {0, 1, 3});
/// const bool inside = set->contains(std::vector<double>{0.25, 0.5, 0.25});  // true
/// // keyhole::wasserstein_ball({0.5, 0.5}, 0.25, {1, 0}) throws InvalidArgument
/// @endcode
[[nodiscard]] SetPtr wasserstein_ball(List<double> distribution, double radius,
                                      List<double> places);
/// The same at the places 0, 1, ..., n - 1.
[[nodiscard]] SetPtr wasserstein_ball(List<double> distribution, double radius);

/// The same for up to 500 places of any kind: costs[i][j] is what moving a unit from place i to
/// place j costs, 0 for i = j and positive else. It need not be a distance: neither symmetric, nor
/// shortest on the straight way.
///
/// Oracle, p, R and D as on a line. Membership: the transportation problem from q to x, by the
/// simplex method on trees of cells (Dantzig 1951). r, a lower bound, takes it that moving by v
/// changes the cost by at most sqrt n / 2 ||v|| times the largest cost.
///
/// Refused: costs below 1e-9 of the largest, a radius below 1e-4 of the largest.
[[nodiscard]] SetPtr wasserstein_ball(List<double> distribution, double radius,
                                      const std::vector<std::vector<double>>& costs);

/// How often policies take each action in each state of a Markov decision process whose runs go on
/// with a probability: what a policy costs is linear in it.
///
/// - Set: {x >= 0 : sum_a x(s, a) = (1 - discount) start(s) + discount sum_(s', a) P(s | s', a)
///   x(s', a) for each state s}, of sum 1. Coordinate s A + a is action a of A in state s, and row
///   s A + a of the transitions has its probabilities P of the next state. Pairs of states that no
///   policy comes to are 0.
/// - Oracle: a policy of least cost, one action in each state, by policy iteration (Howard 1960)
///   from the cheapest actions, of equal ones the first; the occupancy by elimination without
///   subtraction (Grassmann, Taksar, Heyman 1985); sparse, of at most one entry a state.
/// - Geometry: p is nearly the analytic centre, where the product of all x_j is largest, found by
///   Newton's method; r about it is exact, of many states a lower bound. R and D are bounds: R^2 =
///   ||p||^2 + max over K of <1 - 2 p, x>, D <= sqrt 2; flat, of hull dimension (A - 1) times the
///   states that are reached.
/// - Projection: none. Gauge max (p_j - x_j) / p_j.
/// - Cost: O(S^2 (S + A)) a policy, a few policies.
/// - Refuses: fewer than 2 states or actions; more than 3000 pairs; probabilities outside 0 to 1,
///   or that do not sum to 1 to 1e-12; a discount outside 0 to 0.9999; states that are reached so
///   seldom that rounding hides them.
///
/// With cut() and slice() costs of other kinds are bounded: a constrained process.
///
/// Puterman: Markov Decision Processes, 1994, section 6.9.
///
/// @code
/// // In each of two states: stay, or go to the other.
/// const auto set = keyhole::discounted_occupancy({{1, 0}, {0, 1}, {0, 1}, {1, 0}}, {1, 0}, 0.5);
/// const bool inside = set->contains(std::vector<double>{0, 0.5, 0.5, 0});  // true
/// // keyhole::discounted_occupancy({{1, 0}, {0, 1}}, {1, 0}, 0.5) throws InvalidArgument
/// @endcode
[[nodiscard]] SetPtr discounted_occupancy(const std::vector<std::vector<double>>& transitions,
                                          List<double> start, double discount);

/// How often policies take each action in each state at each step of a Markov decision process
/// whose runs have a number of steps.
///
/// - Set: {x >= 0 : sum_a x(0, s, a) = start(s), sum_a x(h + 1, s, a) = sum_(s', a) P(s | s', a)
///   x(h, s', a) for each state s and step h}; each step sums to 1. Coordinate (h S + s) A + a is
///   action a of A in state s of S at step h, and row s A + a of the transitions has its
///   probabilities P of the next state. Pairs of states that no policy comes to at a step are 0.
/// - Oracle: a policy of least cost, one action in each state at each step, by backward induction
///   (Bellman 1957), of equal actions the first; sparse, of at most one entry a state and step.
/// - Geometry: p is nearly the analytic centre, where the product of all x_j is largest, found by
///   Newton's method; r about it is exact, of many states a lower bound. R and D are bounds: R^2 =
///   ||p||^2 + max over K of <1 - 2 p, x>, D <= sqrt(2 steps); flat, of hull dimension (A - 1)
///   times the states that are reached, summed over the steps.
/// - Projection: none. Gauge max (p_j - x_j) / p_j.
/// - Cost: O(steps S^2 A).
/// - Refuses: fewer than 2 states or actions; no step; more than 3000 pairs of all steps;
///   probabilities outside 0 to 1, or that do not sum to 1 to 1e-12; states that are reached so
///   seldom that rounding hides them.
///
/// Zimin, Neu: Online learning in episodic Markovian decision processes by relative entropy policy
/// search, 2013.
///
/// @code
/// // In each of two states: stay, or go to the other.
/// const auto set = keyhole::episodic_occupancy({{1, 0}, {0, 1}, {0, 1}, {1, 0}}, {1, 0}, 2);
/// const bool inside = set->contains(std::vector<double>{0, 1, 0, 0, 0, 0, 0.5, 0.5});  // true
/// // keyhole::episodic_occupancy({{1, 0}, {0, 1}}, {1, 0}, 2) throws InvalidArgument
/// @endcode
[[nodiscard]] SetPtr episodic_occupancy(const std::vector<std::vector<double>>& transitions,
                                        List<double> start, std::size_t steps);

/// Doubly stochastic matrices: mixtures of assignments.
///
/// - Set: n x n matrices X >= 0 whose rows and columns sum to 1, as vectors row by row, n >= 2: the
///   hull of the permutation matrices.
/// - Oracle: an assignment of least cost, by shortest augmenting paths, row after row (Jonker,
///   Volgenant 1987); of columns equally near the first; the identity for d = 0; sparse.
/// - Geometry: p = 1/n in every entry, r = 1 / (n - 1), R = sqrt(n - 1), D = sqrt(2 n); flat, of
///   hull dimension (n - 1)^2.
/// - Projection: up to 1000 entries by Newton's method on the dual function; none above. Gauge 1 -
///   n min X_ij.
/// - Cost: O(n^3).
/// - Refuses: n < 2 or n > 10000.
///
/// @code
/// const auto set = keyhole::birkhoff(2);
/// const bool inside = set->contains(std::vector<double>{0.25, 0.75, 0.75, 0.25});  // true
/// // keyhole::birkhoff(1) throws InvalidArgument
/// @endcode
[[nodiscard]] SetPtr birkhoff(std::size_t n);

/// Ways to send supplies to demands.
///
/// - Set: m x n matrices X >= 0 with the supplies as the sums of the rows and the demands as those
///   of the columns, as vectors row by row: at least two of each, all positive, with the same sum T
///   (to 1e-12 of it).
/// - Oracle: a cheapest way to send the supplies, by the simplex method on trees of cells (Dantzig
///   1951), of equal cells the first; for d = 0 row after row sends to the first columns; sparse,
///   of at most m + n - 1 entries.
/// - Geometry: p_ij = supply_i demand_j / T, r = min p_ij / sqrt((1 - 1/m) (1 - 1/n)); R and D are
///   upper bounds: with u_ij = min(supply_i, demand_j), R^2 = ||p||^2 + max over K of <u - 2 p, X>,
///   D^2 = 2 max over K of <u, X>; flat, of hull dimension (m - 1) (n - 1).
/// - Projection: up to 1000 entries by Newton's method on the dual function; none above. Gauge max
///   (p_ij - X_ij) / p_ij.
/// - Cost: O(m n) a step, a few times m + n steps.
/// - Refuses: fewer than two supplies or demands; one outside 1e-50 to 1e50; sums that differ.
///
/// @code
/// const auto set = keyhole::transportation({2, 3}, {1, 4});
/// const bool inside = set->contains(std::vector<double>{1, 1, 0, 3});  // true
/// // keyhole::transportation({2, 3}, {1, 1}) throws InvalidArgument
/// @endcode
[[nodiscard]] SetPtr transportation(List<double> supply, List<double> demand);

/// The mixtures of some points.
///
/// - Set: the hull of points of n coordinates each, of which at least two differ. Points twice or
///   within the hull do no harm.
/// - Oracle: the first point of smallest <d, v>; for d = 0 the first.
/// - Geometry: of k + 1 points of hull dimension k p is the incentre, with r exactly. Else p and
///   Sigma are the mean and the covariance of a nearly D-optimal design of the points, lambda the
///   least eigenvalue of Sigma, and r = max(sqrt(lambda / the largest (v - p)' Sigma^-1 (v - p)),
///   lambda / the largest ||v - p||), which is at least about 1/k of the largest ball about p (John
///   1948). R and D from the points, exactly; with m points and m^2 n > 4e9 D <= 2 R, an upper
///   bound. It is flat if the points span less than the space (to 1e-10 of their extent).
/// - Projection: Wolfe's method (1976), which decides membership, too.
/// - Cost: O(m n); construction O(m n k).
/// - Refuses: no points, or points that are all the same; points of different dimensions; points
///   that lie close to a set of lower dimension and not in it, r < 1e-6 R; numbers beyond 1e50.
///
/// @code
/// const auto set = keyhole::convex_hull({{0, 0}, {4, 0}, {5, 2}, {0, 3}});
/// const bool inside = set->contains(std::vector<double>{1, 1});  // true
/// // keyhole::convex_hull({{1, 2}, {1, 2}}) throws InvalidArgument
/// @endcode
[[nodiscard]] SetPtr convex_hull(const std::vector<std::vector<double>>& points);

}  // namespace sets

using sets::hypercube, sets::hypersimplex, sets::solid_hypersimplex, sets::weighted_simplex,
    sets::capped_simplex, sets::knapsack, sets::permutahedron, sets::isotonic, sets::partial_order,
    sets::kl_ball, sets::chi_square_ball, sets::hellinger_ball, sets::tv_distance_ball,
    sets::wasserstein_ball, sets::discounted_occupancy, sets::episodic_occupancy, sets::birkhoff,
    sets::transportation, sets::convex_hull;

}  // namespace keyhole
#pragma GCC visibility pop
