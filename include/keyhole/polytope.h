#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "keyhole/set.h"

#pragma GCC visibility push(default)
namespace keyhole {

/// The number `value` in a row and a column of a matrix, both counted from 0.
struct MatrixEntry {
  /// Its row.
  std::size_t row = 0;
  /// Its column.
  std::size_t column = 0;
  /// The number.
  double value = 0;
};

/// Linear functions of x and what they are compared with: right.size() rows a_i and numbers b_i.
/// The matrix is the sum of a dense part and of single entries, each possibly empty; entries at
/// the same place add up.
struct LinearRows {
  /// Empty, or all rows one after the other, n numbers each.
  std::vector<double> dense = {};
  /// The matrix, or what is to be added to it, number by number.
  std::vector<MatrixEntry> sparse = {};
  /// The right hand sides, one a row.
  std::vector<double> right = {};
  /// What messages call the rows: empty for "inequality 0", "inequality 1", ..., or one name a row.
  std::vector<std::string> names = {};
};

/// What describes {x : lower <= x <= upper, A x <= b, C x = d} in dimension n.
struct PolytopeConstraints {
  /// The number of coordinates.
  std::size_t n = 0;
  /// n numbers, or none for -infinity everywhere; single ones may be -infinity.
  std::vector<double> lower = {};
  /// n numbers, or none for +infinity everywhere; single ones may be +infinity.
  std::vector<double> upper = {};
  /// A and b.
  LinearRows inequalities = {};
  /// C and d. Rows that follow from others are allowed.
  LinearRows equalities = {};
  /// Empty, or the spec() of the polytope, for constraints that have another description than the
  /// rows: the file that they were read from, with its digest, or the sets that they intersect.
  /// Whoever fills it in sees to it that equal text means an equal set.
  std::string source = {};
};

namespace sets {

/// What linear inequalities and equalities describe.
///
/// - Set: {x : lower <= x <= upper, A x <= b, C x = d}.
/// - Oracle: the simplex method with bounded variables, always from the same basis. Ties and the
///   zero direction get the vertex where it stops (for 0: where it starts). The vertex is computed
///   from its basis by elimination, checked, and is a pure function of the direction.
/// - Geometry: p and r are the centre and radius of a largest inscribed ball (Chebyshev centre)
///   within the hull, by one linear program. R = || max(p - low, high - p) || and D = || high - low
///   || from the bounding box [low, high], by 2n linear programs; both are upper bounds. It is flat
///   if there are equalities.
/// - Projection: Newton's method on the dual, with a certificate: the x for z is in K to 1e-10 R,
///   and <z - x, v - x> <= 1e-9 R max(R, ||z - x||) for every v in K; where rounding errors prevent
///   that it throws Error. (The oracle's v is itself in K only to rounding: where rows are nearly
///   parallel it can show more.) A point that is in K to 1e-10 R, such as one that was projected,
///   is its own projection, but for the roundings of C x = d.
/// - Cost: O(rows n) a pivot.
/// - Refuses: polytopes that are empty, unbounded or a single point, or that have hidden equalities
///   (inequalities that can only hold with equality), with the rows named; fixed coordinates;
///   polytopes too far from the origin compared with R. Not found in construction but thrown by the
///   oracle as Error: a linear program that rounding errors make unsolvable.
///
/// With more than 250,000 places in A or in C the matrices are kept sparse. CLP finds the optimal
/// basis, always from the same feasible basis, and our own elimination the vertex from it. R and D
/// come from the box that the bounds and the rows, one by one, imply (linear programs only where
/// this leaves a coordinate unbounded). There is no projection, and C may have up to 4,000,000 / n
/// independent rows. A smaller polytope that rounding hides from the dense method is treated the
/// same way.
///
/// @code
/// // x >= 0, x_1 + 2 x_2 <= 2
/// const keyhole::PolytopeConstraints below = {
///     .n = 2, .lower = {0, 0}, .inequalities = {.dense = {1, 2}, .right = {2}}};
/// const auto set = keyhole::polytope(below);
/// const bool inside = set->contains(std::vector<double>{0.25, 0.5});  // true
/// // keyhole::polytope({.n = 2, .lower = {0, 0}}) throws InvalidArgument
/// @endcode
[[nodiscard]] SetPtr polytope(const PolytopeConstraints& constraints);

/// What several sets have in common.
///
/// - Set: the points that all of the sets have, at least two sets, own_set() among them. Membership
///   is that of all sets.
/// - Oracle: if all sets have a linear_description(), that of the polytope() of all their rows.
///   Otherwise column generation (Dantzig, Wolfe 1960) from the sets' own answers, over the points
///   of their product that are equal, as for slice(). It ends when the value is proved to be within
///   1e-10 ||d|| D of the least, D the root of the mean square of the sets' own, or, where rounding
///   allows no less, within 1e-6 ||d|| D; otherwise it throws an Error with the gap. For d = 0 the
///   answer is that to the first axis that is not orthogonal to the set.
/// - Geometry: that of that polytope; or p is found as for slice(), r is what the sets' own balls
///   allow there, R and D are the least of the sets' own; or p is a mean of vertices and r the
///   radius of a ball that they hold, if that is larger (up to 10 coordinates of two sets; see
///   keyhole/own_set.h); flat if one of the sets is.
/// - Projection: none, but where it is that polytope that one's.
/// - Cost: that of that polytope; otherwise, up to 1000 + 100 m calls of all sets' own,
///   each with O(m^3), m = (k - 1) n for k sets.
/// - Refuses: sets of different dimensions; what polytope() refuses: intersections that are empty,
///   a single point, or held flat by inequalities. Otherwise intersections that are empty, a single
///   point, without a point that is inside of all sets, or within 1e-6 of that; of k sets more than
///   50 / (k - 1) coordinates.
///
/// Where all sets but one are few inequalities or equalities, cut() and slice() of that one answer
/// sooner.
///
/// @code
/// const auto set = keyhole::intersection({keyhole::ball(2), keyhole::box(0, 1, 2)});
/// const bool inside = set->contains(std::vector<double>{0.5, 0.75});  // true
/// // keyhole::intersection({keyhole::ball(2), keyhole::box(1, 2, 2)}) throws InvalidArgument
/// @endcode
[[nodiscard]] SetPtr intersection(const std::vector<SetPtr>& sets);

}  // namespace sets

using sets::polytope, sets::intersection;

}  // namespace keyhole
#pragma GCC visibility pop
