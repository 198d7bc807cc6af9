// What a polytope knows about itself, worked out once at construction.

#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "keyhole/polytope.h"
#include "math/programs/linear_program.h"
#include "sets/polytopes/polytope_reader.h"

namespace keyhole::sets {

/// What r, R and D follow from.
struct PolytopeShape {
  std::vector<double> lower;
  std::vector<double> upper;
  /// For each row of A, then each coordinate: the norm of a_i, e_j within the hull; 0 where that is
  /// constant.
  std::vector<double> norms_within;
  /// A box around K.
  std::vector<double> low;
  std::vector<double> high;

  /// r, R and D about a point p of the hull, with the slacks b - A p.
  [[nodiscard]] Geometry about(std::span<const double> p, std::span<const double> slacks) const;
};

/// With a dense matrix.
struct PolytopeBody {
  /// Each row times a power of two that brings its norm to [1, 2); equalities that follow from
  /// others are left out, as are rows of zeros.
  math::LinearConstraints constraints;
  /// The norm of each row of the constraints.
  std::vector<double> norms;
  HullNormals normals;
  PolytopeShape shape;
  std::vector<double> centre;

  /// b - A p.
  [[nodiscard]] std::vector<double> slacks(std::span<const double> p) const;
  /// r, R and D about a point of the hull.
  [[nodiscard]] Geometry geometry_about(std::span<const double> p) const;
};

/// The same with a sparse matrix. The box is one that the bounds and the rows imply one by one;
/// linear programs are solved only for coordinates that this leaves without a bound.
struct LargePolytopeBody {
  std::shared_ptr<const math::SparseConstraints> constraints;
  std::vector<double> norms;
  HullNormals normals;
  PolytopeShape shape;
  std::vector<double> centre;

  [[nodiscard]] std::vector<double> slacks(std::span<const double> p) const;
  [[nodiscard]] Geometry geometry_about(std::span<const double> p) const;
  /// The largest magnitude of a coordinate of K, or a bound of it.
  [[nodiscard]] double length() const;
};

/// Checks the numbers and works all that out; throws InvalidArgument where polytope() refuses.
[[nodiscard]] PolytopeBody make_polytope_body(const PolytopeConstraints& given);
[[nodiscard]] LargePolytopeBody make_large_polytope_body(const PolytopeConstraints& given);

/// The polytope by the dense or the sparse method, whatever its size.
[[nodiscard]] SetPtr dense_polytope(const PolytopeConstraints& given);
[[nodiscard]] SetPtr large_polytope(const PolytopeConstraints& given);

/// Throws InvalidArgument if the polytope is a single point, has hidden equalities or is too far
/// away beside its size; `holding` names the constraints that hold the largest ball, and outer
/// radii up to `nothing` are roundings.
void require_sound(const PolytopeShape& shape, const Geometry& geometry, const std::string& holding,
                   double nothing = 0);

/// How far settle() may move a coordinate.
[[nodiscard]] double settling_slack(const PolytopeShape& shape, const Geometry& geometry);
/// Oracle::settle() for bounds.
void settle_bounds(std::span<double> point, const PolytopeShape& shape, double slack);

}  // namespace keyhole::sets
