// The gauge of a polytope {l <= x <= u, A x <= b} about a point p inside:
//
//   gamma(p + d) = max_i <a_i, d> / (b_i - <a_i, p>)  over the rows and the bounds.

#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "sets/polytopes/polytope.h"

namespace keyhole::sets {

/// Which constraint a ray from p meets first. Thread-safe.
class FirstFacet {
 public:
  /// `slacks` are b - A p, one for each row of A.
  FirstFacet(const PolytopeShape& shape, std::span<const double> p, std::vector<double> slacks);

  struct Found {
    /// The gauge; 0 where the ray does not leave p.
    double gamma = 0;
    /// The row i of A, or the number of rows plus the coordinate j of a bound.
    std::size_t index = 0;
    /// b_i - <a_i, p>, u_j - p_j or l_j - p_j: a_i / slack, e_j / slack is a subgradient.
    double slack = 0;
  };

  /// For the direction d and products = A d: the first of those that tie, rows before bounds. What
  /// is constant on the hull does not count.
  [[nodiscard]] Found operator()(std::span<const double> d, std::span<const double> products) const;

 private:
  std::vector<double> slacks_;
  std::vector<double> above_;  // u - p
  std::vector<double> below_;  // l - p
};

}  // namespace keyhole::sets
