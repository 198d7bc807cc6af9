// Reads what describes a polytope, and names its rows.

#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "keyhole/error.h"
#include "keyhole/polytope.h"
#include "math/programs/linear_program.h"
#include "math/sums.h"

namespace keyhole::sets {

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
  /// Whether |Q x - q| <= tolerance in each row.
  [[nodiscard]] bool contain(std::span<const double> x, double tolerance) const noexcept;
  /// The length of a row, dense or sparse, within the hull; 0 if that is no more than rounding.
  template <class Row>
  [[nodiscard]] double norm_within(const Row& row) const {
    std::vector<double> direction(columns, 0.0);
    row.add_to(direction, 1);
    flatten(direction);
    const double norm = math::norm(direction);
    return norm > 1e-10 ? norm : 0;
  }
};

/// A polytope that is refused only because rounding errors of a method hide it.
class HiddenByRounding final : public InvalidArgument {
 public:
  using InvalidArgument::InvalidArgument;
};

/// Throws HiddenByRounding, and says what is hidden, unless it was seen.
inline void require_seen(bool seen, const std::string& what) {
  if (seen) return;
  throw HiddenByRounding("rounding errors hide " + what +
                         ": its constraints are too nearly dependent");
}

/// Checks the numbers, scales each row by a power of two to a norm in [1, 2), leaves out rows of
/// zeros and equalities that follow from others. Throws InvalidArgument.
class PolytopeReader {
 public:
  explicit PolytopeReader(const PolytopeConstraints& given);

  math::SparseConstraints constraints;
  HullNormals normals;

  /// "inequality 0, equality 2 and the bounds of coordinate 1", for coordinates j and rows n + i of
  /// the constraints.
  [[nodiscard]] std::string names(const std::vector<std::size_t>& variables) const;

  /// Throws InvalidArgument unless a linear program has found a point; `culprits` are the variables
  /// that contradict each other, if it knows.
  void require_feasible(math::LinearResult result, const std::vector<std::size_t>& culprits) const;

  /// The constraints with their zeros.
  [[nodiscard]] math::LinearConstraints dense() const;

 private:
  void read(const std::string& kind, const LinearRows& rows, bool equalities);
  [[nodiscard]] bool joins_hull(const std::string& name);

  std::size_t n_;
  std::vector<std::string> names_;
  std::vector<double> sizes_;  // of what the right sides of the normals were made of
};

/// Why a polytope in dimension n is refused whose coordinate j has no least (sign > 0) or largest
/// value; `ray` are the variables that change along the way there, as SparseProgram::culprits().
[[nodiscard]] std::string unbounded_text(std::size_t n, std::size_t j, double sign,
                                         const std::vector<std::size_t>& ray);

/// The sums of dense parts and entries, without zeros: of bounds and right sides nothing is set.
[[nodiscard]] math::SparseConstraints assembled(const LinearRows& rows, std::size_t n);

/// `polytope(2, lower=0, upper=1, A=[[1, 2]], b=[1])`; large ones by their size and a digest.
[[nodiscard]] std::string polytope_spec(const PolytopeConstraints& given);

}  // namespace keyhole::sets
