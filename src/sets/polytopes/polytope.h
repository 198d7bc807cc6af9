// What a polytope knows about itself, worked out once at construction, over a dense or a sparse
// matrix.

#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/require.h"
#include "keyhole/polytope.h"
#include "math/dense.h"
#include "math/programs/linear_program.h"
#include "math/rows.h"
#include "math/sums.h"
#include "sets/polytopes/polytope_reader.h"

namespace keyhole::sets {

/// A row of a dense matrix, for those who do not care which matrix they have.
struct DenseRow {
  std::span<const double> values;

  [[nodiscard]] double dot(std::span<const double> x) const noexcept {
    return math::dot(values, x);
  }
  void add_to(std::span<double> y, double weight) const noexcept { math::add(y, weight, values); }
};

inline DenseRow row_of(const math::LinearConstraints& k, std::size_t i) noexcept {
  return {k.row(i)};
}
inline math::SparseRow row_of(const math::SparseConstraints& k, std::size_t i) noexcept {
  return k.row(i);
}

/// products = A x, with the digits of the rows' dot().
inline void multiply(const math::LinearConstraints& k, std::span<const double> x,
                     std::span<double> products) noexcept {
  math::multiply(std::span(k.rows).first(k.inequalities * k.columns), x, products);
}
inline void multiply(const math::SparseConstraints& k, std::span<const double> x,
                     std::span<double> products) noexcept {
  for (std::size_t i = 0; i < products.size(); ++i) products[i] = k.row(i).dot(x);
}

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

  /// The largest magnitude of a coordinate of K, or a bound of it.
  [[nodiscard]] double length() const;
  /// r, R and D about a point p of the hull, with the slacks b - A p.
  [[nodiscard]] Geometry about(std::span<const double> p, std::span<const double> slacks) const;
};

/// The largest magnitude of the finite numbers, 1 if there is none but 0.
[[nodiscard]] double largest_finite(std::span<const double> a, std::span<const double> b);

/// Throws InvalidArgument if the polytope is a single point, has hidden equalities or is too far
/// away next to its size; `holding` names the constraints that hold the largest ball, and outer
/// radii up to `nothing` are roundings.
void require_sound(const PolytopeShape& shape, const Geometry& geometry, const std::string& holding,
                   double nothing);

/// A largest ball within the hull.
struct PolytopeBall {
  std::vector<double> centre = {};
  /// The constraints that hold it, coordinates j and rows n + i, in any order, some maybe twice.
  std::vector<std::size_t> holding = {};
};

/// `Constraints` have the rows, dense or sparse.
template <class Constraints>
struct PolytopeBody {
  /// Each row times a power of two that brings its norm to [1, 2); equalities that follow from
  /// others are left out, as are rows of zeros.
  std::shared_ptr<const Constraints> constraints;
  /// The norm of each row of A.
  std::vector<double> norms = {};
  HullNormals normals;
  PolytopeShape shape = {};
  std::vector<double> centre = {};

  /// Without a box and a centre. norm_within() gives the norm of a row within the hull.
  template <class NormWithin>
  PolytopeBody(Constraints rows, HullNormals of_hull, const NormWithin& norm_within)
      : constraints(std::make_shared<const Constraints>(std::move(rows))),
        normals(std::move(of_hull)) {
    const Constraints& k = *constraints;
    shape.lower = k.lower;
    shape.upper = k.upper;
    for (std::size_t i = 0; i < k.inequalities; ++i) {
      norms.push_back(math::norm(row_of(k, i).values));
      shape.norms_within.push_back(norm_within(normals, row_of(k, i)));
    }
    const double one = 1;
    for (std::size_t j = 0; j < k.columns; ++j) {
      shape.norms_within.push_back(norm_within(normals, math::SparseRow{{&j, 1}, {&one, 1}}));
    }
  }

  /// b - A p.
  [[nodiscard]] std::vector<double> slacks(std::span<const double> p) const {
    std::vector<double> slacks(constraints->inequalities);
    multiply(*constraints, p, slacks);
    for (std::size_t i = 0; i < slacks.size(); ++i) slacks[i] = constraints->right[i] - slacks[i];
    return slacks;
  }

  /// r, R and D about a point of the hull.
  [[nodiscard]] Geometry geometry_about(std::span<const double> p) const {
    return shape.about(p, slacks(p));
  }

  /// Bounds exactly, rows to the tolerance.
  [[nodiscard]] bool contains(std::span<const double> x, double tolerance) const {
    const Constraints& k = *constraints;
    if (x.size() != k.columns) return false;
    for (std::size_t j = 0; j < x.size(); ++j) {
      if (!(k.lower[j] <= x[j] && x[j] <= k.upper[j]) || !std::isfinite(x[j])) return false;
    }
    for (std::size_t i = 0; i < k.inequalities; ++i) {
      if (!(row_of(k, i).dot(x) - k.right[i] <= tolerance * norms[i])) return false;
    }
    return normals.contain(x, tolerance);
  }

  /// Finds the ends of the box that are not finite by a linear program each, and calls
  /// found(end, sign) for each.
  template <class Program, class Found>
  void find_box(Program& program, const Found& found) {
    std::vector<double> c(shape.low.size(), 0.0);
    for (std::size_t j = 0; j < c.size(); ++j) {
      for (const double sign : {1.0, -1.0}) {
        double& end = (sign > 0 ? shape.low : shape.high)[j];
        if (std::isfinite(end)) continue;
        c[j] = sign;
        const math::LinearResult result = program.minimise(c);
        c[j] = 0;
        if (result == math::LinearResult::unbounded) {
          throw InvalidArgument(unbounded_text(c.size(), j, sign, program.culprits()));
        }
        require_seen(result == math::LinearResult::optimal,
                     "how far coordinate " + std::to_string(j) + " of the polytope can go");
        end = program.x()[j];
        found(end, sign);
      }
    }
  }

  /// Takes the centre; throws InvalidArgument if rounding has hidden it, or as require_sound().
  void take_centre(std::optional<PolytopeBall> ball, const PolytopeReader& reader,
                   double nothing = 0) {
    require_seen(ball.has_value(), "the inner ball of the polytope");
    centre = std::move(ball->centre);
    std::vector<std::size_t>& holding = ball->holding;
    std::sort(holding.begin(), holding.end());
    holding.erase(std::unique(holding.begin(), holding.end()), holding.end());
    require_sound(shape, geometry_about(centre), reader.names(holding), nothing);
  }
};

using DenseBody = PolytopeBody<math::LinearConstraints>;
/// The box is one that the bounds and the rows imply one by one; linear programs are solved only
/// for coordinates that this leaves without a bound.
using SparseBody = PolytopeBody<math::SparseConstraints>;

/// Checks the numbers and works all that out; throws InvalidArgument where polytope() refuses.
[[nodiscard]] DenseBody make_polytope_body(const PolytopeConstraints& given);
[[nodiscard]] SparseBody make_large_polytope_body(const PolytopeConstraints& given);

/// The polytope by the dense or the sparse method, whatever its size.
[[nodiscard]] SetPtr dense_polytope(const PolytopeConstraints& given);
[[nodiscard]] SetPtr large_polytope(const PolytopeConstraints& given);

}  // namespace keyhole::sets
