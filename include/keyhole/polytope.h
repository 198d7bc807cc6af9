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

/// {x : lower <= x <= upper, A x <= b, C x = d}, flat if there are equalities.
///
/// Oracle: the simplex method with bounded variables, always from the same basis; ties and the zero
/// direction get the vertex where it stops (for 0: where it starts). The vertex is computed from
/// its basis by elimination, checked, and is a pure function of the direction. p and r: the centre
/// and radius of a largest inscribed ball (Chebyshev centre) within the affine hull, by one linear
/// program. R = || max(p - low, high - p) || and D = || high - low || from the bounding box [low,
/// high], by 2n linear programs; both are upper bounds. Projection: Newton's method on the dual,
/// with a certificate: the x for z is in K to 1e-10 R, and <z - x, v - x> <= 1e-9 R max(R, ||z -
/// x||) for every v in K; where rounding errors prevent that it throws Error. (The oracle's v is
/// itself in K only to rounding: where rows are nearly parallel it can show more.) A point that is
/// in K to 1e-10 R, such as one that was projected, is its own projection, but for the roundings of
/// C x = d.
///
/// With more than 250,000 places in A or in C the matrices are kept sparse: the optimal basis is
/// found by CLP, always from the same feasible basis, and the vertex from it by our own
/// elimination; R and D come from the box that the bounds and the rows, one by one, imply (linear
/// programs only where this leaves a coordinate unbounded); there is no projection; and C may have
/// up to 4,000,000 / n independent rows. So is one that rounding hides from the dense method.
///
/// Refused, with the rows named: polytopes that are empty, unbounded or a single point, or that
/// have hidden equalities (inequalities that can only hold with equality). Not found in
/// construction but thrown by the oracle as Error: a linear program that rounding errors make
/// unsolvable.
[[nodiscard]] SetPtr polytope(const PolytopeConstraints& constraints);

/// The points that all of the sets have, at least two and each with a linear_description(): boxes,
/// simplices, hypersimplices, knapsacks, unit flows, path splits, bipartite matchings, doubly
/// stochastic matrices, transportation polytopes, polytopes, small l1 balls, and products and
/// images of such.
/// It is the polytope() of all of their rows, and everything said there holds.
///
/// Refused: a set without such a description, for intersections of sets that only have oracles have
/// no oracle in general; sets of different dimensions; and what polytope() refuses: intersections
/// that are empty, a single point, or held flat by inequalities.
[[nodiscard]] SetPtr intersection(const std::vector<SetPtr>& sets);

}  // namespace sets

using sets::polytope, sets::intersection;

}  // namespace keyhole
#pragma GCC visibility pop
