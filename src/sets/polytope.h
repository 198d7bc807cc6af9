// What a polytope knows about itself, worked out once at construction.

#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "keyhole/polytope.h"
#include "math/bounded_simplex.h"

namespace keyhole {

/// The directions in which the equalities C x = d hold x: Q x = q with orthonormal rows, a basis of
/// those of C.
struct HullNormals {
  std::size_t columns = 0;
  std::vector<double> rows = {};   // Q
  std::vector<double> right = {};  // q

  [[nodiscard]] std::span<const double> row(std::size_t k) const noexcept {
    return {rows.data() + k * columns, columns};
  }
  /// direction -= Q^T Q direction.
  void flatten(std::span<double> direction) const noexcept;
};

struct PolytopeBody {
  /// Each row times a power of two that brings its norm to [1, 2); equalities that follow from
  /// others are left out, as are rows of zeros.
  math::LinearConstraints constraints;
  /// The norm of each row of the constraints.
  std::vector<double> norms;
  HullNormals normals;
  /// For each row of A, then each coordinate: the norm of a_i, e_j within the hull; 0 where that is
  /// constant.
  std::vector<double> norms_within;
  /// The bounding box.
  std::vector<double> low;
  std::vector<double> high;
  std::vector<double> centre;

  /// r, R and D about a point of the hull.
  [[nodiscard]] Geometry geometry_about(std::span<const double> p) const;
};

/// Checks the numbers and works all that out; throws InvalidArgument where polytope() refuses.
[[nodiscard]] PolytopeBody make_polytope_body(const PolytopeConstraints& given);

/// `polytope(2, lower=0, upper=1, A=[[1, 2]], b=[1])`; large ones by their size and a digest.
[[nodiscard]] std::string polytope_spec(const PolytopeConstraints& given);

/// The matrix as `right.size()` dense rows of n.
[[nodiscard]] std::vector<double> dense_rows(const LinearRows& rows, std::size_t n);

}  // namespace keyhole
