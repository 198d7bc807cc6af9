#pragma once

#include <cstddef>
#include <vector>

#include "keyhole/list.h"
#include "keyhole/set.h"

/// \file
/// Sets. The comment of every factory of a set, here and in the other headers of sets, has the same
/// block:
///
/// - Set: the formula.
/// - Oracle: the point v of the set with the least <d, v>, and which one if there are several.
/// - Geometry: the centre p, the radii r and R and the diameter D of keyhole::Geometry, and whether
///   the set is flat.
/// - Projection: how the nearest point is found; "none" where there is no Oracle::project().
/// - Cost: the time of a call of the oracle.
/// - Refuses: for what arguments InvalidArgument is thrown.
///
/// The tests run the examples. docs/sets has a page for each set, with a picture and how it is
/// explored.

#pragma GCC visibility push(default)
namespace keyhole {

namespace sets {

/// A ball about 0.
///
/// - Set: {x : ||x|| <= radius} in dimension n >= 1.
/// - Oracle: -radius d / ||d||, and -radius e_1 for d = 0.
/// - Geometry: p = 0, r = R = radius, D = 2 radius.
/// - Projection: radius x / ||x|| from outside.
/// - Cost: O(n).
/// - Refuses: n = 0; a radius outside 1e-50 to 1e50.
///
/// @code
/// const auto set = keyhole::ball(3, 2);
/// const bool inside = set->contains(std::vector<double>{0, 1, 1.5});  // true
/// // keyhole::ball(3, -1) throws InvalidArgument
/// @endcode
[[nodiscard]] SetPtr ball(std::size_t n, double radius = 1);

/// A lower and an upper bound for each coordinate.
///
/// - Set: {x : lower_i <= x_i <= upper_i}. Bounds hold exactly.
/// - Oracle: upper_i where d_i < 0, else lower_i.
/// - Geometry: p = (lower + upper) / 2, r = min (upper - lower) / 2, R = ||upper - lower|| / 2, D =
///   2 R.
/// - Projection: by clamping.
/// - Cost: O(n).
/// - Refuses: bounds that are not lower_i < upper_i; numbers beyond 1e50; no coordinate; lists of
///   different lengths.
///
/// @code
/// const auto set = keyhole::box({1, 5}, {256, 500});
/// const bool inside = set->contains(std::vector<double>{64, 120});  // true
/// // keyhole::box({1, 5}, {256, 5}) throws InvalidArgument
/// @endcode
[[nodiscard]] SetPtr box(List<double> lower, List<double> upper);
/// The box with the same bounds in each of n coordinates.
[[nodiscard]] SetPtr box(double lower, double upper, std::size_t n);

/// Amounts that sum to at most the total.
///
/// - Set: {x >= 0, sum x <= total} in dimension n >= 1.
/// - Oracle: total e_i for the first i of smallest d_i if that is negative, else 0.
/// - Geometry: p = r 1 with r = total / (n + sqrt n), R = total sqrt(1 - 2/(n + sqrt n) + 1/(1 +
///   sqrt n)^2), D = total sqrt 2 (total for n = 1).
/// - Projection: Michelot's method (1986).
/// - Cost: O(n).
/// - Refuses: n = 0; a total outside 1e-50 to 1e50.
///
/// @code
/// const auto set = keyhole::solid_simplex(3, 10);
/// const bool inside = set->contains(std::vector<double>{2, 0, 5});  // true
/// // keyhole::solid_simplex(3, 0) throws InvalidArgument
/// @endcode
[[nodiscard]] SetPtr solid_simplex(std::size_t n, double total = 1);

/// Parts of a total, such as probabilities.
///
/// - Set: {x >= 0, sum x = total} in dimension n >= 2.
/// - Oracle: total e_i for the first i of smallest d_i.
/// - Geometry: p = total/n 1, r = total / sqrt(n (n - 1)), R = total sqrt((n - 1)/n), D = total
///   sqrt 2; flat, of hull dimension n - 1.
/// - Projection: Michelot's method (1986).
/// - Cost: O(n).
/// - Refuses: n < 2, which leaves a single point; a total outside 1e-50 to 1e50.
///
/// @code
/// const auto set = keyhole::simplex(3);
/// const bool inside = set->contains(std::vector<double>{0.25, 0.25, 0.5});  // true
/// // keyhole::simplex(1) throws InvalidArgument
/// @endcode
[[nodiscard]] SetPtr simplex(std::size_t n, double total = 1);

/// Magnitudes that sum to at most the radius.
///
/// - Set: {x : |x_1| + ... + |x_n| <= radius} in dimension n >= 1.
/// - Oracle: -radius sign(d_i) e_i for the first i of largest |d_i|, and -radius e_1 for d = 0.
/// - Geometry: p = 0, r = radius / sqrt n, R = radius, D = 2 radius.
/// - Projection: that of the magnitudes onto the solid simplex (Duchi, Shalev-Shwartz, Singer,
///   Chandra 2008).
/// - Cost: O(n).
/// - Refuses: n = 0; a radius outside 1e-50 to 1e50.
///
/// @code
/// const auto set = keyhole::l1_ball(3);
/// const bool inside = set->contains(std::vector<double>{-0.5, 0, 0.25});  // true
/// // keyhole::l1_ball(0) throws InvalidArgument
/// @endcode
[[nodiscard]] SetPtr l1_ball(std::size_t n, double radius = 1);

}  // namespace sets

/// A directed edge between two nodes, counted from 0.
struct Edge {
  /// Where it begins.
  std::size_t from = 0;
  /// Where it ends.
  std::size_t to = 0;
};

namespace sets {

/// One unit of flow through a directed graph without cycles: a mix of paths.
///
/// - Set: {f >= 0 : one unit flows from the source to the sink}, a number for each edge. Its
///   vertices are the paths. Parallel edges are allowed. Edges on no path, loops among them, are 0.
/// - Oracle: a shortest path (1 on its edges, sparse), by dynamic programming in topological order.
///   Of several edges that leave a node at the same cost the first is taken.
/// - Geometry: p is the mean of a random path: an edge, each as likely as the others, then onwards
///   to the sink and back to the source, at each node any edge; so p_e >= 1 / edges. r = min p_e /
///   ||P e_e||, P the projection onto the circulations. R^2 = ||p||^2 + max over paths of sum (1 -
///   2 p_e). D <= sqrt(2 longest path), an upper bound. It is flat, of hull dimension edges - nodes
///   + 1, counting edges on a path and their nodes.
/// - Projection: up to 1000 edges, as flow() does; none above.
/// - Cost: O(edges); flatten O(nodes^2 + edges).
/// - Refuses: cycles, a sink that cannot be reached, a single path, each with the edge or node
///   named; more than 5000 nodes.
///
/// @code
/// const auto set = keyhole::unit_flow(3, {{0, 1}, {1, 2}, {0, 2}}, 0, 2);
/// const bool inside = set->contains(std::vector<double>{0.25, 0.25, 0.75});  // true
/// // keyhole::unit_flow(3, {{0, 1}, {1, 2}}, 0, 2) throws InvalidArgument
/// @endcode
[[nodiscard]] SetPtr unit_flow(std::size_t nodes, List<Edge> edges, std::size_t source,
                               std::size_t sink);

}  // namespace sets

/// How the oracle of a set of matrices finds its extreme pair; the default is the fastest way.
struct MatrixOracleOptions {
  /// Whether every pair that Lanczos's method finds is proved extreme: by Cholesky's factorisation,
  /// which exists exactly if no eigenvalue is beyond the one found (Sylvester's law of inertia; to
  /// 1e-9 of the matrix's norm, or twice the residual). If there is one, the pair is computed
  /// directly. It costs O(k^3) a call, and k^2 more numbers of memory, where Lanczos's method is
  /// used; elsewhere the pair is exact without it.
  bool certified = false;
  /// How many threads share the work of an oracle's call, the caller's being one of them; up to 8
  /// help, or as many as the system lets be started. They serve Lanczos's method from k = 512 on,
  /// sleep between calls and end with the oracle. The answers are the same to the last bit for any
  /// number, which is no part of the spec.
  unsigned threads = 1;
  /// To which share of ||A|| the residual ||A v - lambda v|| of the extreme pair is brought where
  /// Lanczos's method is used; A is the direction, or its smaller Gram matrix. From 1e-12 to 1e-2.
  /// Up to k = 100 the pair is exact to rounding whatever the residual.
  ///
  /// The vertex is one of the set whatever the residual: the size times unit vectors. The value of
  /// the linear function there is that of an eigenvalue up to residual min(1, residual ||A|| / gap)
  /// times size ||A||, the gap being that to the next eigenvalue; half as much of singular values.
  /// On directions of noise 1e-6 takes five to nine tenths of the time of 1e-10.
  double residual = 1e-10;
};

namespace sets {

/// Matrices of small rank, as far as a convex set can say it.
///
/// - Set: {X : the singular values of X sum to at most radius}, m x n matrices as vectors, row by
///   row.
/// - Oracle: -radius u v' for the top singular pair D v = sigma u of the direction D, of rank one,
///   and -radius e_1 e_1' for D = 0.
/// - Geometry: with k = min(m, n): p = 0, r = radius / sqrt k, R = radius, D = 2 radius.
/// - Projection: through the singular value decomposition, whose digits are those of the build.
/// - Cost: O(m n k) up to k = 100; above, about 70 to 150 products with the matrix.
/// - Refuses: no rows or columns; a radius outside 1e-50 to 1e50; more than 1e9 entries; 0 or more
///   than 256 threads; a residual outside 1e-12 to 1e-2.
///
/// The pair of an oracle of matrices is exact to rounding up to k = 100 (tridiagonal form of the
/// smaller Gram matrix). Above, Lanczos's method from a fixed pseudo-random start gives an
/// eigenpair of the Gram matrix with a residual of 1e-10 (the option `residual`). Except with
/// probability 1e-12 it is within 5 % of the spectrum's spread from the extreme one, whatever the
/// spectrum (Kuczynski, Wozniakowski 1992). It is the extreme one itself wherever the start does
/// not happen to be nearly orthogonal to it. The option `certified` proves it.
///
/// @code
/// const auto set = keyhole::nuclear_ball(2, 3);
/// const bool inside = set->contains(std::vector<double>{0.5, 0, 0, 0, 0.5, 0});  // true
/// // keyhole::nuclear_ball(2, 0) throws InvalidArgument
/// @endcode
[[nodiscard]] SetPtr nuclear_ball(std::size_t m, std::size_t n, double radius = 1,
                                  const MatrixOracleOptions& options = {});

/// Symmetric matrices of small rank, as far as a convex set can say it.
///
/// - Set: {X = X' : the magnitudes of the eigenvalues of X sum to at most radius}, n x n matrices
///   as vectors, row by row. Directions are made symmetric.
/// - Oracle: -radius sign(lambda) v v' for the eigenvalue of largest magnitude (of two, the
///   negative one), and -radius e_1 e_1' for the zero direction.
/// - Geometry: p = 0, r = radius / sqrt n, R = radius, D = 2 radius; flat, of hull dimension n (n +
///   1)/2.
/// - Projection: through the eigenvalue decomposition, whose digits are those of the build.
/// - Cost: O(n^3) up to n = 100; above as for nuclear_ball(), both ends of the spectrum at once.
/// - Refuses: n = 0; a radius outside 1e-50 to 1e50; more than 1e9 entries; 0 or more than 256
///   threads; a residual outside 1e-12 to 1e-2.
///
/// @code
/// const auto set = keyhole::symmetric_nuclear_ball(2);
/// const bool inside = set->contains(std::vector<double>{0, 0.5, 0.5, 0});  // true
/// // keyhole::symmetric_nuclear_ball(2, 0) throws InvalidArgument
/// @endcode
[[nodiscard]] SetPtr symmetric_nuclear_ball(std::size_t n, double radius = 1,
                                            const MatrixOracleOptions& options = {});

/// Positive semidefinite matrices of bounded trace.
///
/// - Set: {X = X' positive semidefinite, tr X <= trace}, n x n matrices as vectors, row by row.
///   Directions are made symmetric.
/// - Oracle: trace v v' for the smallest eigenvalue of the direction if it is negative, else 0.
/// - Geometry: p = r I with r = trace / (n + sqrt n), R = trace sqrt(1 - 2/(n + sqrt n) + 1/(1 +
///   sqrt n)^2), D = trace sqrt 2 (trace for n = 1), those of the eigenvalues' solid simplex; flat,
///   of hull dimension n (n + 1)/2.
/// - Projection: through the eigenvalue decomposition, whose digits are those of the build.
/// - Cost: O(n^3) up to n = 100; above as for nuclear_ball().
/// - Refuses: n = 0; a trace outside 1e-50 to 1e50; more than 1e9 entries; 0 or more than 256
///   threads; a residual outside 1e-12 to 1e-2.
///
/// @code
/// const auto set = keyhole::psd_trace_ball(2);
/// const bool inside = set->contains(std::vector<double>{0.5, 0.25, 0.25, 0.25});  // true
/// // keyhole::psd_trace_ball(0) throws InvalidArgument
/// @endcode
[[nodiscard]] SetPtr psd_trace_ball(std::size_t n, double trace = 1,
                                    const MatrixOracleOptions& options = {});

/// A set, scaled and shifted.
///
/// - Set: {scale x + shift : x in the set}. Membership is the set's own, but for the roundings of
///   the map: a coordinate y_i may break a bound of the set, if that is not 0, by 8 epsilon (|y_i|
///   + |shift_i|).
/// - Oracle: scale v + shift, v the set's answer to sign(scale) d.
/// - Geometry: p mapped; |scale| r, |scale| R, |scale| D; flat if the set is.
/// - Projection: the set's own, mapped; none if the set has none.
/// - Cost: the set's own and O(n).
/// - Refuses: a scale whose magnitude is outside 1e-50 to 1e50; a shift of another dimension,
///   beyond 1e50, or too large compared with R for the digits of a double.
///
/// The example is the paper's enlarged portfolio region {-1 <= y_i <= 2n - 1, sum y <= n} for n =
/// 3.
///
/// @code
/// const auto set = keyhole::image(keyhole::solid_simplex(3), 6, -1);
/// const bool inside = set->contains(std::vector<double>{2, -1, -1});  // true
/// // keyhole::image(keyhole::ball(2), 0, 1) throws InvalidArgument
/// @endcode
[[nodiscard]] SetPtr image(SetPtr set, double scale, List<double> shift);
/// The image with the same shift in every coordinate.
[[nodiscard]] SetPtr image(SetPtr set, double scale, double shift);
/// A set times a number.
///
/// - Set: {scale x : x in the set}: image(set, scale, 0).
/// - Oracle: scale v, v the set's answer to sign(scale) d.
/// - Geometry: scale p; |scale| r, |scale| R, |scale| D; flat if the set is.
/// - Projection: the set's own, scaled; none if the set has none.
/// - Cost: the set's own and O(n).
/// - Refuses: a scale whose magnitude is outside 1e-50 to 1e50.
///
/// @code
/// const auto set = keyhole::scaled(keyhole::solid_simplex(2), -2);
/// const bool inside = set->contains(std::vector<double>{-0.5, -1});  // true
/// // keyhole::scaled(keyhole::ball(2), 0) throws InvalidArgument
/// @endcode
[[nodiscard]] SetPtr scaled(SetPtr set, double scale);
/// A set, moved.
///
/// - Set: {x + shift : x in the set}: image(set, 1, shift).
/// - Oracle: v + shift, v the set's answer to d.
/// - Geometry: p + shift; r, R and flat if the set is.
/// - Projection: the set's own, moved; none if the set has none.
/// - Cost: the set's own and O(n).
/// - Refuses: a shift of another dimension, beyond 1e50, or too large compared with R.
///
/// @code
/// const auto set = keyhole::translated(keyhole::ball(2), {4, 0});
/// const bool inside = set->contains(std::vector<double>{4.5, 0.5});  // true
/// // keyhole::translated(keyhole::ball(2), {4}) throws InvalidArgument
/// @endcode
[[nodiscard]] SetPtr translated(SetPtr set, List<double> shift);

/// A set under a linear map and a shift.
///
/// - Set: {A x + b : x in the set}, A = matrix row by row, b = shift: as many rows as b has
///   numbers, as many columns as the set has coordinates. Membership by least squares and the
///   preimage's own, which is asked 1e-9 towards the centre; by separation, from the oracle alone,
///   if the columns are dependent or more than the rows: as for sums of intervals (zonotopes),
///   marginals and aggregated flows.
/// - Oracle: A v + b for the set's answer v to A'd.
/// - Geometry: with sigma the singular values of A that are not 0, for dependent columns those of A
///   on the hull of the set: p mapped, r = least sigma r, R = largest sigma R, D = largest sigma D,
///   all bounds; for dependent columns also from vertices, where that is better (up to 200 rows,
///   see keyhole/own_set.h); flat if there are more rows than columns, if the rows are dependent,
///   or if the set is.
/// - Projection: none.
/// - Cost: the set's own and O(rows columns).
/// - Refuses: images that are a single point; singular values more than a factor of 1e4 apart;
///   images with r < 1e-6 R or too far away compared with r; numbers beyond 1e50.
///
/// @code
/// const auto set = keyhole::affine_image(keyhole::ball(2), {2, 0.5, 0, 1}, {1, 0});
/// const bool inside = set->contains(std::vector<double>{2.5, 0.25});  // true
/// // keyhole::affine_image(keyhole::ball(2), {0, 0}, {1}) throws InvalidArgument
/// @endcode
[[nodiscard]] SetPtr affine_image(SetPtr set, List<double> matrix, List<double> shift);

/// Several sets, each with its own coordinates.
///
/// - Set: {(x_1, ..., x_k) : x_i in the i-th set}: the coordinates of the sets one after the other.
/// - Oracle: set by set, ties and membership included; sparse if all of them are.
/// - Geometry: p is that of the sets one after the other, r = min r_i, R^2 = sum R_i^2, D^2 = sum
///   D_i^2; flat if one of them is: the dimensions of the hulls sum.
/// - Projection: set by set; none if one of them has none.
/// - Cost: the sum of the costs.
/// - Refuses: no set, or one that is missing.
///
/// @code
/// const auto set = keyhole::product({keyhole::simplex(2), keyhole::box(0, 10, 1)});
/// const bool inside = set->contains(std::vector<double>{0.25, 0.75, 3});  // true
/// // keyhole::product({}) throws InvalidArgument
/// @endcode
[[nodiscard]] SetPtr product(std::vector<SetPtr> sets);

/// All sums of a point of each set.
///
/// - Set: {x_1 + ... + x_k : x_i in the i-th set}, sets of the same dimension. Membership by
///   separation, from the oracle alone.
/// - Oracle: the sum of the sets' answers.
/// - Geometry: p = sum p_i; R = sum R_i and D = sum D_i, upper bounds; r = the sum over the sets
///   whose hull is that of the sum, or, if there is none, the root of the least eigenvalue of sum
///   r_i^2 P_i, P_i the projections onto the hulls: a lower bound; flat if the sets together are.
/// - Projection: none.
/// - Cost: the sum of the costs.
/// - Refuses: no set; sets of different dimensions; more than 1500 dimensions if all sets are flat.
///
/// @code
/// const auto set = keyhole::minkowski_sum({keyhole::box(0, 1, 2), keyhole::ball(2)});
/// const bool inside = set->contains(std::vector<double>{1.5, 1.5});  // true
/// // keyhole::minkowski_sum({keyhole::ball(2), keyhole::ball(3)}) throws InvalidArgument
/// @endcode
[[nodiscard]] SetPtr minkowski_sum(std::vector<SetPtr> sets);

/// The convex hull of several sets.
///
/// - Set: the convex hull of the union of sets of the same dimension. Membership: in one of the
///   sets, or by separation.
/// - Oracle: the least of the sets' answers, the first of them, as sparse as that set gives it.
/// - Geometry: p is the centre of the set with the largest inner ball, of those whose hull is that
///   of all, and r its radius; or a mean of vertices and the radius of a ball that they hold, if
///   that is larger (see keyhole/own_set.h); R and D from the centres and outer radii of the sets,
///   upper bounds; flat if the sets together are.
/// - Projection: none.
/// - Cost: the sum of the costs.
/// - Refuses: no set; sets of different dimensions; more than 1500 dimensions if all sets are flat.
///
/// @code
/// const auto set = keyhole::hull_of_union({keyhole::ball(2), keyhole::box(1, 2, 2)});
/// const bool inside = set->contains(std::vector<double>{1, 0.5});  // true
/// // keyhole::hull_of_union({keyhole::ball(2), keyhole::ball(3)}) throws InvalidArgument
/// @endcode
[[nodiscard]] SetPtr hull_of_union(std::vector<SetPtr> sets);

/// The points of a set on which linear functions have given values.
///
/// - Set: {x in the set : A x = b}, A = matrix row by row, b = right: a row for each number of b.
///   The set may be any, own_set() too. Membership is the set's own, with A x = b to 1e-9 R.
/// - Oracle: column generation (Dantzig, Wolfe 1960) from the set's own answers. It ends when the
///   value is proved to be within 1e-10 ||d|| D of the least; rounding may leave more. For a
///   polytope it ends with an answer that is right to rounding. Of several it gives the one where
///   it stops. For d = 0 the answer is that to the first axis that is not orthogonal to the slice.
/// - Geometry: p is on the way from the set's own centre to the last point in the direction of the
///   slice, after a share 1 - t of the way, and r = t times the set's own; or p is a mean of
///   vertices and r the radius of a ball that they hold, if that is larger (up to 200 dimensions;
///   see keyhole/own_set.h). R and D from those of the set, or from a box of the slice, upper
///   bounds; flat.
/// - Projection: none, but see below.
/// - Cost: up to 30 calls of the set's oracle a row, each with O(rows n) and some times rows^3.
/// - Refuses: rows that contradict each other or the set; slices that are empty, a single point,
///   or only touch the boundary of the set; rows of zeros; more than 50 independent rows; numbers
///   beyond 1e50.
///
/// Rows that follow from others are left out. Where the set has a linear_description() and up to
/// 200 coordinates, the slice is the polytope() of its rows and these, with that one's oracle,
/// geometry, projection and gauge. A slice of a slice is the slice by the rows of both. Near the
/// boundary of the set a point off the set by its tolerance, 1e-9 of its own R, can be farther off
/// along the slice.
///
/// @code
/// const auto set = keyhole::slice(keyhole::ball(3), {1, 1, 1}, {0.5});
/// const bool inside = set->contains(std::vector<double>{0.5, -0.5, 0.5});  // true
/// // keyhole::slice(keyhole::ball(3), {1, 1, 1}, {2}) throws InvalidArgument
/// @endcode
[[nodiscard]] SetPtr slice(const SetPtr& set, List<double> matrix, List<double> right);

/// The points of a set that keep further linear inequalities.
///
/// - Set: {x in the set : A x <= b}, A = matrix row by row, b = right: a row for each number of b.
///   The set may be any, own_set() too. Membership is the set's own, with A x <= b to 1e-9 R.
/// - Oracle: the set's own answer, if that keeps the rows. Otherwise column generation (Dantzig,
///   Wolfe 1960) from the set's own answers, with the rows that are met. It ends when the value is
///   proved to be within 1e-10 ||d|| D of the least, D the set's own; rounding may leave more. Of
///   several it gives the one where it stops. For d = 0 the answer is that to the first axis that
///   is not orthogonal to the set.
/// - Geometry: p is the set's own, if a ball of the set's r keeps the rows there. Otherwise it
///   is on the way from there to the point that keeps them by most, where both together allow the
///   largest ball; or p is a mean of vertices and r the radius of a ball that they hold, if that is
///   larger (while rows times dimensions are up to 400; see keyhole/own_set.h). R and D from those
///   of the set, or from a box of the cut, upper bounds; flat if the set is.
/// - Projection: none, but see below.
/// - Cost: one call of the set's oracle, or up to 30 for each row that is met, each with O(rows n)
///   and some times the cube of the rows that are met.
/// - Refuses: cuts that are empty or leave less than 1e-6 of the diameter; rows of zeros; more than
///   100 rows that not all points of the set keep; numbers beyond 1e50.
///
/// Rows that all points of the set keep are left out. Where the set has a linear_description() and
/// up to 200 coordinates, the cut is the polytope() of its rows and these, with that one's oracle,
/// geometry, projection and gauge. A cut of a cut is the cut by the rows of both.
///
/// @code
/// const auto set = keyhole::cut(keyhole::ball(2), {1, 0, 0, 1}, {0.5, 0.25});
/// const bool inside = set->contains(std::vector<double>{0.5, -0.5});  // true
/// // keyhole::cut(keyhole::ball(2), {1, 0}, {-2}) throws InvalidArgument
/// @endcode
[[nodiscard]] SetPtr cut(const SetPtr& set, List<double> matrix, List<double> right);

/// How each of several demands is split between its paths.
///
/// - Set: for each demand k the shares of paths[k] paths, which are not negative and sum to 1:
///   product(simplex(paths[0]), simplex(paths[1]), ...).
/// - Oracle: demand by demand, as for simplex().
/// - Geometry: as for product(); flat, of hull dimension sum (paths[k] - 1).
/// - Projection: demand by demand, as for simplex().
/// - Cost: O(n).
/// - Refuses: no demand; a demand with fewer than 2 paths.
///
/// @code
/// const auto set = keyhole::path_splits({2, 3});
/// const bool inside = set->contains(std::vector<double>{0.5, 0.5, 0.25, 0.25, 0.5});  // true
/// // keyhole::path_splits({2, 1}) throws InvalidArgument
/// @endcode
[[nodiscard]] SetPtr path_splits(List<std::size_t> paths);

/// A set about another centre, such as the settings of today.
///
/// - Set: the same set.
/// - Oracle: the set's own.
/// - Geometry: p = centre; r and R are computed again, or bounded where the set has no formula;
///   flat if the set is.
/// - Projection: the set's own; none if the set has none.
/// - Cost: the set's own.
/// - Refuses: a centre of another dimension, or not in the relative interior.
///
/// @code
/// const auto set = keyhole::recentred(keyhole::box(0, 1, 2), {0.25, 0.5});
/// const bool inside = set->contains(std::vector<double>{1, 1});  // true
/// // keyhole::recentred(keyhole::box(0, 1, 2), {0, 0.5}) throws InvalidArgument
/// @endcode
[[nodiscard]] SetPtr recentred(SetPtr set, List<double> centre);

}  // namespace sets

using sets::ball, sets::box, sets::solid_simplex, sets::simplex, sets::l1_ball, sets::unit_flow,
    sets::nuclear_ball, sets::symmetric_nuclear_ball, sets::psd_trace_ball, sets::image,
    sets::scaled, sets::translated, sets::affine_image, sets::product, sets::minkowski_sum,
    sets::hull_of_union, sets::slice, sets::cut, sets::path_splits, sets::recentred;

}  // namespace keyhole
#pragma GCC visibility pop
